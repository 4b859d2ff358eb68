import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Beckon } from '../../core/beckon.ts';
import { openBeckon } from '../../open-beckon.ts';
import type { AnswerInput } from '../../protocol/answers.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import { findSteps } from '../../testing/harness/find-pending.ts';
import { until } from '../../testing/suites/until.ts';
import { readEvents } from '../../testing/suites/use-beckons.ts';
import { type AgentCall, type AgentOptions, canUseTool, onElicitation } from './index.ts';

const PLAN = { plan: '# The plan' };
let folder: string;
let beckon: Beckon;
let calls: number;

beforeEach(async () => {
  calls = 0;
  folder = mkdtempSync(join(tmpdir(), 'beckon-sdk-'));
  beckon = await openBeckon({ store: `sqlite:${join(folder, 'beckon.db')}` });
});
afterEach(async () => {
  await beckon.close();
  rmSync(folder, { recursive: true });
});

const TWO = [
  { question: 'Which?', header: 'Store', options: [{ label: 'a' }] },
  { question: 'Why?', header: 'Reason', options: [] },
];

test('questions are asked together', async () => {
  const result = call('AskUserQuestion', { questions: TWO }, { chatId: 'ops', sessionId: 'ses-1' });
  const [first, second] = await findSteps(beckon);
  expect(first).toMatchObject({
    chatId: 'ops',
    sessionId: 'ses-1',
    metadata: { toolUseId: 'toolu_1', step: 1, steps: 2 },
  });
  expect(second).toMatchObject({ groupId: first.groupId, metadata: { step: 2 } });
  const answers = [
    { id: first.id, answer: { text: 'a' } },
    { id: second!.id, answer: { text: 'because' } },
  ];
  await beckon.answerGroup(first.groupId!, answers, { who: 'ana', via: 'test' });
  expect(await result).toEqual({
    behavior: 'allow',
    updatedInput: { questions: TWO, answers: { 'Which?': 'a', 'Why?': 'because' } },
  });
});

test('what was answered before the rest expired is named, and one that is cancelled says so for all', async () => {
  const partial = call('AskUserQuestion', { questions: TWO }, { timeout: 0.3 });
  await beckon.answer((await findSteps(beckon))[0].id, { text: 'a' }, { who: 'ana', via: 'test' });
  expect(await partial).toEqual({
    behavior: 'deny',
    message: 'Nobody answered 1 of 2 questions in time: Reason. Answered: Store = a. Ask again only what is open.',
  });
  const cancelled = call('AskUserQuestion', { questions: TWO });
  await beckon.cancel({ id: (await findSteps(beckon))[1]!.id }, 'not today');
  expect(await cancelled).toEqual({ behavior: 'deny', message: 'The request was cancelled: not today.' });
});

describe('what surrounds a call', () => {
  const edit = (path: string) => ({ file_path: path, old_string: 'one', new_string: 'two' });

  test('is read from the folder, with what the agent says; secrets are masked', async () => {
    mkdirSync(join(folder, '.git'));
    writeFileSync(join(folder, '.git', 'HEAD'), 'ref: refs/heads/feature/x\n');
    const path = join(folder, 'a.ts');
    writeFileSync(path, 'one\n');
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const told: AgentCall[] = [];
    const context = (asked: AgentCall) => {
      told.push(asked);
      return { title: 'Currency', message: `I use ${secret}` };
    };
    const result = call('Edit', edit(path), { cwd: folder, context });
    const { id, context: summary } = await pending();
    expect(summary).toMatchObject({
      project: basename(folder),
      folder,
      branch: 'feature/x',
      agent: 'Claude Agent SDK',
      title: 'Currency',
      files: [{ path }],
    });
    expect(summary?.message).not.toContain(secret);
    expect(await beckon.context(id)).toMatchObject({ files: [{ path, before: [{ line: 1, text: 'one\n' }] }] });
    expect(told).toEqual([{ tool: 'Edit', input: edit(path), toolUseId: 'toolu_1' }]);
    await answer({ decision: 'allow' });
    expect(await result).toMatchObject({ behavior: 'allow' });
  });

  test.each([
    ['with what surrounds it', {}],
    ['without it', { context: 'off' }],
  ] as const)('a file that changes before an "allow" withholds it, %s', async (_, options) => {
    const path = join(folder, 'a.ts');
    writeFileSync(path, 'one\n');
    const result = call('Edit', edit(path), { cwd: folder, ...options });
    const { id, context } = await pending();
    expect(context === undefined).toBe('context' in options);
    writeFileSync(path, 'one, and more\n');
    await answer({ decision: 'allow' });
    const denied = await result;
    expect(denied).toMatchObject({ behavior: 'deny', message: expect.stringContaining(`${path} has changed`) });
    const reason = 'message' in denied ? denied.message : '';
    const log = await readEvents(beckon, ({ type }) => type === 'interaction.withheld');
    expect(log.at(-1)).toMatchObject({ interactionId: id, reason });
  });

  test('an "allow" from before a crash does not count for a file that has changed since', async () => {
    const path = join(folder, 'a.ts');
    writeFileSync(path, 'one\n');
    const context = { signal: new AbortController().signal, toolUseID: 'toolu_same' };
    const first = canUseTool(beckon, { cwd: folder })('Edit', edit(path), context);
    await answer({ decision: 'allow' });
    expect(await first).toMatchObject({ behavior: 'allow' });
    expect(await canUseTool(beckon, { cwd: folder })('Edit', edit(path), context)).toMatchObject({ behavior: 'allow' });
    writeFileSync(path, 'one, and more\n');
    expect(await canUseTool(beckon, { cwd: folder })('Edit', edit(path), context)).toMatchObject({
      behavior: 'deny',
      message: expect.stringContaining('has changed since the call was asked'),
    });
  });

  test('a file that changes does not stop a no', async () => {
    const path = join(folder, 'a.ts');
    writeFileSync(path, 'one\n');
    const result = call('Edit', edit(path), { cwd: folder });
    await pending();
    writeFileSync(path, 'other\n');
    await answer({ decision: 'deny', message: 'No' });
    expect(await result).toEqual({ behavior: 'deny', message: 'No' });
  });
});

test('no question is no question', async () => {
  expect(await call('AskUserQuestion', { questions: [] })).toEqual({
    behavior: 'allow',
    updatedInput: { questions: [] },
  });
});

test('a plan is accepted with its mode, or sent back', async () => {
  const accepted = call('ExitPlanMode', PLAN);
  await answer({ decision: 'edit' });
  expect(await accepted).toEqual({
    behavior: 'allow',
    updatedInput: PLAN,
    updatedPermissions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
  });
  const adjusted = call('ExitPlanMode', PLAN);
  await answer({ decision: 'adjust', feedback: 'Add tests' });
  expect(await adjusted).toEqual({ behavior: 'deny', message: 'Add tests' });
});

test('a tool is allowed with its input, or denied', async () => {
  const allowed = call('Bash', { command: 'ls' });
  await answer({ decision: 'allow' });
  expect(await allowed).toEqual({ behavior: 'allow', updatedInput: { command: 'ls' } });
  const denied = call('Bash', { command: 'ls' });
  await answer({ decision: 'deny', message: 'No' });
  expect(await denied).toEqual({ behavior: 'deny', message: 'No' });
});

test('what waits is reminded of and passed on, as the options say', async () => {
  const result = call('Bash', {}, { remindAfter: '10ms', escalate: [{ after: '20ms', to: 'dst_none' }] });
  const types: string[] = [];
  for await (const { type } of beckon.events({ after: 0 })) {
    types.push(type);
    if (type === 'interaction.escalated') break;
  }
  expect(types).toEqual(['interaction.requested', 'interaction.reminded', 'interaction.escalated']);
  await answer({ decision: 'deny' });
  expect(await result).toMatchObject({ behavior: 'deny' });
});

test('what nobody answers is denied, with the reason', async () => {
  expect(await call('Bash', {}, { timeout: 0.01 })).toEqual({ behavior: 'deny', message: 'Nobody answered in time.' });
  const cancelled = call('Bash', {});
  await beckon.cancel({ id: (await pending()).id }, 'not today');
  expect(await cancelled).toEqual({ behavior: 'deny', message: 'The request was cancelled: not today.' });
  const superseded = call('Bash', {});
  await beckon.supersede((await pending()).id);
  expect(await superseded).toEqual({ behavior: 'deny', message: 'The request ended elsewhere.' });
});

test('what cannot be asked is denied, with what is wrong', async () => {
  const result = await call('AskUserQuestion', { questions: [{ question: '' }] });
  expect(result).toMatchObject({ behavior: 'deny', message: expect.stringContaining('questions[0].question') });
});

test('aborting supersedes what is pending', async () => {
  const abort = new AbortController();
  const result = canUseTool(beckon)('Bash', {}, { signal: abort.signal, toolUseID: 'toolu_1' });
  const { id } = await pending();
  abort.abort();
  await expect(result).rejects.toMatchObject({ name: 'AbortError' });
  expect(await beckon.get(id)).toMatchObject({ status: 'superseded', reason: 'The agent no longer waits for it' });
});

test('the same tool call after a crash finds its answer', async () => {
  const context = { signal: new AbortController().signal, toolUseID: 'toolu_same' };
  const first = canUseTool(beckon)('Bash', { command: 'ls' }, context);
  await answer({ decision: 'allow' });
  await first;
  const again = canUseTool(await openBeckon({ store: `sqlite:${join(folder, 'beckon.db')}` }));
  expect(await again('Bash', { command: 'ls' }, context)).toMatchObject({ behavior: 'allow' });
  expect((await beckon.list()).items).toHaveLength(1);
});

test('an answer never counts for another call, even if an id is reused', async () => {
  const context = { signal: new AbortController().signal, toolUseID: 'call_0' };
  const first = canUseTool(beckon, { sessionId: 'ses_1' })('Bash', { command: 'ls' }, context);
  await answer({ decision: 'allow' });
  await first;
  for (const [sessionId, command] of [
    ['ses_1', 'rm -rf ~'],
    ['ses_2', 'ls'],
  ] as const) {
    const other = canUseTool(beckon, { sessionId })('Bash', { command }, context);
    expect(await pending()).toMatchObject({ sessionId, request: { input: { command } } });
    await answer({ decision: 'deny', message: 'No' });
    expect(await other).toEqual({ behavior: 'deny', message: 'No' });
  }
});

test('a form is filled in, cancelled where nobody does, and declined where it is a page', async () => {
  const context = { signal: new AbortController().signal };
  const request = { message: 'Name?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } };
  const filled = onElicitation(beckon)(request, context);
  await answer({ values: { name: 'Ada' } });
  expect(await filled).toEqual({ action: 'accept', content: { name: 'Ada' } });
  expect(await onElicitation(beckon, { timeout: 0.01 })(request, context)).toEqual({ action: 'cancel' });
  expect(await onElicitation(beckon)({ message: 'Go', mode: 'url' }, context)).toEqual({ action: 'decline' });
});

function call(tool: string, input: Record<string, unknown>, options: AgentOptions = {}) {
  calls += 1;
  return canUseTool(beckon, options)(tool, input, {
    signal: new AbortController().signal,
    toolUseID: `toolu_${calls}`,
  });
}

function pending(): Promise<Interaction> {
  return until(async () => {
    const [item] = (await beckon.list({ status: 'pending' })).items;
    if (item === undefined) throw new Error('Nothing is pending');
    return item;
  });
}

async function answer(given: AnswerInput): Promise<Interaction> {
  const asked = await pending();
  await beckon.answer(asked.id, given, { who: 'ana', via: 'test' });
  return asked;
}
