import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BotApiServer, type Person } from '../../packages/beckon/src/testing/harness/telegram/bot-api.ts';
import { until } from '../../packages/beckon/src/testing/suites/until.ts';
import { CliBench } from '../harness/cli.ts';

const ADA: Person = { id: 1001, first_name: 'Ada', username: 'ada' };
const EVE: Person = { id: 6666, first_name: 'Eve' };
let bench: CliBench;
let telegram: BotApiServer;

beforeEach(async () => {
  bench = await CliBench.open();
  telegram = await BotApiServer.start();
});
afterEach(async () => {
  await bench.close();
  await telegram.stop();
});

test('a question asked on the command line is answered in Telegram', async () => {
  await bench.up();
  const env = { BECKON_TELEGRAM_TOKEN: telegram.token, BECKON_TELEGRAM_API_ROOT: telegram.url };
  const connector = bench.start(['telegram', '--chat', 'default=1001'], { env });
  await connector.seen(/Telegram is connected/);
  const asking = bench.start(['ask', 'Deploy?', '--option', 'yes', '--option', 'no']);
  const message = await until(() => {
    const found = telegram.messages.find(({ text }) => text.includes('Deploy?'));
    if (found === undefined) throw new Error('It is not shown yet');
    return found;
  });
  telegram.say(6666, EVE, 'yes');
  await connector.seen(
    /ignored Eve \(6666\): chat 6666, user 6666\. To accept them, start with --chat 6666 --user 6666/,
  );
  // A press on a message that has just come is not taken.
  const hasty = telegram.press(message, ADA, 'yes');
  await until(() => expect(telegram.toasts.get(hasty)).toMatch(/^This came too soon/));
  await sleep(1200);
  telegram.press(message, ADA, 'yes');
  expect(await asking.exit).toBe(0);
  expect(asking.stdout()).toBe('yes\n');
  connector.child.kill('SIGTERM');
  expect(await connector.exit).toBe(0);
  expect(telegram.faults).toEqual([]);
});

test('without a token, or with a chat that is no number, it says what is missing', async () => {
  const missing = await bench.run(['telegram', '--chat', '1001'], { env: { BECKON_TELEGRAM_TOKEN: '' } });
  expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('Set BECKON_TELEGRAM_TOKEN') });
  expect(await bench.run(['telegram'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--chat') });
  const wrong = await bench.run(['telegram', '--chat', 'ada']);
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('number of a Telegram chat') });
});
