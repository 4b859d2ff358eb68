import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { AskInput, Interaction } from '../../protocol/interaction.ts';
import { type KeptMessage, see } from '../../testing/harness/slack/slack-workspace.ts';
import { useSlack } from '../../testing/harness/slack/use-slack.ts';
import { until } from '../../testing/suites/until.ts';

const slack = useSlack();
const TOO_SOON = 'This came too soon after another press, or after the message';
const MOMENT_MS = 1000;

const approve = (tool: string): Promise<Interaction> => slack.ask({ kind: 'approval', request: { tool } });
const SEVERAL: AskInput = {
  kind: 'question',
  request: { question: 'Which?', options: [{ label: 'a' }, { label: 'b' }], multiSelect: true },
};
/** When a message was posted, in milliseconds by Slack's clock. */
const postedAt = ({ ts }: KeptMessage): number => Number(ts) * 1000;

async function expectPending(...interactions: Interaction[]): Promise<void> {
  for (const { id } of interactions) expect(await slack.beckon.get(id)).toMatchObject({ status: 'pending' });
}

describe('a finger that is hasty', () => {
  test('presses twice: the second press is a repeat, and touches nothing else', async () => {
    await slack.run();
    const first = await approve('Bash');
    const second = await approve('Write');
    const message = await slack.see('Allow Bash?');
    await slack.see('Allow Write?');
    slack.ada.press(message, 'Allow');
    slack.ada.press(message, 'Allow');
    expect(await slack.beckon.wait(first.id)).toMatchObject({ answer: { decision: 'allow' } });
    await until(() => expect(slack.server.sockets.unacknowledged).toBe(0));
    await expectPending(second);
    expect(slack.server.whispers).toEqual([]);
  });

  test('presses the message that has just come under it: nothing is decided, and it is told so', async () => {
    await slack.run({ momentMs: MOMENT_MS });
    const asked = await approve('Bash');
    const message = await slack.see('Allow Bash?');
    slack.ada.press(message, 'Allow', { at: postedAt(message) + MOMENT_MS - 1 });
    expect(await slack.whisper(TOO_SOON)).toMatchObject({ user: slack.ada.id, thread: undefined });
    await expectPending(asked);
    slack.ada.press(message, 'Allow', { at: postedAt(message) + MOMENT_MS + 1 });
    expect(await slack.beckon.wait(asked.id)).toMatchObject({ answer: { decision: 'allow' } });
  });

  test('counts by the time of the press, however late it arrives', async () => {
    const momentMs = 300;
    await slack.run({ momentMs });
    const asked = await approve('Bash');
    const message = await slack.see('Allow Bash?');
    slack.server.sockets.hold();
    slack.ada.press(message, 'Allow', { at: postedAt(message) + 100 });
    await sleep(momentMs + 100);
    slack.server.sockets.releaseReversed();
    await slack.whisper(TOO_SOON);
    await expectPending(asked);
  });

  test('presses twice, and the second press falls on another message: that one is not decided', async () => {
    await slack.run({ momentMs: MOMENT_MS });
    const first = await approve('Bash');
    const second = await approve('Write');
    const [one, other] = [await slack.see('Allow Bash?'), await slack.see('Allow Write?')];
    const at = postedAt(other) + 5000;
    slack.ada.press(one, 'Allow', { at });
    slack.ada.press(other, 'Allow', { at: at + 300 });
    await slack.whisper(TOO_SOON);
    expect(await slack.beckon.wait(first.id)).toMatchObject({ answer: { decision: 'allow' } });
    await expectPending(second);
    slack.ada.press(other, 'Deny', { at: at + 300 + MOMENT_MS });
    expect(await slack.beckon.wait(second.id)).toMatchObject({ answer: { decision: 'deny' } });
  });

  test('of two people at once each decides about their own message', async () => {
    await slack.run({ momentMs: MOMENT_MS });
    const asked = [await approve('Bash'), await approve('Write')];
    const [one, other] = [await slack.see('Allow Bash?'), await slack.see('Allow Write?')];
    const at = postedAt(other) + 5000;
    slack.ada.press(one, 'Allow', { at });
    slack.bob.press(other, 'Deny', { at });
    const settled = await Promise.all(asked.map(({ id }) => slack.beckon.wait(id)));
    expect(settled).toMatchObject([{ answer: { decision: 'allow' } }, { answer: { decision: 'deny' } }]);
  });

  test('of two people on one message the first wins, and the other hears who did', async () => {
    await slack.run();
    const asked = await approve('Bash');
    const message = await slack.see('Allow Bash?');
    slack.ada.press(message, 'Deny');
    slack.bob.press(message, 'Allow');
    expect(await slack.whisper('Already denied by ada in Slack.')).toMatchObject({ user: slack.bob.id });
    expect(await slack.beckon.get(asked.id)).toMatchObject({ answer: { decision: 'deny' } });
  });

  test('presses Done in the moment in which the message appears: nothing is sent', async () => {
    await slack.run({ momentMs: MOMENT_MS });
    const asked = await slack.ask(SEVERAL);
    const message = await slack.see('Which?');
    slack.ada.press(message, 'Done', { chosen: ['a'], at: postedAt(message) + 100 });
    await slack.whisper(TOO_SOON);
    await expectPending(asked);
  });
});

describe('"Done" sends what the person sees as chosen, and nothing else', () => {
  test('two people choose apart: each sends their own', async () => {
    await slack.run();
    const { id } = await slack.ask(SEVERAL);
    const message = await slack.see('Which?');
    const [list] = see(message).controls;
    slack.ada.pressControl(message, list!, { chosen: ['1. a'] });
    slack.bob.press(message, 'Done', { chosen: ['2. b'] });
    expect(await slack.beckon.wait(id)).toMatchObject({ answer: { selected: ['b'] }, answeredBy: { who: 'bob' } });
  });

  test('an option of another message is refused', async () => {
    await slack.run();
    const asked = await slack.ask(SEVERAL);
    const message = await slack.see('Which?');
    await slack.ask({ ...SEVERAL, request: { ...SEVERAL.request, question: 'Other?' } } as AskInput);
    const other = await slack.see('Other?');
    const done = see(message).controls.at(-1)!;
    // The choices come from the other message, the button from this one.
    slack.ada.pressControl({ ...message, blocks: other.blocks }, done, { chosen: ['1. a'] });
    await slack.whisper('This button is not valid here.');
    await expectPending(asked);
  });
});
