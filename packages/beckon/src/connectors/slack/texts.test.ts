import { describe, expect, test } from 'vitest';
import type { AskInput, Interaction } from '../../protocol/interaction.ts';
import { CHANNEL, useSlack } from '../../testing/harness/slack/use-slack.ts';
import { ASKS } from '../../testing/suites/samples.ts';
import { until } from '../../testing/suites/until.ts';
import { toTypedText } from './typed-text.ts';

const slack = useSlack();
const question = (text: string): AskInput => ({ kind: 'question', request: { question: text } });
const approve = (tool: string): Promise<Interaction> => slack.ask({ kind: 'approval', request: { tool } });

async function expectPending(...interactions: Interaction[]): Promise<void> {
  for (const { id } of interactions) expect(await slack.beckon.get(id)).toMatchObject({ status: 'pending' });
}

/** Returns when everything that was sent so far has been taken. */
async function whenTaken(): Promise<void> {
  await until(() => expect(slack.server.sockets.unacknowledged).toBe(0));
  const text = `Are you there, ${slack.server.newId('call ')}?`;
  const { id } = await slack.ask(question(text));
  slack.ada.say('yes', await slack.see(text));
  await slack.beckon.wait(id);
}

describe('a text in a thread', () => {
  test('answers the request of that thread, however many are pending', async () => {
    await slack.run();
    const asked = [];
    for (const text of ['First?', 'Second?', 'Third?']) asked.push(await slack.ask(question(text)));
    await slack.see('Third?');
    const message = await slack.see('Second?');
    slack.ada.say('this one', message);
    expect(await slack.beckon.wait(asked[1]!.id)).toMatchObject({
      answer: { text: 'this one' },
      answeredBy: { who: 'ada', via: 'slack' },
    });
    expect(await slack.see('Response received.')).toMatchObject({ thread_ts: message.ts, isBroadcast: false });
    await expectPending(asked[0]!, asked[2]!);
  });

  test('to an approval that is not a plain yes is a no, with the words as the reason', async () => {
    await slack.run();
    const { id } = await approve('Bash');
    const message = await slack.see('Allow Bash?');
    slack.ada.say('yes, but later', message);
    expect(await slack.beckon.wait(id)).toMatchObject({ answer: { decision: 'deny', message: 'yes, but later' } });
    await until(() => expect(slack.text(message)).toContain('✗ Denied by ada in Slack: yes, but later'));
  });

  test('to a plan is feedback', async () => {
    await slack.run();
    const { id } = await slack.ask({ kind: 'plan_review', request: { plan: '# Plan' } });
    slack.ada.say('fewer files', await slack.see('# Plan'));
    expect(await slack.beckon.wait(id)).toMatchObject({ answer: { decision: 'adjust', feedback: 'fewer files' } });
  });

  test('that is also sent to the channel counts as one in the thread', async () => {
    await slack.run();
    const { id } = await slack.ask(question('Why?'));
    slack.ada.say('because', await slack.see('Why?'), { subtype: 'thread_broadcast' });
    expect(await slack.beckon.wait(id)).toMatchObject({ answer: { text: 'because' } });
  });

  test.each(['form', 'component'] as const)('to a %s says that a text cannot answer it', async (kind) => {
    await slack.run();
    const asked = await slack.ask(structuredClone(ASKS[kind]) as unknown as AskInput);
    const message = await slack.see(kind === 'form' ? 'Who are you?' : 'Sales');
    slack.ada.say('Ada', message);
    expect(await slack.see('This cannot be answered by a text.')).toMatchObject({ thread_ts: message.ts });
    await expectPending(asked);
  });

  test.each([
    ['that was changed afterwards', { subtype: 'message_changed' }],
    ['that was deleted', { subtype: 'message_deleted' }],
    ['that is about joining', { subtype: 'channel_join' }],
  ])('%s is not used', async (_, more) => {
    await slack.run();
    const asked = await approve('Bash');
    slack.ada.say('yes', await slack.see('Allow Bash?'), more);
    await whenTaken();
    await expectPending(asked);
  });

  test('with a file alone is not used, and says so', async () => {
    await slack.run();
    const asked = await approve('Bash');
    const files = [{ id: 'F9', name: 'yes.txt' }];
    slack.ada.say('', await slack.see('Allow Bash?'), { subtype: 'file_share', files });
    await slack.see('Beckon only reads text.');
    await expectPending(asked);
  });

  test('after the end hears how it ended, once for each person', async () => {
    await slack.run();
    const { id } = await approve('Bash');
    const message = await slack.see('Allow Bash?');
    slack.ada.press(message, 'Deny');
    await slack.beckon.wait(id);
    const other = await approve('Write');
    await slack.see('Allow Write?');
    slack.bob.say('yes', message);
    await slack.see('Already denied by ada in Slack.');
    slack.bob.say('oh, I see', message);
    await whenTaken();
    expect(slack.server.messages.filter((one) => slack.text(one).includes('Already denied'))).toHaveLength(1);
    await expectPending(other);
  });

  test('in a thread of ours that nobody knows any more answers nothing, and says so once', async () => {
    const first = await slack.run();
    const old = await approve('Bash');
    const message = await slack.see('Allow Bash?');
    await first.stop();
    await slack.beckon.cancel({ id: old.id });
    await slack.run();
    const asked = await approve('Write');
    await slack.see('Allow Write?');
    slack.ada.say('yes', message);
    expect(await slack.see('Beckon no longer knows the message of this thread.')).toMatchObject({
      thread_ts: message.ts,
    });
    await expectPending(asked);
  });

  test('in a thread that is not ours is not for us', async () => {
    await slack.run();
    const asked = await approve('Bash');
    await slack.see('Allow Bash?');
    const lunch = slack.bob.say('Lunch?', CHANNEL);
    slack.ada.say('yes', lunch);
    await whenTaken();
    await expectPending(asked);
    expect(slack.server.messages.filter(({ thread_ts }) => thread_ts === lunch.ts)).toHaveLength(1);
  });
});

describe('a text in the channel', () => {
  test('is never an answer; the person is told why, alone and once, even after a restart', async () => {
    const { stateFile } = slack;
    const first = await slack.run({ stateFile });
    const asked = await approve('Bash');
    await slack.see('Allow Bash?');
    slack.ada.say('yes', CHANNEL);
    expect(await slack.whisper('A text in the channel answers nothing.')).toMatchObject({
      user: slack.ada.id,
      thread: undefined,
    });
    slack.ada.say('yes!', CHANNEL);
    await whenTaken();
    await first.stop();
    await slack.run({ stateFile });
    slack.ada.say('yes?', CHANNEL);
    await whenTaken();
    expect(slack.server.whispers).toHaveLength(1);
    await expectPending(asked);
  });

  test('is nobody’s business while nothing is pending, and never for people who are not listed', async () => {
    await slack.run();
    slack.ada.say('Good morning', CHANNEL);
    await whenTaken();
    await approve('Bash');
    await slack.see('Allow Bash?');
    slack.eve.say('yes', CHANNEL);
    await whenTaken();
    expect(slack.server.whispers).toEqual([]);
  });
});

test.each([
  ['plain', 'plain'],
  ['a &lt;b&gt; &amp; c', 'a <b> & c'],
  ['&amp;lt;', '&lt;'],
  ['see <https://example.com/a?b=1&amp;c=2>', 'see https://example.com/a?b=1&c=2'],
  ['<http://example.com|example.com> it is', 'example.com it is'],
  ['mail <mailto:ada@example.com|ada@example.com> or <mailto:b@c.d>', 'mail ada@example.com or b@c.d'],
  ['ask <@U1ADA> or <@U2BOB|bob> in <#C100|general> and <#C200>', 'ask @U1ADA or @bob in #general and #C200'],
  ['<!here> <!subteam^S1|@team> <!channel|channel>', '@here @team channel'],
  ['a < b', 'a < b'],
])('of %j people had typed %j', (sent, typed) => {
  expect(toTypedText(sent)).toBe(typed);
});
