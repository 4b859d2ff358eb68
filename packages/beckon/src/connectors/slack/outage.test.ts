import { afterEach, expect, test, vi } from 'vitest';
import type { AskInput } from '../../protocol/interaction.ts';
import { useSlack } from '../../testing/harness/slack/use-slack.ts';
import { until } from '../../testing/suites/until.ts';

const slack = useSlack();
const LAPTOP = { who: 'dev@laptop', via: 'terminal' } as const;
const HOUR_MS = 3_600_000;
const { setTimeout: startRealTimer } = globalThis;
const question = (text: string): AskInput => ({
  kind: 'question',
  request: { question: text, options: [{ label: 'a' }] },
});
const roots = (text: string) =>
  slack.server.messages.filter((message) => message.thread_ts === undefined && slack.text(message).includes(text));

afterEach(() => void vi.useRealTimers());

/** Lets time pass for every pause of ours. The stand-in, the sockets and the clocks go on as they are. */
async function pass(ms: number, stepMs: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    await vi.advanceTimersByTimeAsync(stepMs);
    await new Promise((resolve) => startRealTimer(resolve, 2));
  }
}

/** Lets time pass until it holds; the longest pause is five minutes. */
async function passUntil(check: () => Promise<void>): Promise<void> {
  for (let passed = 0; ; passed += 1000) {
    await pass(1000, 1000);
    const isOver = await check().then(
      () => true,
      (error: unknown) => (passed > HOUR_MS ? Promise.reject(error) : false),
    );
    if (isOver) return;
  }
}

test('Slack is away for an hour: nothing is lost, and nothing is asked or answered twice', async () => {
  const { stateFile } = slack;
  await slack.run({ stateFile });
  const settled = await slack.ask(question('Settled meanwhile?'));
  const written = await slack.ask(question('Written before?'));
  const open = await slack.ask(question('Open all the time?'));
  const closing = await slack.see('Settled meanwhile?');
  const thread = await slack.see('Written before?');
  await slack.see('Open all the time?');
  await until(() => expect(slack.server.sockets.unacknowledged).toBe(0));

  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  // The last thing that Slack takes, and of which it never tells.
  slack.server.isForgetful = true;
  slack.ada.say('of course', thread);
  slack.server.isForgetful = false;
  slack.server.goDown();
  const meanwhile = await slack.ask(question('Asked meanwhile?'));
  await slack.beckon.answer(settled.id, { text: 'b' }, LAPTOP);
  await pass(HOUR_MS, 5000);
  expect(roots('Asked meanwhile?')).toEqual([]);
  expect(slack.errors.length).toBeGreaterThan(10);
  expect(slack.errors.length).toBeLessThan(500);
  slack.server.comeBack();
  await passUntil(async () => {
    expect(roots('Asked meanwhile?')).toHaveLength(1);
    expect(slack.text(closing)).toContain('Answered by dev@laptop in the terminal: b');
    expect(slack.text(thread)).toContain('Answered by ada in Slack: of course');
    expect(slack.server.sockets.count).toBe(1);
  });
  vi.useRealTimers();

  const message = await slack.see('Asked meanwhile?');
  slack.ada.press(message, '1. a');
  slack.ada.press(await slack.see('Open all the time?'), '1. a');
  for (const { id } of [meanwhile, open]) {
    expect(await slack.beckon.wait(id)).toMatchObject({ answer: { text: 'a' }, answeredBy: { who: 'ada' } });
  }
  expect(await slack.beckon.get(written.id)).toMatchObject({ answer: { text: 'of course' } });
  for (const text of ['Settled', 'Written', 'Open all', 'Asked']) expect(roots(text)).toHaveLength(1);
});
