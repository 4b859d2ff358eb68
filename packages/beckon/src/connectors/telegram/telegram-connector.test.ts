import { describe, expect, test } from 'vitest';
import type { AskInput } from '../../protocol/interaction.ts';
import { ADA, CHAT, useTelegram } from '../../testing/harness/telegram/use-telegram.ts';
import { ASKS } from '../../testing/suites/samples.ts';
import { until } from '../../testing/suites/until.ts';

const telegram = useTelegram();
const LAPTOP = { who: 'dev@laptop', via: 'terminal' } as const;
const question = (changes: object = {}): AskInput =>
  ({ kind: 'question', request: { ...structuredClone(ASKS.question.request), ...changes } }) as unknown as AskInput;
const plan = (text: string): AskInput => ({ kind: 'plan_review', request: { plan: text } });
const labels = ({ buttons }: { buttons: { text: string }[] }): string[] => buttons.map(({ text }) => text);

describe('each kind is shown', () => {
  test('a question with a button for each option', async () => {
    await telegram.run();
    await telegram.ask(
      question({
        header: 'Storage',
        options: [{ label: 'SQLite', description: 'one file', preview: 'x = 1' }, { label: 'Postgres' }],
      }),
    );
    const message = await telegram.see('Which database?');
    expect(message.text).toContain(
      'Storage\nfrom an agent\n\nWhich database?\n\n1. SQLite: one file\nx = 1\n2. Postgres\n\nPress a button',
    );
    expect(labels(message)).toEqual(['1. SQLite', '2. Postgres']);
    const [bold, pre] = message.entities.map(({ type, offset, length }) => [
      type,
      message.text.slice(offset, offset + length),
    ]);
    expect([bold, pre]).toEqual([
      ['bold', 'Storage'],
      ['pre', 'x = 1'],
    ]);
  });

  test('a plan with its four decisions', async () => {
    await telegram.run();
    await telegram.ask(plan('# Plan\n\n1. Write it down.'));
    const message = await telegram.see('Plan review\nfrom an agent\n\n# Plan\n\n1. Write it down.');
    expect(message.buttons).toHaveLength(4);
  });

  test('an approval with its whole input', async () => {
    await telegram.run();
    await telegram.ask({
      kind: 'approval',
      request: { tool: 'Bash', input: { command: 'rm -rf build' }, description: 'Clean up' },
    });
    const message = await telegram.see('Allow Bash?');
    expect(message.text).toContain('Clean up\n\nrm -rf build\n\nPress a button.');
    expect(labels(message)).toEqual(['Deny', 'Allow']);
  });

  test.each(['form', 'component'] as const)('a %s says where it can be answered', async (kind) => {
    await telegram.run();
    const { id } = await telegram.ask(structuredClone(ASKS[kind]) as unknown as AskInput);
    const message = await telegram.see(`beckon answer ${id}`);
    expect(message.buttons).toEqual([]);
    telegram.server.say(CHAT, ADA, 'Ada', message.message_id);
    await telegram.see('This cannot be answered by a text.');
  });

  test('a hundred options: the first fifty have buttons, the others are typed', async () => {
    await telegram.run();
    const options = Array.from({ length: 100 }, (_, index) => ({ label: `${'é'.repeat(60)} ${index}` }));
    const { id } = await telegram.ask(question({ options, multiSelect: true }));
    const message = await telegram.see('Options after 50 have no button');
    expect(message.buttons).toHaveLength(51);
    telegram.server.say(CHAT, ADA, options[99]!.label, message.message_id);
    expect(await telegram.beckon.wait(id)).toMatchObject({ answer: { selected: [options[99]!.label] } });
  });
});

describe('an answer', () => {
  test('by a button settles the question, and the buttons go', async () => {
    await telegram.run();
    const { id } = await telegram.ask(question());
    const press = telegram.server.press(await telegram.see('Which database?'), ADA, 'Postgres');
    expect(await telegram.beckon.wait(id)).toMatchObject({
      answer: { text: 'Postgres', selected: ['Postgres'] },
      answeredBy: { who: '@ada', via: 'telegram', kind: 'person' },
    });
    expect(await telegram.toast(press)).toBe('Response received.');
    expect((await telegram.see('Answered by @ada in Telegram: Postgres')).buttons).toEqual([]);
  });

  test('with several options is marked one by one and sent with Done', async () => {
    await telegram.run();
    const { id } = await telegram.ask(
      question({ multiSelect: true, options: [{ label: 'a' }, { label: 'b' }, { label: 'c' }] }),
    );
    const message = await telegram.see('Which database?');
    expect(await telegram.toast(telegram.server.press(message, ADA, 'Done'))).toContain('Mark at least one');
    for (const label of ['1. a', '3. c', '2. b']) {
      telegram.server.press(message, ADA, label);
      await until(() => expect(labels(message)).toContain(`☑ ${label}`));
    }
    telegram.server.press(message, ADA, '☑ 2. b');
    await until(() => expect(labels(message)).toEqual(['☑ 1. a', '☐ 2. b', '☑ 3. c', 'Done (2)']));
    telegram.server.press(message, ADA, 'Done');
    expect(await telegram.beckon.wait(id)).toMatchObject({ answer: { text: 'a, c', selected: ['a', 'c'] } });
    await telegram.see('Answered by @ada in Telegram: a, c');
  });

  test('by a plain text goes to what is pending', async () => {
    await telegram.run();
    const { id } = await telegram.ask(question());
    await telegram.see('Which database?');
    const said = telegram.server.say(CHAT, ADA, 'neither, use a file');
    expect(await telegram.beckon.wait(id)).toMatchObject({ answer: { text: 'neither, use a file' } });
    expect(await telegram.see('Response received.')).toMatchObject({ replyTo: said });
  });

  test('by a reply goes to the message that it replies to, however many are pending', async () => {
    await telegram.run();
    const ids = [];
    for (const text of ['First?', 'Second?', 'Third?']) ids.push((await telegram.ask(question({ question: text }))).id);
    await telegram.see('Third?');
    telegram.server.say(CHAT, ADA, 'this one', (await telegram.see('Second?')).message_id);
    expect(await telegram.beckon.wait(ids[1]!)).toMatchObject({ answer: { text: 'this one' } });
    expect((await telegram.beckon.list({ status: 'pending' })).items).toHaveLength(2);
  });

  test('by a reply to an approval that is not a plain yes is a no', async () => {
    await telegram.run();
    const { id } = await telegram.ask({ kind: 'approval', request: { tool: 'Bash' } });
    telegram.server.say(CHAT, ADA, 'yes, but later', (await telegram.see('Allow Bash?')).message_id);
    expect(await telegram.beckon.wait(id)).toMatchObject({ answer: { decision: 'deny', message: 'yes, but later' } });
    await telegram.see('Denied by @ada in Telegram: yes, but later');
  });

  test.each([
    ['Deny', 'deny'],
    ['Allow', 'allow'],
  ])('%s decides about an approval', async (label, decision) => {
    await telegram.run();
    const { id } = await telegram.ask({ kind: 'approval', request: { tool: 'Bash' } });
    telegram.server.press(await telegram.see('Allow Bash?'), ADA, label);
    expect(await telegram.beckon.wait(id)).toMatchObject({ answer: { decision } });
  });

  test('in words that the agent cannot take is refused with the options; one of them is taken', async () => {
    await telegram.run();
    const { id } = await telegram.ask(question({ abilities: { ownWords: false } }));
    const { text } = await telegram.see('Which database?');
    expect(text).toContain('Press a button.');
    expect(text).not.toContain('own words');
    telegram.server.say(CHAT, ADA, 'neither, use a file');
    await telegram.see('because this agent takes no other words');
    expect(await telegram.beckon.get(id)).toMatchObject({ status: 'pending' });
    telegram.server.say(CHAT, ADA, 'sqlite');
    expect(await telegram.beckon.wait(id)).toMatchObject({ answer: { selected: ['SQLite'] } });
  });

  test('with a reason that the agent cannot read is refused; a plain no denies', async () => {
    await telegram.run();
    const { id } = await telegram.ask({
      kind: 'approval',
      request: { tool: 'Bash', input: { command: 'ls' }, abilities: { denyText: false } },
    });
    const message = await telegram.see('Allow Bash?');
    expect(message.text).toContain('Press a button, or reply yes or no.');
    telegram.server.say(CHAT, ADA, 'not today', message.message_id);
    await telegram.see('because this agent cannot read why a call is denied');
    expect(await telegram.beckon.get(id)).toMatchObject({ status: 'pending' });
    telegram.server.say(CHAT, ADA, 'no', message.message_id);
    expect(await telegram.beckon.wait(id)).toMatchObject({ answer: { decision: 'deny' } });
  });

  test('"send back" is enough for an agent that reads no feedback', async () => {
    await telegram.run();
    const { id } = await telegram.ask({
      kind: 'plan_review',
      request: { plan: '# Plan', abilities: { decisions: ['default', 'adjust'], feedback: false } },
    });
    const message = await telegram.see('# Plan');
    expect(labels(message)).toEqual(['Accept, and ask before each edit', 'Send back']);
    expect(message.text).not.toContain('what should change');
    telegram.server.press(message, ADA, 'Send back');
    expect(await telegram.beckon.wait(id)).toMatchObject({ answer: { decision: 'adjust' } });
  });

  test('"send back" asks for feedback, and a reply to that is the feedback', async () => {
    await telegram.run();
    const { id } = await telegram.ask(plan('# Plan'));
    const press = telegram.server.press(await telegram.see('# Plan'), ADA, 'Send back');
    expect(await telegram.toast(press)).toBe('What should change?');
    await until(() => expect(telegram.server.messages).toHaveLength(2));
    expect(await telegram.beckon.get(id)).toMatchObject({ status: 'pending', awaitingFeedback: true });
    telegram.server.say(CHAT, ADA, 'yes', telegram.server.messages[1]?.message_id);
    expect(await telegram.beckon.wait(id)).toMatchObject({ answer: { decision: 'adjust', feedback: 'yes' } });
    expect((await telegram.see('Sent back by @ada in Telegram: yes')).buttons).toEqual([]);
  });

  test('by a reply to the plan is the feedback too', async () => {
    await telegram.run();
    const { id } = await telegram.ask(plan('# Plan'));
    const message = await telegram.see('# Plan');
    await telegram.toast(telegram.server.press(message, ADA, 'Send back'));
    telegram.server.say(CHAT, ADA, 'yes', message.message_id);
    expect(await telegram.beckon.wait(id)).toMatchObject({ answer: { decision: 'adjust', feedback: 'yes' } });
  });

  test('"yes" to a plan that was sent back elsewhere is feedback, not consent', async () => {
    await telegram.run();
    const { id } = await telegram.ask(plan('# Plan'));
    const message = await telegram.see('# Plan');
    await telegram.beckon.answer(id, { decision: 'adjust' }, LAPTOP);
    await telegram.see('What should be different?');
    telegram.server.say(CHAT, ADA, 'yes', message.message_id);
    expect(await telegram.beckon.wait(id)).toMatchObject({ answer: { decision: 'adjust', feedback: 'yes' } });
  });

  test.each(['/start', '/help@beckon_bot'])('is never %s, which explains the bot', async (command) => {
    await telegram.run();
    const { id } = await telegram.ask(question());
    telegram.server.say(CHAT, ADA, command);
    await telegram.see('Agents ask you here.');
    expect(await telegram.beckon.get(id)).toMatchObject({ status: 'pending' });
  });
});

describe('what is settled', () => {
  test('elsewhere says who did it and where', async () => {
    await telegram.run();
    const { id } = await telegram.ask(question());
    const message = await telegram.see('Which database?');
    const [, postgres] = message.buttons;
    await telegram.beckon.answer(id, { text: 'SQLite' }, LAPTOP);
    await until(() => expect(message.text).toMatch(/\n\n✓ Answered by dev@laptop in the terminal: SQLite$/));
    expect(message.buttons).toEqual([]);
    const late = telegram.server.pressData(CHAT, message.message_id, ADA, postgres!.data);
    expect(await telegram.toast(late)).toBe('Already answered by dev@laptop in the terminal: SQLite');
    telegram.server.say(CHAT, ADA, 'Postgres', message.message_id);
    await until(() =>
      expect(telegram.server.messages.at(-1)?.text).toMatch(/^Already answered by dev@laptop in the terminal/),
    );
    expect(await telegram.beckon.get(id)).toMatchObject({ answer: { text: 'SQLite' } });
  });

  test('by nobody in time says so, and a late press changes nothing', async () => {
    await telegram.run();
    const { id } = await telegram.ask({ kind: 'approval', request: { tool: 'Bash' }, timeout: '300ms' });
    const message = await telegram.see('Allow Bash?');
    const allow = message.buttons.find(({ text }) => text === 'Allow')!.data;
    await until(() => expect(message.text).toContain('\n\nExpired: nobody answered in time.'));
    expect(await telegram.toast(telegram.server.pressData(CHAT, message.message_id, ADA, allow))).toContain('Expired');
    expect(await telegram.beckon.get(id)).toMatchObject({ status: 'expired' });
  });

  test('by a cancellation says why', async () => {
    await telegram.run();
    const { id } = await telegram.ask(question());
    const message = await telegram.see('Which database?');
    await telegram.beckon.cancel({ id }, 'no longer needed');
    await until(() =>
      expect(message).toMatchObject({ text: expect.stringContaining('Cancelled: no longer needed'), buttons: [] }),
    );
  });

  test('with a very long answer is cut, and still fits', async () => {
    await telegram.run();
    const { id } = await telegram.ask(plan('p'.repeat(3400)));
    await telegram.see('ppp');
    await telegram.beckon.answer(id, { feedback: '👍'.repeat(5000) }, LAPTOP);
    expect((await telegram.see('… (cut)')).text).toContain('Sent back by dev@laptop in the terminal: 👍');
  });
});

describe('a long plan', () => {
  test('is split at line ends, with the buttons below its last part', async () => {
    await telegram.run();
    const lines = Array.from({ length: 120 }, (_, index) => `${index}. ${'👍 step '.repeat(8)}`);
    const { id } = await telegram.ask(plan(lines.join('\n')));
    const last = await telegram.see('Press a button');
    const parts = telegram.server.messages;
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.map(({ text }) => text).join('')).toContain(lines.join('\n'));
    expect(parts.slice(0, -1).flatMap(({ buttons }) => buttons)).toEqual([]);
    telegram.server.say(CHAT, ADA, 'shorter', parts[0]!.message_id);
    expect(await telegram.beckon.wait(id)).toMatchObject({ answer: { feedback: 'shorter' } });
    await until(() => expect(last.text).toContain('Sent back by @ada in Telegram: shorter'));
  });

  test('that is very long is a document, named in the message with the buttons', async () => {
    await telegram.run();
    const text = `begin ${'ü\n'.repeat(50_000)} end`;
    const { id } = await telegram.ask(plan(text));
    const message = await telegram.see('characters are in the document above');
    expect(telegram.server.messages).toHaveLength(2);
    expect(telegram.server.messages[0]?.document).toEqual({ name: 'plan.md', text });
    telegram.server.press(message, ADA, 'keep the context');
    expect(await telegram.beckon.wait(id)).toMatchObject({ answer: { decision: 'edit' } });
    await until(() => expect(message.text).toContain('Accepted by @ada in Telegram: keeping the context'));
  });

  test('without any line end is split all the same', async () => {
    await telegram.run();
    await telegram.ask(plan('👍'.repeat(4000)));
    await telegram.see('Press a button');
    expect(
      telegram.server.messages
        .map(({ text }) => text)
        .join('')
        .match(/👍/g),
    ).toHaveLength(4000);
  });
});
