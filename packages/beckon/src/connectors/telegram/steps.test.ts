import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { AskInput, Interaction } from '../../protocol/interaction.ts';
import type { SeenMessage } from '../../testing/harness/telegram/bot-api.ts';
import { ADA, CHAT, useTelegram } from '../../testing/harness/telegram/use-telegram.ts';
import { until } from '../../testing/suites/until.ts';

const telegram = useTelegram();
const PAGE = { who: 'ada', via: 'inbox' };
const MOMENT_MS = 600;
const NOT_USED = 'Something was asked after you wrote this, so it was not used.';

function question(header: string, ...labels: string[]): AskInput {
  const options = labels.map((label) => ({ label }));
  return { kind: 'question', chatId: String(CHAT), request: { question: `Which ${header}?`, header, options } };
}

const STEPS = [question('database', 'SQLite', 'Postgres'), question('region', 'eu', 'us'), question('name')];

async function askSteps(inputs: readonly AskInput[] = STEPS): Promise<[Interaction, Interaction, Interaction]> {
  const asked = await telegram.beckon.askGroup(inputs);
  return asked as unknown as [Interaction, Interaction, Interaction];
}

/** The only message of the chat, when it shows a step. */
function seeStep(step: string): Promise<SeenMessage> {
  return until(() => {
    const [message, ...others] = telegram.server.messages.filter(({ replyTo }) => replyTo === undefined);
    expect(others).toEqual([]);
    expect(message?.text).toContain(`· ${step}`);
    return message as SeenMessage;
  });
}

async function expectPending(...interactions: Interaction[]): Promise<void> {
  for (const { id } of interactions) expect(await telegram.beckon.get(id)).toMatchObject({ status: 'pending' });
}

describe('the questions of one call are one message', () => {
  test('which moves on by itself, with what was answered so far', async () => {
    await telegram.run();
    const [first, second, third] = await askSteps();
    const message = await seeStep('1 of 3');
    expect(message.text).toContain('Which database?');
    telegram.server.press(message, ADA, 'SQLite');
    await seeStep('2 of 3');
    expect(message.text).toMatch(/^region · 2 of 3\n.*\n✓ database: SQLite\n\nWhich region\?/);
    expect(message.buttons.map(({ text }) => text)).toEqual(['1. eu', '2. us']);
    telegram.server.press(message, ADA, 'us');
    await seeStep('3 of 3');
    expect(message.text).toContain('✓ database: SQLite\n✓ region: us\n\nWhich name?');
    telegram.server.say(CHAT, ADA, 'beckon');
    await until(() => expect(message.text).toMatch(/✓ region: us\n[^]*✓ Answered by @ada in Telegram: beckon$/));
    const settled = await Promise.all([first, second, third].map(({ id }) => telegram.beckon.wait(id)));
    expect(settled.map(({ answer }) => answer)).toMatchObject([{ text: 'SQLite' }, { text: 'us' }, { text: 'beckon' }]);
    expect(telegram.errors).toEqual([]);
  });

  test('a step that was answered elsewhere is passed over, and a whole answer closes the message', async () => {
    await telegram.run();
    const [first, second, third] = await askSteps();
    const message = await seeStep('1 of 3');
    await telegram.beckon.answer(second.id, { text: 'us' }, PAGE);
    telegram.server.press(message, ADA, 'Postgres');
    await seeStep('3 of 3');
    expect(message.text).toContain('✓ database: Postgres\n✓ region: us\n');
    await telegram.beckon.answer(third.id, { text: 'x' }, PAGE);
    await until(() => expect(message.text).toContain('Answered by ada in the inbox: x'));

    const again = await askSteps();
    const other = await telegram.see('1 of 3');
    expect(other).not.toBe(message);
    const answers = again.map(({ id }) => ({ id, answer: { text: 'all' } }));
    await telegram.beckon.answerGroup(again[0].groupId!, answers, PAGE);
    await until(() => expect(other.text).toContain('Answered by ada in the inbox: all'));
    expect(other).toMatchObject({ text: expect.stringContaining('1 of 3'), buttons: [] });
    expect(await telegram.beckon.get(first.id)).toMatchObject({ answer: { text: 'Postgres' } });
  });

  test('goes on after a restart at the step that is open, whatever was answered meanwhile', async () => {
    const { stateFile } = telegram;
    const before = await telegram.run({ stateFile });
    const [, second] = await askSteps();
    const message = await seeStep('1 of 3');
    telegram.server.press(message, ADA, 'SQLite');
    await seeStep('2 of 3');
    await before.stop();
    await telegram.beckon.answer(second.id, { text: 'us' }, PAGE);
    await telegram.run({ stateFile });
    await seeStep('3 of 3');
    expect(message.text).toContain('✓ database: SQLite\n✓ region: us\n\nWhich name?');
  });

  test('a message that was deleted is sent again for the next step', async () => {
    await telegram.run();
    const [first] = await askSteps();
    telegram.server.remove(await seeStep('1 of 3'));
    await telegram.beckon.answer(first.id, { text: 'SQLite' }, PAGE);
    expect(await seeStep('2 of 3')).toMatchObject({ buttons: [{ text: '1. eu' }, { text: '2. us' }] });
  });

  test('a step that needs several messages is sent below the others', async () => {
    await telegram.run();
    const long: AskInput = { kind: 'question', chatId: String(CHAT), request: { question: 'Why? '.repeat(1200) } };
    await askSteps([STEPS[0]!, long, STEPS[2]!]);
    telegram.server.press(await seeStep('1 of 3'), ADA, 'SQLite');
    await telegram.see('2 of 3');
    await until(() => expect(telegram.server.messages.length).toBeGreaterThan(2));
    expect(telegram.server.messages[0]?.text).toContain('Answered by @ada');
  });
});

describe('what was meant for one step never answers the next', () => {
  test('a button of an earlier step hears that it is answered', async () => {
    await telegram.run();
    const [, second] = await askSteps();
    const message = await seeStep('1 of 3');
    const [sqlite, postgres] = message.buttons.map(({ data }) => data);
    telegram.server.press(message, ADA, 'SQLite');
    await seeStep('2 of 3');
    for (const data of [sqlite!, postgres!]) {
      const press = telegram.server.pressData(CHAT, message.message_id, ADA, data);
      expect(await telegram.toast(press)).toMatch(/^(Response received|Already answered by @ada)/);
    }
    await expectPending(second);
    expect(message.text).toContain('2 of 3');
    expect(message.buttons).toHaveLength(2);
  });

  test('a second tap on the place where the next step has appeared decides nothing', async () => {
    await telegram.run({ momentMs: MOMENT_MS });
    const [, second] = await askSteps();
    const message = await seeStep('1 of 3');
    await sleep(MOMENT_MS + 100);
    telegram.server.press(message, ADA, 'SQLite');
    await seeStep('2 of 3');
    expect(await telegram.toast(telegram.server.press(message, ADA, 'eu'))).toMatch(/^This came too soon/);
    await expectPending(second);
    await sleep(MOMENT_MS + 100);
    telegram.server.press(message, ADA, 'eu');
    expect(await telegram.beckon.wait(second.id)).toMatchObject({ answer: { text: 'eu' } });
  });

  test.each([
    ['a text', false],
    ['a reply to the message', true],
  ])('%s that was written before the step appeared is not used', async (_, isReply) => {
    await telegram.run();
    const [first, second] = await askSteps();
    const message = await seeStep('1 of 3');
    const date = Math.floor(Date.now() / 1000) - 5;
    await telegram.beckon.answer(first.id, { text: 'SQLite' }, PAGE);
    await seeStep('2 of 3');
    telegram.server.say(CHAT, ADA, 'Postgres', isReply ? message.message_id : undefined, { date });
    await telegram.see(NOT_USED);
    await expectPending(second);
    telegram.server.say(CHAT, ADA, 'eu', isReply ? message.message_id : undefined);
    expect(await telegram.beckon.wait(second.id)).toMatchObject({ answer: { text: 'eu' } });
  });

  test('a text that comes in the moment in which the step appears is not used', async () => {
    await telegram.run({ momentMs: MOMENT_MS });
    const [first, second] = await askSteps();
    await seeStep('1 of 3');
    await telegram.beckon.answer(first.id, { text: 'SQLite' }, PAGE);
    await seeStep('2 of 3');
    telegram.server.say(CHAT, ADA, 'Postgres');
    await telegram.see(NOT_USED);
    await expectPending(second);
  });
});

describe('what surrounds a request is shown with it', () => {
  test('where it comes from, what it does, why, and how a file changes', async () => {
    await telegram.run();
    const path = '/home/ada/webshop/src/total.ts';
    const before = ['one', 'two', 'three', 'four', 'const rate = 1;', 'six'].map((text) => `${text}\n`).join('');
    await telegram.ask({
      kind: 'approval',
      request: {
        tool: 'Edit',
        input: { file_path: path, old_string: 'const rate = 1;', new_string: 'const rate = 2;' },
      },
      context: {
        project: 'webshop',
        folder: '/home/ada/webshop',
        branch: 'feature/currency',
        machine: 'ada-laptop',
        agent: 'Claude Code',
        message: 'All tests pass.\n\nI change the rate.\nThen I push.\nAnd more.',
        files: [{ path, sha256: 'a'.repeat(64), lines: 6, before: [{ line: 1, text: before }] }],
      },
    });
    const message = await telegram.see('Allow Edit?');
    expect(message.text.slice(0, message.text.indexOf('Press a button'))).toBe(
      [
        'webshop · feature/currency · Claude Code · ada-laptop',
        'Allow Edit?',
        'from an agent',
        'Why: “All tests pass.',
        'I change the rate.',
        'Then I push. …”',
        '',
        'Edit src/total.ts',
        '',
        'src/total.ts · edited · +1 −1',
        '@@ line 2 @@',
        ' two',
        ' three',
        ' four',
        '-const rate = 1;',
        '+const rate = 2;',
        ' six',
        '',
        '',
        '',
      ].join('\n'),
    );
    telegram.server.press(message, ADA, 'Deny');
    await until(() => expect(message.text).toMatch(/\+const rate = 2;[^]*\n\n✗ Denied by @ada in Telegram\.$/));
  });

  test('hidden characters in it are marked, and no line of it can pass for another', async () => {
    await telegram.run();
    await telegram.ask({
      kind: 'approval',
      request: { tool: 'Write', input: { file_path: '/x\u202e.ts', content: 'a\u200bb', mode: 7 } },
      context: { project: 'web\nshop', branch: '\u202eniam', message: 'ok\u2066' },
    });
    const { text } = await telegram.see('Allow Write?');
    expect(text).toContain('web shop · [U+202E]niam\n');
    expect(text).toContain('ok[U+2066]');
    expect(text).toContain('/x[U+202E].ts · what it holds now is not known here · +1 −0');
    expect(text).toContain('+a[U+200B]b');
    expect(text).toContain('"mode": 7');
  });
});
