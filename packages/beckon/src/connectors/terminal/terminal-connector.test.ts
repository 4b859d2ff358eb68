import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Beckon } from '../../core/beckon.ts';
import type { Inbound } from '../../core/connector.ts';
import { openBeckon } from '../../open-beckon.ts';
import { BeckonError, type ErrorCode } from '../../protocol/errors.ts';
import type { AskInput, Interaction } from '../../protocol/interaction.ts';
import { AT_ONCE, createFakeTerminal, type FakeTerminal, KEYS } from '../../testing/harness/terminal/fake-terminal.ts';
import { ASKS } from '../../testing/suites/samples.ts';
import { createTerminalConnector, type TerminalConnector, type TerminalOptions } from './terminal-connector.ts';

const { enter, down, escape, ctrlC } = KEYS;

let folder: string;
let beckon: Beckon;
let terminal: FakeTerminal;
let connector: TerminalConnector;
/** Why the next answer is not taken. */
let failure: BeckonError | undefined;
/** Holds back what surrounds a request. */
let held: PromiseWithResolvers<null> | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'beckon-terminal-'));
  beckon = await openBeckon({ store: `sqlite:${folder}/beckon.db` });
  terminal = createFakeTerminal();
  failure = undefined;
  held = undefined;
});
afterEach(async () => {
  await connector.stop();
  await beckon.close();
  await rm(folder, { recursive: true });
});

async function start(options: Partial<TerminalOptions> = {}): Promise<void> {
  const { input, output } = terminal;
  connector = createTerminalConnector({ input, output, who: 'dev@laptop', keyTimes: AT_ONCE, ...options });
  const inbound: Inbound = {
    answer: async (id, answer, who) => {
      const thrown = failure;
      failure = undefined;
      if (thrown !== undefined) throw thrown;
      return beckon.answer(id, answer, { who, via: connector.name });
    },
    answerMany: (ids, answer, who) => beckon.answerMany(ids, answer, { who, via: connector.name }),
    answerGroup: (groupId, answers, who) => beckon.answerGroup(groupId, answers, { who, via: connector.name }),
    get: (id) => beckon.get(id),
    context: async (id) => (await held?.promise) ?? beckon.context(id),
    say: async () => null,
  };
  await connector.start(inbound);
}

async function show(input: object): Promise<Interaction> {
  const asked = await beckon.ask(structuredClone(input) as AskInput);
  await connector.show(asked);
  return asked;
}

test('an option is chosen with the arrow keys', async () => {
  await start();
  const { id } = await show(ASKS.question);
  await terminal.seen(/1 waiting/);
  terminal.press(enter);
  await terminal.seen(/In your own words/);
  terminal.press(down + enter);
  expect(await beckon.wait(id)).toMatchObject({
    answer: { text: 'Postgres', selected: ['Postgres'] },
    answeredBy: { who: 'dev@laptop', via: 'terminal' },
  });
  await terminal.seen(/nothing waiting[^]*Answered by dev@laptop in the terminal: Postgres/);
});

test('a number selects the item beside it, and Enter opens it', async () => {
  await start();
  await show(ASKS.question);
  const { id } = await show({ kind: 'question', request: { question: 'Why?' } });
  await terminal.seen(/2 waiting/);
  terminal.press('2');
  await terminal.seen(/> 2 {3}\? Why\?/);
  terminal.press('9');
  terminal.press(enter);
  await terminal.seen(/Question from an agent in default[^]*Why\?/);
  terminal.press(`because${enter}`);
  expect(await beckon.wait(id)).toMatchObject({ answer: { text: 'because' } });
});

test('several options are chosen with the space bar, with a note', async () => {
  await start();
  const options = [{ label: 'Ham' }, { label: 'Cheese' }];
  const { id } = await show({ kind: 'question', request: { question: 'What?', options, multiSelect: true } });
  await terminal.seen(/1 waiting/);
  terminal.press(enter);
  await terminal.seen(/Add a note/);
  terminal.press(`1${down} ${down}${down}${enter}`);
  await terminal.seen(/Your note/);
  terminal.press(`no salt${enter}`);
  await terminal.seen(/☒ Ham[^]*☒ Cheese[^]*✓ Add a note …  no salt/);
  terminal.press(enter);
  expect(await beckon.wait(id)).toMatchObject({ answer: { selected: ['Ham', 'Cheese'], notes: 'no salt' } });
});

test('an option can have a note', async () => {
  await start();
  const { id } = await show(ASKS.question);
  await terminal.seen(/1 waiting/);
  terminal.press(enter);
  await terminal.seen(/Add a note/);
  terminal.press(`4`);
  await terminal.seen(/Your note/);
  terminal.press(`for now${enter}`);
  await terminal.seen(/Add a note …  for now/);
  terminal.press(enter);
  expect(await beckon.wait(id)).toMatchObject({ answer: { selected: ['SQLite'], notes: 'for now' } });
});

test('a long plan is read page by page, and sent back with feedback', async () => {
  await start();
  const plan = Array.from({ length: 100 }, (_, index) => `step ${index}.`).join('\n');
  const { id } = await show({ kind: 'plan_review', request: { plan } });
  await terminal.seen(/1 waiting/);
  terminal.press(enter);
  await terminal.seen(/step 15\.[^]*more below/);
  terminal.press(KEYS.pageDown);
  await terminal.seen(/↑ step 0\.[^]*step 30\./);
  terminal.press('r');
  await terminal.seen(/What should change\?/);
  terminal.press(`smaller steps${enter}`);
  expect(await beckon.wait(id)).toMatchObject({ answer: { decision: 'adjust', feedback: 'smaller steps' } });
});

test('a plan is edited, and accepted as edited', async () => {
  await start({ editText: async (text) => text.replace('Write it down.', 'Write it twice.') });
  const { id } = await show(ASKS.plan_review);
  await terminal.seen(/1 waiting/);
  terminal.press(enter);
  await terminal.seen(/Send back with feedback/);
  terminal.press('e');
  await terminal.seen(/Your changes[^]*- 1\. Write it down\.[^]*\+ 1\. Write it twice\.[^]*e edit/);
  terminal.press(`1`);
  await terminal.seen(/Accept, with a clear context: Forgets[^]*enter: send/);
  terminal.press(enter);
  expect(await beckon.wait(id)).toMatchObject({
    answer: { decision: 'clean_edit', editedPlan: '# Plan\n\n1. Write it twice.' },
  });
});

test('a plan is sent back with comments on its lines', async () => {
  await start({ editText: async (text) => text.replace('3 | 1. Write it down.', '$&\n>> Write it twice.') });
  const { id } = await show(ASKS.plan_review);
  await terminal.seen(/1 waiting/);
  terminal.press(enter);
  await terminal.seen(/w comment/);
  terminal.press('w');
  await terminal.seen(/1\. Write it down\.[^]*>> Write it twice\.[^]*4 Send back with 1 comment/);
  terminal.press('1');
  await terminal.seen(/Your comments are not sent\./);
  terminal.press('4');
  await terminal.seen(/Send back with feedback: [^]*enter: send/);
  terminal.press(enter);
  expect(await beckon.wait(id)).toMatchObject({
    answer: { decision: 'adjust', comments: [{ quote: '1. Write it down.', line: 3, comment: 'Write it twice.' }] },
  });
});

test('an input is edited as JSON until it is JSON, then allowed, and that is no rule', async () => {
  const edits = ['{ not json', '{"command":"ls","command":"rm"}', '{"command":"ls -l"}'];
  const given: string[] = [];
  await start({
    editText: async (text) => {
      given.push(text);
      return edits.shift() ?? text;
    },
  });
  const { id } = await show({ kind: 'approval', request: { tool: 'Deploy', input: { command: 'ls' } } });
  await terminal.seen(/1 waiting/);
  terminal.press(enter);
  await terminal.seen(/y allow/);
  terminal.press('e');
  await terminal.seen(/This is not valid JSON[^]*Edit again/);
  terminal.press(enter);
  await terminal.seen(/"command" twice[^]*Edit again/);
  terminal.press(enter);
  await terminal.seen(/command {2}ls -l[^]*y allow, as edited/);
  // A rule would be about the input as it was, so none is offered.
  expect(terminal.screen()).not.toContain('remember');
  terminal.press('m');
  terminal.press('y');
  expect((await beckon.wait(id)).answer).toEqual({ decision: 'allow', updatedInput: { command: 'ls -l' } });
  expect(given).toEqual(['{\n  "command": "ls"\n}\n', '{ not json', '{"command":"ls","command":"rm"}']);
});

test('an editor that fails changes nothing', async () => {
  await start({ editText: () => Promise.reject(new Error('No editor here.')) });
  const { id } = await show(ASKS.approval);
  await terminal.seen(/1 waiting/);
  terminal.press(enter);
  await terminal.seen(/y allow/);
  terminal.press('e');
  await terminal.seen(/No editor here\.[^]*y allow/);
  expect(await beckon.get(id)).toMatchObject({ status: 'pending' });
});

test('a form asks for its fields, and again for what does not fit', async () => {
  await start();
  const schema = {
    type: 'object',
    properties: { name: { type: 'string' }, age: { type: 'integer', minimum: 18 } },
    required: ['name', 'age'],
  };
  const { id } = await show({ kind: 'form', request: { message: 'Who?', schema } });
  await terminal.seen(/1 waiting/);
  terminal.press(enter);
  await terminal.seen(/name/);
  terminal.press(`Ada${enter}`);
  await terminal.seen(/age/);
  terminal.press(`1${enter}`);
  await terminal.seen(/>= 18[^]*name[^]*Ada/);
  terminal.press(enter);
  await terminal.seen(/age/);
  terminal.press(`8${enter}`);
  expect(await beckon.wait(id)).toMatchObject({ answer: { values: { name: 'Ada', age: 18 } } });
});

test('a component is shown as text, and its action chosen', async () => {
  await start();
  const components = [{ type: 'card', title: 'Sales', actions: [{ label: 'Details', action: 'click', data: 7 }] }];
  const { id } = await show({ kind: 'component', request: { components } });
  await terminal.seen(/1 waiting/);
  terminal.press(enter);
  await terminal.seen(/title: Sales[^]*What would you like to do\?/);
  terminal.press(enter);
  expect(await beckon.wait(id)).toMatchObject({ answer: { action: 'click', data: 7 } });
});

test('a prompt that is answered elsewhere closes and says who and where', async () => {
  await start();
  const { id } = await show(ASKS.question);
  await terminal.seen(/1 waiting/);
  terminal.press(enter);
  await terminal.seen(/In your own words/);
  await beckon.answer(id, { text: 'SQLite' }, { who: 'ada', via: 'telegram' });
  await connector.settle(await beckon.wait(id));
  await terminal.seen(/Answered by ada in Telegram: SQLite/);
  terminal.press(`typed on${enter}`);
  await terminal.seen(/nothing waiting[^]*Answered by ada in Telegram: SQLite/);
  expect(terminal.isRaw()).toBe(true);
});

test.for<ErrorCode>(['unreachable', 'store_unavailable', 'store_busy', 'store_full', 'internal', 'too_many_requests'])(
  'what was typed is kept where Beckon says "%s", and is sent again',
  async (code) => {
    await start();
    const { id } = await show({ kind: 'question', request: { question: 'Why?' } });
    await terminal.seen(/1 waiting/);
    terminal.press(enter);
    await terminal.seen(/Why\?/);
    failure = new BeckonError(code, 'Not at this moment.');
    terminal.press(`because of the weather${enter}`);
    await terminal.seen(/Not at this moment\.[^]*It is kept here\.[^]*Send it again/);
    terminal.press(enter);
    expect(await beckon.wait(id)).toMatchObject({ answer: { text: 'because of the weather' } });
  },
);

test('what Beckon refuses for good goes back to the list, and says why', async () => {
  await start();
  const { id } = await show({ kind: 'question', request: { question: 'Why?' } });
  await terminal.seen(/1 waiting/);
  terminal.press(enter);
  await terminal.seen(/Why\?/);
  failure = new BeckonError('unauthorized', 'You may not answer.');
  terminal.press(`because${enter}`);
  await terminal.seen(/1 waiting[^]*You may not answer\./);
  expect(await beckon.get(id)).toMatchObject({ status: 'pending' });
});

test('who may only answer reads why an edit or a rule is not taken, and decides again', async () => {
  await start();
  const { id } = await show(ASKS.approval);
  await terminal.seen(/1 waiting/);
  terminal.press(enter);
  await terminal.seen(/y allow/);
  failure = new BeckonError('forbidden', 'This token may only answer.');
  terminal.press('m');
  await terminal.seen(/enter: allow, and let the agent keep it/);
  terminal.press(enter);
  await terminal.seen(/This token may only answer\.[^]*y allow/);
  expect(await beckon.get(id)).toMatchObject({ status: 'pending' });
  terminal.press('y');
  expect((await beckon.wait(id)).answer).toEqual({ decision: 'allow' });
});

test('no key allows before what surrounds a request is there, or is known to be missing', async () => {
  held = Promise.withResolvers();
  await start();
  const { id } = await show({ ...ASKS.approval, context: { message: 'Because.' } });
  await terminal.seen(/1 waiting/);
  terminal.press(enter);
  await terminal.seen(/Reading what surrounds this request/);
  terminal.press('y');
  terminal.press('e');
  terminal.press('m');
  terminal.press(enter);
  held.reject(new BeckonError('unreachable', 'No way.'));
  await terminal.seen(/What surrounds this request is missing: No way\./);
  expect(await beckon.get(id)).toMatchObject({ status: 'pending' });
  terminal.press('y');
  expect(await beckon.wait(id)).toMatchObject({ answer: { decision: 'allow' } });
});

test('an answer that lost says who won', async () => {
  await start();
  const { id } = await show(ASKS.question);
  await terminal.seen(/1 waiting/);
  terminal.press(enter);
  await terminal.seen(/In your own words/);
  await beckon.answer(id, { text: 'Postgres' }, { who: 'ada', via: 'inbox' });
  terminal.press(enter);
  await terminal.seen(/Answered by ada in the inbox: Postgres[^]*no longer needed/);
  expect(await beckon.get(id)).toMatchObject({ answer: { text: 'Postgres' } });
});

test('what is settled leaves the list with a line, and a prompt for a chat is a line', async () => {
  await start();
  const { id } = await show(ASKS.question);
  await terminal.seen(/1 waiting/);
  await beckon.cancel({ id }, 'not needed');
  await connector.settle(await beckon.wait(id));
  await terminal.seen(/nothing waiting[^]*Cancelled: not needed/);
  await connector.prompt('ops', 'What should\u001b[2J change?');
  await terminal.seen(/ops: What should\[U\+001B\]\[2J change\?/);
  expect(terminal.written()).not.toContain('should\u001b[2J');
});

test('Esc goes back to the list and answers nothing', async () => {
  await start();
  const { id } = await show(ASKS.approval);
  await terminal.seen(/1 waiting/);
  terminal.press(enter);
  await terminal.seen(/y allow/);
  terminal.press(escape);
  await terminal.seen(/1 waiting/);
  expect(await beckon.get(id)).toMatchObject({ status: 'pending' });
});

test.each([
  ['q in the list', 'q', false],
  ['Ctrl-C in the list', ctrlC, false],
  ['Ctrl-C in a prompt', ctrlC, true],
])('%s leaves with the terminal as it was', async (_, key, isOpen) => {
  await start();
  const { id } = await show(ASKS.approval);
  await terminal.seen(/1 waiting/);
  if (isOpen) {
    terminal.press(enter);
    await terminal.seen(/y allow/);
  }
  terminal.press(key);
  await connector.left;
  expect(terminal.isRaw()).toBe(false);
  expect(terminal.written().endsWith('\u001b[?25h\u001b[?1049l')).toBe(true);
  expect(terminal.input.listenerCount('keypress')).toBe(0);
  expect(await beckon.get(id)).toMatchObject({ status: 'pending' });
});

test('a stop while a prompt is open restores the terminal', async () => {
  await start();
  await show(ASKS.question);
  await terminal.seen(/1 waiting/);
  terminal.press(enter);
  await terminal.seen(/In your own words/);
  await connector.stop();
  expect(terminal.isRaw()).toBe(false);
  expect(terminal.written().endsWith('\u001b[?25h\u001b[?1049l')).toBe(true);
});

test('a change of size redraws the list', async () => {
  await start();
  await show({ kind: 'question', request: { question: 'A question that is longer than forty columns are wide?' } });
  await terminal.seen(/columns are wide\?/);
  terminal.resize(40, 12);
  await terminal.seen(/A question that[ is]*…/);
  expect(terminal.isRaw()).toBe(true);
});

test('shown again it is there once, and only chats that are meant are reached', async () => {
  await start({ chatId: 'ops' });
  const asked = await show(ASKS.question);
  await connector.show(asked);
  await terminal.seen(/1 waiting/);
  expect([connector.reaches('ops'), connector.reaches('web')]).toEqual([true, false]);
});

test('escape sequences of an agent never reach the terminal', async () => {
  await start();
  const evil = '\u001b]0;owned\u0007\u009b31m\u202e';
  const request = { question: evil, header: evil, options: [{ label: evil, description: evil, preview: evil }] };
  await show({ kind: 'question', request });
  await terminal.seen(/1 waiting/);
  terminal.press(enter);
  await terminal.seen(/In your own words/);
  for (const hidden of ['\u001b]0;', '\u0007', '\u009b', '\u202e']) expect(terminal.written()).not.toContain(hidden);
});
