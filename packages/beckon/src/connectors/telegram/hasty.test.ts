import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { AskInput, Interaction } from '../../protocol/interaction.ts';
import type { Person } from '../../testing/harness/telegram/bot-api.ts';
import { ADA, CHAT, useTelegram } from '../../testing/harness/telegram/use-telegram.ts';
import { until } from '../../testing/suites/until.ts';

const telegram = useTelegram();
const BOB: Person = { id: 2002, first_name: 'Bob', username: 'bob' };
const TOO_SOON = /^This came too soon after another press, or after the message/;
const MOMENT_MS = 1000;

const approve = (tool: string): Promise<Interaction> => telegram.ask({ kind: 'approval', request: { tool } });
const SEVERAL: AskInput = {
  kind: 'question',
  request: { question: 'Which?', options: [{ label: 'a' }, { label: 'b' }], multiSelect: true },
};

async function expectPending(...interactions: Interaction[]): Promise<void> {
  for (const { id } of interactions) expect(await telegram.beckon.get(id)).toMatchObject({ status: 'pending' });
}

/** Returns when everything that was sent so far has been taken: updates are taken in order. */
async function whenTaken(): Promise<void> {
  const asked = telegram.server.say(CHAT, ADA, '/help');
  await until(() => expect(telegram.server.messages.some(({ replyTo }) => replyTo === asked)).toBe(true));
}

describe('a finger that is hasty', () => {
  test('presses twice: the second press is a repeat, and touches nothing else', async () => {
    await telegram.run();
    const first = await approve('Bash');
    const second = await approve('Write');
    const message = await telegram.see('Allow Bash?');
    await telegram.see('Allow Write?');
    const presses = [telegram.server.press(message, ADA, 'Allow'), telegram.server.press(message, ADA, 'Allow')];
    for (const press of presses) expect(await telegram.toast(press)).toBe('Response received.');
    expect(await telegram.beckon.get(first.id)).toMatchObject({ answer: { decision: 'allow' } });
    await expectPending(second);
  });

  test('presses the message that has just come under it: nothing is decided, and a press after a moment is', async () => {
    await telegram.run({ momentMs: MOMENT_MS });
    const asked = await approve('Bash');
    const message = await telegram.see('Allow Bash?');
    expect(await telegram.toast(telegram.server.press(message, ADA, 'Allow'))).toMatch(TOO_SOON);
    await expectPending(asked);
    await sleep(MOMENT_MS);
    expect(await telegram.toast(telegram.server.press(message, ADA, 'Allow'))).toBe('Response received.');
  });

  test('presses twice, and the second press falls on another message: that one is not decided', async () => {
    await telegram.run({ momentMs: MOMENT_MS });
    const first = await approve('Bash');
    const second = await approve('Write');
    const [one, other] = [await telegram.see('Allow Bash?'), await telegram.see('Allow Write?')];
    await sleep(MOMENT_MS + 200);
    telegram.server.press(one, ADA, 'Allow');
    expect(await telegram.toast(telegram.server.press(other, ADA, 'Allow'))).toMatch(TOO_SOON);
    expect(await telegram.beckon.wait(first.id)).toMatchObject({ answer: { decision: 'allow' } });
    await expectPending(second);
    // Of somebody else it is no second press.
    await sleep(MOMENT_MS + 200);
    telegram.server.press(other, ADA, 'Deny');
    expect(await telegram.beckon.wait(second.id)).toMatchObject({ answer: { decision: 'deny' } });
  });

  test('of two people at once each decides about their own message', async () => {
    await telegram.run({ momentMs: MOMENT_MS, users: [ADA.id, BOB.id] });
    const asked = [await approve('Bash'), await approve('Write')];
    const [one, other] = [await telegram.see('Allow Bash?'), await telegram.see('Allow Write?')];
    await sleep(MOMENT_MS + 200);
    telegram.server.press(one, ADA, 'Allow');
    telegram.server.press(other, BOB, 'Deny');
    const settled = await Promise.all(asked.map(({ id }) => telegram.beckon.wait(id)));
    expect(settled).toMatchObject([{ answer: { decision: 'allow' } }, { answer: { decision: 'deny' } }]);
  });

  test('of two people on one message the first wins, and the other hears who did', async () => {
    await telegram.run({ users: [ADA.id, BOB.id] });
    const asked = await approve('Bash');
    const message = await telegram.see('Allow Bash?');
    const allow = message.buttons.find(({ text }) => text === 'Allow')!.data;
    telegram.server.press(message, ADA, 'Deny');
    const late = telegram.server.pressData(CHAT, message.message_id, BOB, allow);
    expect(await telegram.toast(late)).toMatch(/^Already denied by @ada/);
    expect(await telegram.beckon.get(asked.id)).toMatchObject({ answer: { decision: 'deny' } });
  });
});

describe('"Done" sends the marks that it was shown with, and no others', () => {
  test('a mark that came in between is told, and what was shown again is sent', async () => {
    await telegram.run({ users: [ADA.id, BOB.id] });
    const { id } = await telegram.ask(SEVERAL);
    const message = await telegram.see('Which?');
    telegram.server.press(message, ADA, '1. a');
    await until(() => expect(message.buttons.at(-1)?.text).toBe('Done (1)'));
    const done = message.buttons.at(-1)!.data;
    telegram.server.press(message, BOB, '2. b');
    const press = telegram.server.pressData(CHAT, message.message_id, ADA, done);
    expect(await telegram.toast(press)).toMatch(/^The marks have changed, so this was not sent/);
    expect(await telegram.beckon.get(id)).toMatchObject({ status: 'pending' });
    await until(() => expect(message.buttons.at(-1)?.text).toBe('Done (2)'));
    telegram.server.press(message, ADA, 'Done');
    expect(await telegram.beckon.wait(id)).toMatchObject({ answer: { selected: ['a', 'b'] } });
  });

  test('a "Done" of an older face does nothing, and one of a face that came back counts', async () => {
    await telegram.run();
    const { id } = await telegram.ask(SEVERAL);
    const message = await telegram.see('Which?');
    const none = message.buttons.at(-1)!.data;
    telegram.server.press(message, ADA, '2. b');
    await until(() => expect(message.buttons.at(-1)?.text).toBe('Done (1)'));
    const withB = message.buttons.at(-1)!.data;
    expect(await telegram.toast(telegram.server.pressData(CHAT, message.message_id, ADA, none))).toMatch(/^The marks/);
    telegram.server.press(message, ADA, '1. a');
    await until(() => expect(message.buttons.at(-1)?.text).toBe('Done (2)'));
    expect(await telegram.toast(telegram.server.pressData(CHAT, message.message_id, ADA, withB))).toMatch(/^The marks/);
    telegram.server.press(message, ADA, '1. a');
    await until(() => expect(message.buttons.at(-1)?.text).toBe('Done (1)'));
    telegram.server.pressData(CHAT, message.message_id, ADA, withB);
    expect(await telegram.beckon.wait(id)).toMatchObject({ answer: { selected: ['b'] } });
  });

  test('pressed while Beckon was away it counts only for the marks that were shown', async () => {
    const { stateFile } = telegram;
    const first = await telegram.run({ stateFile });
    const { id } = await telegram.ask(SEVERAL);
    const message = await telegram.see('Which?');
    telegram.server.press(message, ADA, '1. a');
    await until(() => expect(message.buttons.at(-1)?.text).toBe('Done (1)'));
    await first.stop();
    // The mark is taken before the press that was made on the face without it.
    telegram.server.press(message, ADA, '2. b');
    const press = telegram.server.press(message, ADA, 'Done');
    await telegram.run({ stateFile, momentMs: MOMENT_MS });
    expect(await telegram.toast(press)).toMatch(/^The marks have changed/);
    expect(await telegram.beckon.get(id)).toMatchObject({ status: 'pending' });
  });

  test('a mark that comes after the end, and an old "Done", hear that it is settled', async () => {
    await telegram.run();
    const { id } = await telegram.ask(SEVERAL);
    const message = await telegram.see('Which?');
    const [mark, , done] = message.buttons.map(({ data }) => data);
    await telegram.beckon.answer(id, { selected: ['b'] }, { who: 'bob', via: 'inbox' });
    await until(() => expect(message.buttons).toEqual([]));
    for (const data of [mark!, done!]) {
      const press = telegram.server.pressData(CHAT, message.message_id, ADA, data);
      expect(await telegram.toast(press)).toMatch(/^Already answered/);
    }
    expect(await telegram.beckon.get(id)).toMatchObject({ answer: { selected: ['b'] } });
  });
});

describe('a text is the words of who sends it, at the time', () => {
  test.each([
    ['forwarded', { forward_origin: { type: 'user', date: 1, sender_user: BOB } }],
    ['written by a bot', { via_bot: { id: 7, is_bot: true, first_name: 'Gif' } }],
    ['scheduled', { is_from_offline: true }],
  ])('one that was %s answers nothing', async (_, more) => {
    await telegram.run();
    const asked = await approve('Bash');
    const message = await telegram.see('Allow Bash?');
    telegram.server.say(CHAT, ADA, 'yes', undefined, more);
    await telegram.see('is not used. Please write it yourself.');
    telegram.server.say(CHAT, ADA, 'yes', message.message_id, more);
    await whenTaken();
    await expectPending(asked);
  });

  test('a message that is changed to "yes" afterwards answers nothing', async () => {
    await telegram.run();
    const asked = await approve('Bash');
    await telegram.see('Allow Bash?');
    const edited = {
      message_id: 1,
      date: 1,
      edit_date: 2,
      chat: { id: CHAT, type: 'private' },
      from: ADA,
      text: 'yes',
    };
    telegram.server.deliver({ edited_message: edited });
    await whenTaken();
    await expectPending(asked);
  });

  test('a text that Telegram gives twice is taken once', async () => {
    await telegram.run();
    const first = await telegram.ask({ kind: 'question', request: { question: 'Why?' } });
    await telegram.see('Why?');
    const number = telegram.server.say(CHAT, ADA, 'because');
    await telegram.beckon.wait(first.id);
    const second = await telegram.ask({ kind: 'question', request: { question: 'Who?' } });
    await telegram.see('Who?');
    const again = { message_id: number, date: 1, chat: { id: CHAT, type: 'private' }, from: ADA, text: 'because' };
    telegram.server.deliver({ message: again });
    await whenTaken();
    await expectPending(second);
  });

  test('a reply to a message that is settled answers nothing else', async () => {
    await telegram.run();
    const first = await approve('Bash');
    const message = await telegram.see('Allow Bash?');
    telegram.server.press(message, ADA, 'Deny');
    await telegram.beckon.wait(first.id);
    const second = await approve('Write');
    await telegram.see('Allow Write?');
    telegram.server.say(CHAT, ADA, 'yes', message.message_id);
    await telegram.see('Already denied');
    await expectPending(second);
    expect(await telegram.beckon.get(first.id)).toMatchObject({ answer: { decision: 'deny' } });
  });

  test('"yes" twice with an approval asked in between allows one', async () => {
    await telegram.run();
    const first = await approve('Bash');
    await telegram.see('Allow Bash?');
    telegram.server.say(CHAT, ADA, 'yes');
    await telegram.beckon.wait(first.id);
    const second = await approve('Write');
    await telegram.see('Allow Write?');
    telegram.server.say(CHAT, ADA, 'yes');
    await telegram.see('You sent "yes" a moment ago');
    await expectPending(second);
  });

  test('"yes" and "1", sent before the list of numbers could be read, choose nothing', async () => {
    await telegram.run();
    const asked = [await approve('Bash'), await approve('Write')];
    await telegram.see('Allow Write?');
    telegram.server.say(CHAT, ADA, 'yes');
    telegram.server.say(CHAT, ADA, '1');
    await telegram.see('The number 1 came before you could read the list');
    await expectPending(...asked);
    telegram.server.say(CHAT, ADA, '1');
    expect(await telegram.beckon.wait(asked[0]!.id)).toMatchObject({ answer: { decision: 'allow' } });
    await expectPending(asked[1]!);
  });

  test('with an approval and a form open "yes" is asked about, and the form says that it takes no text', async () => {
    await telegram.run();
    const form: AskInput = { kind: 'form', request: { message: 'Who?', schema: { type: 'object' } } };
    const asked = [await approve('Bash'), await telegram.ask(form)];
    await telegram.see('Who?');
    telegram.server.say(CHAT, ADA, 'yes');
    await telegram.see('2. Who? (cannot be answered by a text)');
    await expectPending(...asked);
  });
});
