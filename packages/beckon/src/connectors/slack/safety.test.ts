import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { AskInput } from '../../protocol/interaction.ts';
import type { SeenControl } from '../../testing/harness/slack/reading.ts';
import { see } from '../../testing/harness/slack/slack-workspace.ts';
import { CHANNEL, CHAT, useSlack } from '../../testing/harness/slack/use-slack.ts';
import { until } from '../../testing/suites/until.ts';
import { sealButton } from '../shared/button-data.ts';

const slack = useSlack();
const OTHER = 'C200';
const approval = (changes: object = {}): AskInput =>
  ({ kind: 'approval', request: { tool: 'Bash', input: { command: 'ls' } }, ...changes }) as AskInput;

describe('only those on the list are heard', () => {
  test('a stranger who presses is told that they are not on the list, and reported once', async () => {
    await slack.run();
    const { id } = await slack.ask(approval());
    const message = await slack.see('Allow Bash?');
    slack.eve.press(message, 'Allow');
    expect(await slack.whisper('You are not on the list of people who may answer here')).toMatchObject({
      user: slack.eve.id,
    });
    slack.eve.press(message, 'Allow');
    await until(() => expect(slack.server.whispers).toHaveLength(2));
    expect(await slack.beckon.get(id)).toMatchObject({ status: 'pending' });
    expect(slack.strangers).toEqual([{ channel: CHANNEL, user: slack.eve.id, isChannel: false }]);
    // Nobody else sees what they were told.
    expect(slack.server.messages).toHaveLength(1);
  });

  test('a stranger who writes in the thread is told so once there, and answers nothing', async () => {
    await slack.run();
    const { id } = await slack.ask(approval());
    const message = await slack.see('Allow Bash?');
    slack.eve.say('yes', message);
    await slack.whisper('You are not on the list');
    slack.eve.say('really, yes', message);
    slack.eve.say('yes', CHANNEL);
    slack.ada.say('no', message);
    expect(await slack.beckon.wait(id)).toMatchObject({ answer: { decision: 'deny' }, answeredBy: { who: 'ada' } });
    expect(slack.server.whispers).toMatchObject([{ user: slack.eve.id, thread: message.ts }]);
  });

  test('a channel that is not listed is not used, and reported once', async () => {
    await slack.run();
    const asked = await slack.ask(approval());
    const message = await slack.see('Allow Bash?');
    slack.ada.say('yes', OTHER);
    slack.bob.say('yes', OTHER);
    slack.ada.pressControl({ ...message, channel: OTHER }, see(message).controls[1]!);
    await until(() => expect(slack.server.sockets.unacknowledged).toBe(0));
    await until(() => expect(slack.strangers).toEqual([{ channel: OTHER, user: slack.ada.id, isChannel: true }]));
    expect(await slack.beckon.get(asked.id)).toMatchObject({ status: 'pending' });
  });

  test('what belongs to another chat is not shown', async () => {
    await slack.run();
    await slack.beckon.ask(approval({ chatId: 'elsewhere' }));
    await slack.ask({ kind: 'question', request: { question: 'Mine?' } });
    await slack.see('Mine?');
    expect(slack.server.messages).toHaveLength(1);
  });

  test('an app that writes in somebody’s name is not that person', async () => {
    await slack.run();
    const { id } = await slack.ask(approval());
    const message = await slack.see('Allow Bash?');
    slack.ada.say('yes', message, { bot_id: 'B77', app_id: 'A77' });
    await slack.see('A text that an app wrote is not used.');
    expect(await slack.beckon.get(id)).toMatchObject({ status: 'pending' });
  });
});

describe('a button that was not made for this place does nothing', () => {
  async function setUp() {
    await slack.run({ channels: { [CHAT]: CHANNEL, other: OTHER } });
    const { id } = await slack.ask(approval());
    const message = await slack.see('Allow Bash?');
    const allow = see(message).controls.find(({ text }) => text === 'Allow')!;
    return { id, message, allow };
  }

  test('forged data of any form is refused', async () => {
    const { id, message, allow } = await setUp();
    const value = allow.value ?? '';
    const [key = '', , mac = ''] = value.split('.');
    const deny = see(message).controls.find(({ text }) => text === 'Deny')!.value!;
    const at = { key, chat: CHANNEL, interactionId: id, choice: 'allow' };
    const forged = [
      '',
      'allow',
      `${key}.allow`,
      `${key}.allow.`,
      `${key}.allow.${'A'.repeat(22)}`,
      `${key}.allow.${mac.slice(0, -1)}`,
      deny.replace('deny', 'allow'),
      `${'A'.repeat(12)}.allow.${mac}`,
      `${value}.x`,
      `\u0000${value}`,
      sealButton('another secret', at),
      sealButton(createHmac('sha256', 'x').digest(), at),
      '{"decision":"allow"}',
      'x'.repeat(2000),
    ];
    for (const [index, data] of forged.entries()) {
      slack.ada.pressControl(message, { ...allow, value: data });
      await until(() => expect(slack.server.whispers).toHaveLength(index + 1));
      expect(slack.server.whispers.at(-1)?.text).toBe('This button is not valid here.');
    }
    expect(await slack.beckon.get(id)).toMatchObject({ status: 'pending' });
  });

  test('genuine data on another message, or in another channel, is refused', async () => {
    const { id, message, allow } = await setUp();
    await slack.ask(approval({ request: { tool: 'Write' } }));
    const other = await slack.see('Allow Write?');
    slack.ada.pressControl(other, allow);
    slack.ada.pressControl({ ...message, channel: OTHER }, allow);
    slack.ada.pressControl({ ...message, ts: '1700000000.000001' }, allow);
    await until(() => expect(slack.server.whispers).toHaveLength(3));
    for (const { text } of slack.server.whispers) expect(text).toBe('This button is not valid here.');
    expect((await slack.beckon.list({ status: 'pending' })).items).toHaveLength(2);
    slack.ada.pressControl(message, allow);
    expect(await slack.beckon.wait(id)).toMatchObject({ answer: { decision: 'allow' } });
  });

  test('a replay after the end hears who answered, and changes nothing', async () => {
    const { id, message, allow } = await setUp();
    slack.ada.press(message, 'Deny');
    await until(() => expect(slack.labels(message)).toEqual([]));
    slack.ada.pressControl(message, allow);
    await slack.whisper('Already denied by ada in Slack.');
    expect(await slack.beckon.get(id)).toMatchObject({ answer: { decision: 'deny' } });
  });

  test('an option of an approval’s button is no option of a question', async () => {
    const { message } = await setUp();
    const { id } = await slack.ask({ kind: 'question', request: { question: 'Which?', options: [{ label: 'a' }] } });
    const question = await slack.see('Which?');
    const [option] = see(question).controls as [SeenControl];
    slack.ada.pressControl(message, option);
    await slack.whisper('This button is not valid here.');
    expect(await slack.beckon.get(id)).toMatchObject({ status: 'pending' });
  });
});

describe('text of agents is data', () => {
  /** Whatever Slack would read as markup, a mention, a link or an emoji, and what hides itself. */
  const HOSTILE = [
    '*bold* _italic_ ~struck~ `code` >quote',
    '<!channel> <!here> <!everyone> <!subteam^S123|@team>',
    '<@U1ADA> <@W1> <#C100|general>',
    '<https://evil.example|https://good.example> <mailto:a@b.c|x>',
    'https://evil.example @channel @here #general',
    ':bomb: :white_check_mark::skin-tone-2: ::: a:b:c',
    '&lt;!channel&gt; &amp;lt; &#60;!here&#62;',
    '<!date^1392734382^{date}|x> <!channel',
    '```\nunclosed',
    '</rich_text>{"type":"mrkdwn","text":"*x*"}',
    'user\u202etxt.exe',
    '\u2066isolate\u2069',
    '\u001b[2J\u001b]8;;http://evil.example\u0007here\u0007',
    'null\u0000byte and \u009b31m',
    'zero\u200bwidth\ufeff',
    'half \ud800 pair',
    '\n\n\n',
    '\u2800',
    'x'.repeat(4000),
  ];
  const HIDDEN = /(?![\n\t])\p{Cc}|[\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u;

  // The stand-in notes a fault for anything in which Slack would read markup, and each test ends with none.
  test.each(HOSTILE)('%j is shown as it is, in every place', async (text) => {
    await slack.run({ pageUrl: 'https://beckon.example.com' });
    const option = { label: `l ${text}`, description: text, preview: text };
    const many = Array.from({ length: 9 }, (_, index) => ({ label: `${index} ${text}`.slice(0, 200) }));
    const schema = {
      type: 'object',
      properties: { f: { type: 'string', title: text, description: text, enum: [`c ${text}`.slice(0, 500)] } },
    };
    const asks: AskInput[] = [
      { kind: 'question', askedBy: text, request: { question: `q ${text}`, header: text, options: [option] } },
      { kind: 'question', request: { question: `m ${text}`, options: many, multiSelect: true } },
      { kind: 'plan_review', request: { plan: text }, context: { project: text, message: text } },
      { kind: 'approval', request: { tool: `t ${text}`, input: { [text]: text }, description: text } },
      { kind: 'approval', request: { tool: 'Bash', input: { command: text } } },
      { kind: 'form', request: { message: text, schema } },
      { kind: 'component', request: { components: [{ type: text, title: text, label: text, action: text }] } },
    ];
    // A half of a pair is not JSON that every store keeps, so some of these are refused by Beckon itself.
    const asked = await Promise.all(asks.map((ask) => slack.ask(ask).catch(() => null)));
    const shown = asked.filter((interaction) => interaction !== null);
    const roots = () => slack.server.messages.filter(({ thread_ts }) => thread_ts === undefined);
    await until(() => expect(roots()).toHaveLength(shown.length));
    for (const message of roots().filter((one) => slack.labels(one).includes('Fill in'))) {
      slack.ada.press(message, 'Fill in');
      await until(() => expect(slack.server.views).toHaveLength(1));
    }
    for (const { id } of shown) await slack.beckon.note(id, { type: 'reminded' });
    for (const { id } of shown) await slack.beckon.cancel({ id }, text);
    await until(() => {
      for (const message of roots()) expect(slack.text(message)).toMatch(/Cancelled/);
    });
    const read = slack.server.messages
      .map(see)
      .flatMap(({ text: all, controls }) => [all, ...controls.map((one) => one.text)]);
    for (const seen of read) expect(seen).not.toMatch(HIDDEN);
  });

  test('what looks like markup reaches people letter by letter', async () => {
    await slack.run();
    const text = '<!channel> *b* :bomb: <@U1ADA> &amp; <https://evil.example|good>';
    await slack.ask({ kind: 'question', request: { question: text, options: [{ label: '<!here> :x:' }] } });
    const message = await slack.see(text);
    expect(slack.labels(message)).toEqual(['1. <!here> :x:']);
    expect(message.text).toBe(
      '&lt;!channel&gt; *b* : bomb: &lt;@U1ADA&gt; &amp;amp; &lt;https://evil.example|good&gt;',
    );
  });
});
