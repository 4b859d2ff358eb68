import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Person } from '../../packages/beckon/src/testing/harness/slack/person.ts';
import { SlackServer } from '../../packages/beckon/src/testing/harness/slack/slack-server.ts';
import { type KeptMessage, see } from '../../packages/beckon/src/testing/harness/slack/slack-workspace.ts';
import { until } from '../../packages/beckon/src/testing/suites/until.ts';
import { CliBench, type Run } from '../harness/cli.ts';

const ARGS = ['slack', '--channel', 'default=C100', '--user', 'U1ADA=ada'];
let bench: CliBench;
let slack: SlackServer;
let ada: Person;

beforeEach(async () => {
  bench = await CliBench.open();
  slack = await SlackServer.start();
  ada = new Person(slack, 'U1ADA');
});
afterEach(async () => {
  await bench.close();
  await slack.stop();
  if (slack.faults.length > 0) throw new Error(`Slack would not take this: ${slack.faults.join('; ')}`);
});

function env(changes: Record<string, string> = {}): Record<string, string> {
  return {
    BECKON_SLACK_BOT_TOKEN: slack.botToken,
    BECKON_SLACK_APP_TOKEN: slack.appToken,
    BECKON_SLACK_API_ROOT: slack.apiRoot,
    ...changes,
  };
}

async function connect(): Promise<Run> {
  const connector = bench.start(ARGS, { env: env() });
  await connector.seen(/Slack is connected\. Ask with: beckon ask "…" --chat default/);
  return connector;
}

function find(text: string): Promise<KeptMessage> {
  return until(() => {
    const found = slack.messages.find((message) => see(message).text.includes(text));
    if (found === undefined) throw new Error(`Nobody sees ${text} yet`);
    return found;
  });
}

/** Presses as somebody does who has looked at the message. */
function press(message: KeptMessage, label: string): string {
  return ada.press(message, label, { at: Date.now() + 5000 });
}

test('a question asked on the command line is answered in Slack', async () => {
  await bench.up();
  const connector = await connect();
  const asking = bench.start(['ask', 'Deploy?', '--option', 'yes', '--option', 'no']);
  const message = await find('Deploy?');
  new Person(slack, 'U6EVE').press(message, 'yes');
  await connector.seen(/ignored the person U6EVE in C100\. To let them answer, start with --user U6EVE=NAME/);
  // A press on a message that has just come is not taken.
  ada.press(message, 'yes', { at: Number(message.ts) * 1000 + 100 });
  await until(() => expect(slack.whispers.at(-1)?.text).toMatch(/^This came too soon/));
  press(message, 'yes');
  expect(await asking.exit).toBe(0);
  expect(asking.stdout()).toBe('yes\n');
  await until(() => expect(see(message).text).toMatch(/✓ Answered by .*ada, in Slack\): yes/));
  connector.child.kill('SIGTERM');
  expect(await connector.exit).toBe(0);
  expect(readFileSync(join(bench.home, 'slack.json'), 'utf8')).toContain('beckonSlack');
});

test('the daemon is killed in between, and the connector too: one message, one answer', async () => {
  const daemon = await bench.up();
  const connector = await connect();
  const asking = bench.start(['ask', 'Deploy?', '--option', 'yes', '--option', 'no']);
  const message = await find('Deploy?');
  process.kill(daemon.pid, 'SIGKILL');
  await daemon.exit;
  press(message, 'yes');
  await until(() => expect(slack.whispers.at(-1)?.text).toBe('Beckon could not take this. Please try again.'));
  await bench.up(['--port', daemon.port]);
  connector.child.kill('SIGKILL');
  await connector.exit;
  // What is written while nobody listens is found in the thread.
  slack.isForgetful = true;
  ada.say('yes, please', message);
  slack.isForgetful = false;
  const again = await connect();
  expect(await asking.exit).toBe(0);
  expect(asking.stdout()).toBe('yes, please\n');
  await until(() => expect(see(message).text).toContain('yes, please'));
  expect(slack.messages.filter(({ thread_ts }) => thread_ts === undefined)).toHaveLength(1);
  again.child.kill('SIGINT');
  expect(await again.exit).toBe(0);
});

test('the command goes on while the daemon is away, and shows what was asked since', async () => {
  const daemon = await bench.up();
  const connector = await connect();
  // What it has shown, it heard of through the stream that breaks now.
  const first = bench.start(['ask', 'Are you there?', '--option', 'yes']);
  press(await find('Are you there?'), 'yes');
  expect(await first.exit).toBe(0);
  process.kill(daemon.pid, 'SIGKILL');
  await daemon.exit;
  await connector.seen(/Beckon cannot be reached/);
  await bench.up(['--port', daemon.port]);
  const asking = bench.start(['ask', 'Still there?', '--option', 'yes']);
  press(await find('Still there?'), 'yes');
  expect(await asking.exit).toBe(0);
});

test('a form that Slack cannot show links to the page, at the address that people use', async () => {
  await bench.up();
  const page = 'https://beckon.example.com';
  const connector = bench.start([...ARGS, '--page', page], { env: env() });
  await connector.seen(/Slack is connected/);
  const request = '{"message":"Where?","schema":{"type":"object"}}';
  const { id } = await bench.ask(['--kind', 'form', '--request', request]);
  const message = await find('Where?');
  expect(see(message).controls).toMatchObject([{ text: 'Open the page', url: `${page}/i/${id}` }]);
});

test.each<[string, readonly string[], Record<string, string>, RegExp]>([
  ['no bot token', ARGS, { BECKON_SLACK_BOT_TOKEN: '' }, /Set BECKON_SLACK_BOT_TOKEN: it begins with xoxb-/],
  ['no app token', ARGS, { BECKON_SLACK_APP_TOKEN: '' }, /Set BECKON_SLACK_APP_TOKEN: it begins with xapp-/],
  ['no channel', ['slack', '--user', 'U1ADA=ada'], {}, /--channel/],
  ['no person', ['slack', '--channel', 'C100'], {}, /--user/],
  [
    'a channel by its name',
    ['slack', '--channel', '#general', '--user', 'U1ADA=ada'],
    {},
    /id of a Slack channel such as C0123/,
  ],
  [
    'a person without a name',
    ['slack', '--channel', 'C100', '--user', 'U1ADA'],
    {},
    /Expected ID=NAME, such as U0123=ada/,
  ],
])('with %s it says what is missing', async (_, args, changes, message) => {
  expect(await bench.run(args, { env: env(changes) })).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(message),
  });
});

test.each<[string, { bot?: string; scopes?: string[]; channels?: string[] }, RegExp]>([
  ['a token that Slack refuses', { bot: 'xoxb-wrong' }, /invalid_auth\. Is the token right/],
  [
    'a scope that is missing',
    { scopes: ['chat:write'] },
    /The app lacks the scope files:write, channels:history\. Add it/,
  ],
  ['a channel without the app', { channels: [] }, /C100 cannot be used\..*channel_not_found/],
])('%s ends it with the next step, and no token is printed', async (_, { bot, scopes, channels }, message) => {
  await bench.up();
  slack.scopes = scopes ?? slack.scopes;
  slack.channels = channels ?? slack.channels;
  const run = { env: env(bot === undefined ? {} : { BECKON_SLACK_BOT_TOKEN: bot }) };
  const { code, stdout, stderr } = await bench.run(ARGS, run);
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringMatching(message) });
  expect(stdout + stderr).not.toMatch(/xox|xapp/);
});

test('it stops while Slack does not greet a connection', async () => {
  await bench.up();
  const connector = await connect();
  slack.sockets.isMute = true;
  slack.sockets.cut();
  await until(() => expect(slack.sockets.opened).toBeGreaterThan(1));
  connector.child.kill('SIGTERM');
  expect(await connector.exit).toBe(0);
});
