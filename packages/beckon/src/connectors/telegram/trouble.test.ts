import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { AskInput, Interaction } from '../../protocol/interaction.ts';
import { ADA, CHAT, useTelegram } from '../../testing/harness/telegram/use-telegram.ts';
import { createQuestion } from '../../testing/suites/samples.ts';
import { until } from '../../testing/suites/until.ts';
import { readEvents } from '../../testing/suites/use-beckons.ts';
import { createTelegramConnector } from './index.ts';
import type { TelegramOptions } from './settings.ts';

const telegram = useTelegram();
const QUESTION: AskInput = {
  kind: 'question',
  request: { question: 'Which?', options: [{ label: 'a' }, { label: 'b' }] },
};
const NOBODY = {
  answer: (): Promise<never> => Promise.reject(new Error('nobody answers here')),
  answerMany: (): Promise<never> => Promise.reject(new Error('nobody answers here')),
  answerGroup: (): Promise<never> => Promise.reject(new Error('nobody answers here')),
  get: (): Promise<null> => Promise.resolve(null),
  context: (): Promise<null> => Promise.resolve(null),
  say: (): Promise<null> => Promise.resolve(null),
};

describe('Telegram in trouble', () => {
  test('a 429 is waited out for as long as Telegram says', async () => {
    await telegram.run();
    telegram.server.prepare({ method: 'sendMessage', retryAfter: 1 }, { method: 'sendMessage', retryAfter: 1 });
    await telegram.ask(QUESTION);
    await telegram.see('Which?');
    expect(telegram.server.messages).toHaveLength(1);
  });

  test('a 429 on the last repaint is waited out as well', async () => {
    await telegram.run();
    const { id } = await telegram.ask(QUESTION);
    const message = await telegram.see('Which?');
    telegram.server.prepare({ method: 'editMessageText', retryAfter: 1 });
    await telegram.beckon.answer(id, { text: 'a' }, { who: 'dev@laptop', via: 'terminal' });
    await until(() => expect(message.text).toContain('Answered by dev@laptop in the terminal'));
  });

  test('what is settled while a 429 is waited out is not sent at all', async () => {
    const connector = createTelegramConnector(telegram.options());
    await connector.start(NOBODY);
    telegram.server.prepare({ method: 'sendMessage', retryAfter: 1 });
    const interaction: Interaction = {
      ...createQuestion({ chatId: String(CHAT) }),
      kind: 'plan_review',
      request: { plan: 'line\n'.repeat(1500), toolInput: {} },
    } as Interaction;
    const shown = connector.show(interaction);
    await connector.settle({ ...interaction, status: 'cancelled' } as Interaction);
    await shown;
    expect(telegram.server.messages.length).toBeLessThan(2);
    await connector.stop();
  });

  test.each([{ cut: true as const }, { status: 502 }])('a send is tried again after %j', async (fault) => {
    await telegram.run();
    telegram.server.prepare({ method: 'sendMessage', ...fault }, { method: 'sendMessage', ...fault });
    const { id } = await telegram.ask(QUESTION);
    telegram.server.press(await telegram.see('Which?'), ADA, '1. a');
    expect(await telegram.beckon.wait(id)).toMatchObject({ answer: { text: 'a' } });
  });

  test('a send whose reply was lost leaves a second copy, which works and is closed too', async () => {
    await telegram.run();
    telegram.server.prepare({ method: 'sendMessage', lost: true });
    const { id } = await telegram.ask(QUESTION);
    await until(() => expect(telegram.server.messages).toHaveLength(2));
    telegram.server.press(telegram.server.messages[0]!, ADA, '2. b');
    expect(await telegram.beckon.wait(id)).toMatchObject({ answer: { text: 'b' } });
    await until(() => {
      for (const { text, buttons } of telegram.server.messages) {
        expect(text).toContain('Answered by @ada in Telegram: b');
        expect(buttons).toEqual([]);
      }
    });
  });

  test('a send that fails rejects immediately, for the coordinator to retry, and no error has the token in it', async () => {
    const connector = createTelegramConnector(telegram.options());
    await connector.start(NOBODY);
    telegram.server.prepare({ method: 'sendMessage', cut: true }, { method: 'sendMessage', status: 502 });
    const question = createQuestion({ chatId: String(CHAT) });
    const lost = await connector.show(question).catch((error: unknown) => error);
    expect(lost).toMatchObject({ code: 'unreachable', message: expect.stringContaining('sendMessage') });
    const failed = await connector.show(question).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: 'unreachable', message: expect.stringContaining('502') });
    telegram.server.prepare({ method: 'sendMessage', status: 403 });
    const refused = await connector.prompt(String(CHAT), 'hello').catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'invalid_input', message: expect.stringContaining('403') });
    for (const error of [lost, failed, refused, ...telegram.errors])
      expect(inspectAll(error)).not.toContain('AAFakeToken');
    await connector.stop();
  });

  test.each([{ cut: true as const }, { status: 502 }])('a reply to a text is tried again after %j', async (fault) => {
    await telegram.run();
    telegram.server.prepare({ method: 'sendMessage', ...fault }, { method: 'sendMessage', ...fault });
    telegram.server.say(CHAT, ADA, '/help');
    await telegram.see('Agents ask you here.');
    expect(telegram.errors).toEqual([]);
  });

  test('a start is tried again after a lost connection', async () => {
    telegram.server.prepare({ method: 'getMe', cut: true }, { method: 'getMe', status: 502 });
    await telegram.run();
    await telegram.ask(QUESTION);
    expect(await telegram.see('Which?')).toMatchObject({ buttons: [{ text: '1. a' }, { text: '2. b' }] });
  });

  test('a show that failed half-way goes on where it was', async () => {
    const connector = createTelegramConnector(telegram.options());
    await connector.start(NOBODY);
    const plan = { plan: 'line\n'.repeat(1500), toolInput: {} };
    const interaction = {
      ...createQuestion({ chatId: String(CHAT) }),
      kind: 'plan_review',
      request: plan,
    } as Interaction;
    telegram.server.prepare({ method: 'sendMessage', retryAfter: 0 }, { method: 'sendMessage', status: 400 });
    await expect(connector.show(interaction)).rejects.toMatchObject({ code: 'invalid_input' });
    await connector.show(interaction);
    await connector.show(interaction);
    expect(
      telegram.server.messages
        .map(({ text }) => text)
        .join('')
        .match(/line/g),
    ).toHaveLength(1500);
    await connector.stop();
  });

  test('polling goes on by itself after lost connections, and a text that came meanwhile is heard', async () => {
    await telegram.run();
    const { id } = await telegram.ask(QUESTION);
    await telegram.see('Which?');
    telegram.server.prepare({ method: 'getUpdates', cut: true }, { method: 'getUpdates', status: 502 });
    telegram.server.prepare({ method: 'getUpdates', status: 409 }, { method: 'getUpdates', retryAfter: 0 });
    telegram.server.cutConnections();
    telegram.server.say(CHAT, ADA, 'a');
    expect(await telegram.beckon.wait(id)).toMatchObject({ answer: { text: 'a' } });
    expect(telegram.errors.length).toBeGreaterThan(0);
  });

  test('a text that comes late is no consent to what was asked after it was written', async () => {
    await telegram.run();
    const old = await telegram.ask(QUESTION);
    await telegram.see('Which?');
    telegram.server.failPolls(true);
    telegram.server.cutConnections();
    telegram.server.say(CHAT, ADA, 'yes');
    await telegram.beckon.cancel({ id: old.id });
    const { id } = await telegram.ask({ kind: 'approval', request: { tool: 'Bash' } });
    await telegram.see('Allow Bash?');
    telegram.server.failPolls(false);
    await telegram.see('Something was asked after you wrote this, so it was not used.');
    expect(await telegram.beckon.get(id)).toMatchObject({ status: 'pending' });
    telegram.server.say(CHAT, ADA, 'yes');
    expect(await telegram.beckon.wait(id)).toMatchObject({ answer: { decision: 'allow' } });
  });

  test('what was asked while Telegram could not be reached is shown when it can, and can be answered', async () => {
    await telegram.run();
    telegram.server.failSends(Number.POSITIVE_INFINITY);
    const { id } = await telegram.ask(QUESTION);
    await readEvents(telegram.beckon, ({ type }) => type === 'interaction.undeliverable');
    expect(telegram.server.messages).toEqual([]);
    telegram.server.failSends(0);
    telegram.server.press(await telegram.see('Which?'), ADA, '1. a');
    expect(await telegram.beckon.wait(id)).toMatchObject({ answer: { text: 'a' } });
    expect(telegram.server.messages).toHaveLength(1);
  });

  test('a person may press before the reply to the send has arrived', async () => {
    await telegram.run();
    const reply = Promise.withResolvers<void>();
    telegram.server.prepare({ method: 'sendMessage', hold: reply.promise });
    const { id } = await telegram.ask(QUESTION);
    telegram.server.press(await telegram.see('Which?'), ADA, '1. a');
    await until(() => expect(telegram.server.handedOut).toBeGreaterThan(0));
    reply.resolve();
    expect(await telegram.beckon.wait(id)).toMatchObject({ answer: { text: 'a' } });
  });

  test('a plain text is taken only after Telegram knows that it must not come again', async () => {
    const connector = createTelegramConnector(telegram.options());
    const said: [string, number][] = [];
    const say = (_: string, text: string): Promise<null> => {
      said.push([text, telegram.server.waiting]);
      return Promise.resolve(null);
    };
    await connector.start({ ...NOBODY, say });
    await until(() => expect(telegram.server.polls).toBeGreaterThan(1));
    telegram.server.say(CHAT, ADA, 'yes');
    await until(() => expect(said).toEqual([['yes', 0]]));
    await connector.stop();
  });

  test('a text whose confirmation got no reply is taken: Telegram will not send it again', async () => {
    await telegram.run();
    const { id } = await telegram.ask(QUESTION);
    await telegram.see('Which?');
    telegram.server.prepare({ method: 'getUpdates', lost: true });
    telegram.server.say(CHAT, ADA, 'a');
    expect(await telegram.beckon.wait(id, { timeout: '20s' })).toMatchObject({ answer: { text: 'a' } });
  });

  test('a token that Telegram refuses is told at the start', async () => {
    const connector = createTelegramConnector(telegram.options({ token: '1:wrong-wrong-wrong' }));
    await expect(connector.start(NOBODY)).rejects.toThrow(
      'Telegram refused getMe: Unauthorized (401). Is the token right?',
    );
  });

  test('it stops while a poll waits, and while a 429 is waited out', async () => {
    const connector = createTelegramConnector(telegram.options());
    await connector.start(NOBODY);
    telegram.server.prepare({ method: 'sendMessage', retryAfter: 3600 });
    const shown = connector.show(createQuestion({ chatId: String(CHAT) })).catch((error: unknown) => error);
    await until(() => expect(telegram.server.polls).toBeGreaterThan(1));
    await connector.stop();
    expect(await shown).toMatchObject({ code: 'closed' });
    await expect(connector.prompt(String(CHAT), 'x')).rejects.toMatchObject({ code: 'closed' });
  });
});

describe('after a restart', () => {
  test('what is pending is repainted, its marks are kept, and its old buttons work', async () => {
    const { stateFile } = telegram;
    const first = await telegram.run({ stateFile });
    const request = { question: 'Which?', options: [{ label: 'a' }, { label: 'b' }], multiSelect: true };
    const { id } = await telegram.ask({ kind: 'question', request });
    const message = await telegram.see('Which?');
    telegram.server.press(message, ADA, '2. b');
    await until(() => expect(message.buttons.at(-1)?.text).toBe('Done (1)'));
    await first.stop();
    await telegram.run({ stateFile });
    await until(() => expect(telegram.server.calls.at(-1)?.method).toBe('editMessageText'));
    expect(telegram.server.messages).toHaveLength(1);
    telegram.server.press(message, ADA, 'Done');
    expect(await telegram.beckon.wait(id)).toMatchObject({ answer: { selected: ['b'] } });
    await until(() => expect(message.text).toContain('Answered by @ada in Telegram: b'));
    expect(telegram.server.messages).toHaveLength(1);
    expect(statSync(stateFile).mode & 0o777).toBe(0o600);
    expect(readFileSync(stateFile, 'utf8')).not.toContain('AAFakeToken');
  });

  test('without a state file one fresh message comes, and the old buttons are refused', async () => {
    const first = await telegram.run();
    const { id } = await telegram.ask(QUESTION);
    const old = await telegram.see('Which?');
    await first.stop();
    await telegram.run();
    await until(() => expect(telegram.server.messages).toHaveLength(2));
    expect(await telegram.toast(telegram.server.press(old, ADA, '1. a'))).toBe('This button is not valid here.');
    telegram.server.press(telegram.server.messages[1]!, ADA, '1. a');
    expect(await telegram.beckon.wait(id)).toMatchObject({ answer: { text: 'a' } });
  });

  test('a message that the person deleted is sent again', async () => {
    const { stateFile } = telegram;
    const first = await telegram.run({ stateFile });
    await telegram.ask(QUESTION);
    const message = await telegram.see('Which?');
    await first.stop();
    telegram.server.remove(message);
    await telegram.run({ stateFile });
    await telegram.see('Which?');
    expect(telegram.server.messages).toHaveLength(1);
  });

  test('a press that had waited counts, and a text that had waited is asked for again', async () => {
    const { stateFile } = telegram;
    const first = await telegram.run({ stateFile });
    const pressed = await telegram.ask(QUESTION);
    const message = await telegram.see('Which?');
    await first.stop();
    telegram.server.press(message, ADA, '1. a');
    const { id } = await telegram.ask({ kind: 'approval', request: { tool: 'Bash' } });
    telegram.server.say(CHAT, ADA, 'yes');
    await telegram.run({ stateFile });
    await telegram.see('Beckon was away when you wrote this. Please send it again.');
    expect(await telegram.beckon.get(id)).toMatchObject({ status: 'pending' });
    expect(await telegram.beckon.wait(pressed.id)).toMatchObject({ answer: { text: 'a' } });
    await until(() => expect(message.text).toContain('Answered by @ada in Telegram: a'));
  });

  test('what was settled meanwhile is repainted, and a press of its old button hears who won', async () => {
    const { stateFile } = telegram;
    const first = await telegram.run({ stateFile });
    const { id } = await telegram.ask(QUESTION);
    const message = await telegram.see('Which?');
    const data = message.buttons[0]?.data ?? '';
    await first.stop();
    await telegram.beckon.answer(id, { text: 'b' }, { who: 'dev@laptop', via: 'terminal' });
    await telegram.run({ stateFile });
    await until(() => expect(message.text).toContain('Answered by dev@laptop in the terminal: b'));
    expect(message.buttons).toEqual([]);
    const press = telegram.server.pressData(CHAT, message.message_id, ADA, data);
    expect(await telegram.toast(press)).toBe('Already answered by dev@laptop in the terminal: b');
  });

  test('what was settled before a connector started that nobody tells is closed when somebody presses it', async () => {
    const { stateFile, beckon } = telegram;
    const first = await telegram.run({ stateFile });
    const { id } = await telegram.ask(QUESTION);
    const message = await telegram.see('Which?');
    await first.stop();
    await beckon.answer(id, { text: 'b' }, { who: 'dev@laptop', via: 'terminal' });
    const connector = createTelegramConnector(telegram.options({ stateFile }));
    await connector.start({
      ...NOBODY,
      answer: (about, answer, who) => beckon.answer(about, answer, { who, via: 'telegram' }),
    });
    const press = telegram.server.press(message, ADA, '1. a');
    expect(await telegram.toast(press)).toBe('Already answered by dev@laptop in the terminal: b');
    await until(() => expect(message.text).toContain('Answered by dev@laptop in the terminal: b'));
    expect(message.buttons).toEqual([]);
    await connector.stop();
  });

  test('a reply to a message that nobody knows any more answers nothing else', async () => {
    const first = await telegram.run();
    const old = await telegram.ask(QUESTION);
    const message = await telegram.see('Which?');
    await first.stop();
    await telegram.beckon.cancel({ id: old.id });
    await telegram.run();
    const { id } = await telegram.ask({ kind: 'approval', request: { tool: 'Bash' } });
    await telegram.see('Allow Bash?');
    telegram.server.say(CHAT, ADA, 'yes', message.message_id);
    await telegram.see('Beckon no longer knows that message.');
    expect(await telegram.beckon.get(id)).toMatchObject({ status: 'pending' });
  });

  test('a file of an earlier version is read', async () => {
    const { stateFile } = telegram;
    const shown = { id: 'int_1', chat: CHAT, key: 'abcdefghijkl', kind: 'approval', labels: [], isClosed: false };
    const copies = [{ ...shown, messages: [7], strays: [], mayHaveStrays: false, chosen: [] }];
    writeFileSync(stateFile, JSON.stringify({ beckonTelegram: 1, copies }));
    const connector = createTelegramConnector(telegram.options({ stateFile }));
    await connector.start(NOBODY);
    expect(connector.listOpen?.()).toEqual(['int_1']);
    await connector.stop();
  });

  test('a file that is not its own is left alone', async () => {
    const { stateFile } = telegram;
    for (const text of ['precious', '{}', '{"beckonTelegram":1,"copies":[{"id":1}]}']) {
      writeFileSync(stateFile, text);
      const connector = createTelegramConnector(telegram.options({ stateFile }));
      await expect(connector.start(NOBODY)).rejects.toMatchObject({ code: 'invalid_input' });
      expect(readFileSync(stateFile, 'utf8')).toBe(text);
    }
    expect(existsSync(`${stateFile}.${process.pid}.new`)).toBe(false);
  });
});

test.each<[Partial<TelegramOptions>, string]>([
  [{ token: '' }, 'token: expected a bot token'],
  [{ token: 'secret\nsecret' }, 'token: expected a bot token'],
  [{ chats: [] }, 'chats: expected at least one chat'],
  [{ chats: ['me'] }, 'chats: expected the number of a Telegram chat or person, got "me"'],
  [{ chats: [0] }, 'chats: expected the number'],
  [{ chats: { a: 1, b: 1 } }, 'chats: expected each Telegram chat once'],
  [{ users: ['@ada'] }, 'users: expected the number of a Telegram chat or person, got "@ada"'],
])('options %j are refused', (changes, problem) => {
  expect(() => createTelegramConnector(telegram.options(changes))).toThrow(`Invalid Telegram options: ${problem}`);
});

function inspectAll(error: unknown): string {
  const seen = error as Error & { cause?: unknown };
  return `${seen.message} ${seen.stack} ${JSON.stringify(seen)} ${seen.cause === undefined ? '' : inspectAll(seen.cause)}`;
}
