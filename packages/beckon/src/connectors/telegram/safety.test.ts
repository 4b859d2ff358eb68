import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { AskInput } from '../../protocol/interaction.ts';
import { ADA, CHAT, EVE, useTelegram } from '../../testing/harness/telegram/use-telegram.ts';
import { until } from '../../testing/suites/until.ts';
import { sealButton } from '../shared/button-data.ts';

const telegram = useTelegram();
const GROUP = -1005;
const approval = (changes: object = {}): AskInput =>
  ({ kind: 'approval', request: { tool: 'Bash', input: { command: 'ls' } }, ...changes }) as AskInput;

/** Returns when everything that was sent so far has been taken: updates are taken in order. */
async function whenTaken(): Promise<void> {
  const asked = telegram.server.say(CHAT, ADA, '/help');
  await until(() => expect(telegram.server.messages.some(({ replyTo }) => replyTo === asked)).toBe(true));
}

describe('only those on the list are heard', () => {
  test('a stranger is ignored, and reported once', async () => {
    await telegram.run();
    const { id } = await telegram.ask(approval());
    const message = await telegram.see('Allow Bash?');
    telegram.server.press(message, EVE, 'Allow');
    telegram.server.say(CHAT, EVE, 'yes');
    telegram.server.say(CHAT, EVE, 'yes', message.message_id);
    telegram.server.say(EVE.id, EVE, 'yes');
    telegram.server.say(EVE.id, EVE, '/start');
    telegram.server.say(EVE.id, ADA, 'yes');
    await whenTaken();
    expect(await telegram.beckon.get(id)).toMatchObject({ status: 'pending' });
    expect(telegram.strangers).toEqual([
      { chat: CHAT, user: EVE.id, name: 'Eve (6666)' },
      { chat: EVE.id, user: EVE.id, name: 'Eve (6666)' },
      { chat: EVE.id, user: ADA.id, name: '@ada' },
    ]);
    expect(telegram.server.messages.filter(({ chat }) => chat !== CHAT)).toEqual([]);
    expect(telegram.server.toasts.size).toBe(0);
  });

  test('in a group nobody may answer who was not named', async () => {
    await telegram.run({ chats: { team: GROUP, [CHAT]: CHAT }, users: [ADA.id] });
    const { id } = await telegram.beckon.ask(approval({ chatId: 'team' }));
    const message = await telegram.see('Allow Bash?');
    expect(message.chat).toBe(GROUP);
    telegram.server.press(message, EVE, 'Allow');
    await whenTaken();
    expect(await telegram.beckon.get(id)).toMatchObject({ status: 'pending' });
    telegram.server.press(message, ADA, 'Deny');
    expect(await telegram.beckon.wait(id)).toMatchObject({ answer: { decision: 'deny' } });
  });

  test('a text in one chat does not answer what is asked in another', async () => {
    await telegram.run({ chats: { team: GROUP, me: CHAT }, users: [ADA.id] });
    const { id } = await telegram.beckon.ask(approval({ chatId: 'team' }));
    await telegram.see('Allow Bash?');
    telegram.server.say(CHAT, ADA, 'yes');
    await whenTaken();
    expect(await telegram.beckon.get(id)).toMatchObject({ status: 'pending' });
    telegram.server.say(GROUP, ADA, 'yes');
    expect(await telegram.beckon.wait(id)).toMatchObject({ answer: { decision: 'allow' } });
  });

  test('what belongs to a chat that is not on the list is not shown', async () => {
    await telegram.run();
    await telegram.beckon.ask(approval({ chatId: '9999' }));
    await telegram.ask({ kind: 'question', request: { question: 'Mine?' } });
    await telegram.see('Mine?');
    expect(telegram.server.messages).toHaveLength(1);
  });
});

describe('a button that was not made for this place does nothing', () => {
  async function setUp() {
    await telegram.run({ chats: [CHAT, GROUP], users: [ADA.id] });
    const { id } = await telegram.ask(approval());
    const message = await telegram.see('Allow Bash?');
    const allow = message.buttons.find(({ text }) => text === 'Allow')!.data;
    return { id, message, allow };
  }

  test('forged data of any form is refused', async () => {
    const { id, message, allow } = await setUp();
    const [key = '', , mac = ''] = allow.split('.');
    const deny = message.buttons.find(({ text }) => text === 'Deny')!.data;
    const at = { key, chat: CHAT, interactionId: id, choice: 'allow' };
    const forged = [
      '',
      'allow',
      `${key}.allow`,
      `${key}.allow.`,
      `${key}.allow.${'A'.repeat(22)}`,
      `${key}.allow.${mac.slice(0, -1)}`,
      deny.replace('deny', 'allow'),
      `${'A'.repeat(12)}.allow.${mac}`,
      `${allow}.x`,
      `\u0000${allow}`,
      sealButton('another secret', at),
      sealButton(createHmac('sha256', 'x').digest(), at),
      'x'.repeat(64),
      '{"decision":"allow"}',
    ];
    for (const data of forged) {
      const press = telegram.server.pressData(CHAT, message.message_id, ADA, data);
      expect(await telegram.toast(press)).toBe('This button is not valid here.');
    }
    expect(await telegram.beckon.get(id)).toMatchObject({ status: 'pending' });
  });

  test('genuine data on another message, or in another chat, is refused', async () => {
    const { id, message, allow } = await setUp();
    await telegram.ask(approval({ request: { tool: 'Write' } }));
    const other = await telegram.see('Allow Write?');
    const presses = [
      telegram.server.pressData(CHAT, other.message_id, ADA, allow),
      telegram.server.pressData(GROUP, message.message_id, ADA, allow),
      telegram.server.pressData(CHAT, 424242, ADA, allow),
    ];
    for (const press of presses) expect(await telegram.toast(press)).toBe('This button is not valid here.');
    expect((await telegram.beckon.list({ status: 'pending' })).items).toHaveLength(2);
    telegram.server.pressData(CHAT, message.message_id, ADA, allow);
    expect(await telegram.beckon.wait(id)).toMatchObject({ answer: { decision: 'allow' } });
  });

  test('a replay after the end hears who answered, and changes nothing', async () => {
    const { id, message, allow } = await setUp();
    await telegram.toast(telegram.server.press(message, ADA, 'Deny'));
    await until(() => expect(message.buttons).toEqual([]));
    const replay = telegram.server.pressData(CHAT, message.message_id, ADA, allow);
    expect(await telegram.toast(replay)).toBe('Already denied by @ada in Telegram.');
    expect(await telegram.beckon.get(id)).toMatchObject({ answer: { decision: 'deny' } });
  });

  test('a mark that is replayed changes nothing', async () => {
    await telegram.run();
    const options = [{ label: 'a' }, { label: 'b' }];
    const { id } = await telegram.ask({
      kind: 'question',
      request: { question: 'Which?', options, multiSelect: true },
    });
    const message = await telegram.see('Which?');
    const { data } = message.buttons[0]!;
    for (let times = 0; times < 3; times += 1) {
      await telegram.toast(telegram.server.pressData(CHAT, message.message_id, ADA, data));
    }
    await until(() => expect(message.buttons.at(-1)?.text).toBe('Done (1)'));
    telegram.server.press(message, ADA, 'Done');
    expect(await telegram.beckon.wait(id)).toMatchObject({ answer: { selected: ['a'] } });
  });
});

describe('text of agents is data', () => {
  const HOSTILE = [
    '*bold* _italic_ `code` [link](http://evil.example) ||spoiler||',
    '<b>bold</b><a href="http://evil.example">here</a><tg-spoiler>x</tg-spoiler>',
    '[Ada](tg://user?id=1001)',
    '```\nunclosed',
    '\\_\\*\\[',
    '&lt;&amp;&#x202e;',
    'user\u202etxt.exe',
    '\u2066isolate\u2069',
    '\u001b[2J\u001b]8;;http://evil.example\u0007here\u0007',
    'null\u0000byte and \u009b31m',
    'zero\u200bwidth\ufeff',
    'half \ud800 pair',
    '\n\n\n',
    '\u2800',
  ];
  const HIDDEN = /(?![\n\t])\p{Cc}|[\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u;

  test.each(HOSTILE)('%j is shown as it is, in every place', async (text) => {
    await telegram.run();
    const option = { label: `l ${text}`, description: text, preview: text };
    const asks: AskInput[] = [
      { kind: 'question', askedBy: text, request: { question: `q ${text}`, header: text, options: [option] } },
      { kind: 'plan_review', request: { plan: text } },
      { kind: 'approval', request: { tool: `t ${text}`, input: { [text]: text }, description: text } },
      { kind: 'form', request: { message: text, schema: { type: 'object' } } },
    ];
    // A half of a pair is not JSON that every store keeps, so some of these are refused by Beckon itself.
    const asked = await Promise.all(asks.map((ask) => telegram.ask(ask).catch(() => null)));
    const shown = asked.filter((interaction) => interaction !== null);
    await until(() => expect(telegram.server.messages.length).toBeGreaterThanOrEqual(shown.length));
    for (const { id } of shown) await telegram.beckon.cancel({ id }, text);
    await until(() => {
      for (const message of telegram.server.messages) expect(message.text).toMatch(/Cancelled/);
    });
    for (const { text: seen, buttons, entities } of telegram.server.messages) {
      expect(seen).not.toMatch(HIDDEN);
      expect(buttons.map((button) => button.text).join('')).not.toMatch(HIDDEN);
      for (const { type } of entities) expect(['bold', 'pre']).toContain(type);
    }
    for (const { payload } of telegram.server.calls) expect(payload).not.toHaveProperty('parse_mode');
  });

  test('links are not fetched for a preview', async () => {
    await telegram.run();
    await telegram.ask({ kind: 'plan_review', request: { plan: 'see http://169.254.169.254/latest' } });
    await telegram.see('169.254');
    const sent = telegram.server.calls.find(({ method }) => method === 'sendMessage');
    expect(sent?.payload['link_preview_options']).toEqual({ is_disabled: true });
  });
});
