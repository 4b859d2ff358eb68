import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Beckon } from '../../core/beckon.ts';
import { openBeckon } from '../../open-beckon.ts';
import type { AnswerInput } from '../../protocol/answers.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import { findPending, findSteps } from '../../testing/harness/find-pending.ts';
import { until } from '../../testing/suites/until.ts';
import { createMcpServer } from './index.ts';

let folder: string;
let beckon: Beckon;
let client: Client;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'beckon-mcp-'));
  beckon = await openBeckon({ store: `sqlite:${join(folder, 'beckon.db')}` });
  const [here, there] = InMemoryTransport.createLinkedPair();
  await createMcpServer({ beckon, version: '1.2.3', chatId: 'ops', askedBy: 'robot', progressMs: 20 }).connect(there);
  client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(here);
});
afterEach(async () => {
  await client.close();
  await beckon.close();
  rmSync(folder, { recursive: true });
});

test('there are five tools', async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    'ask_question',
    'ask_questions',
    'request_approval',
    'review_plan',
    'fill_form',
  ]);
});

test('ask_questions asks all in one commit, and gives each answer with its question', async () => {
  const questions = [
    { header: 'Store', question: 'Which?', options: [{ label: 'a' }] },
    { question: 'Why?', options: [], multi_select: false },
  ];
  const result = client.callTool({ name: 'ask_questions', arguments: { questions, idempotency_key: 'call' } });
  const [first, second] = await findSteps(beckon);
  expect(first).toMatchObject({
    request: { header: 'Store', question: 'Which?' },
    idempotencyKey: 'call:0',
    metadata: { step: 1, steps: 2 },
    chatId: 'ops',
    askedBy: 'robot',
  });
  expect(second?.groupId).toBe(first.groupId);
  const answers = [first, second!].map(({ id }) => ({ id, answer: { text: 'a' } }));
  await beckon.answerGroup(first.groupId!, answers, { who: 'ana', via: 'test' });
  const answered = { status: 'answered', answered_by: 'ana' };
  expect(toJson(await result)).toEqual({
    isError: false,
    status: 'answered',
    answers: [
      { ...answered, question: 'Which?', answer: { text: 'a', selected: ['a'] } },
      { ...answered, question: 'Why?', answer: { text: 'a' } },
    ],
  });
});

test('what was answered before the rest expired is not lost', async () => {
  const questions = [{ question: 'Which?' }, { question: 'Why?' }];
  const result = client.callTool({ name: 'ask_questions', arguments: { questions, timeout_seconds: 0.3 } });
  await answer((await findSteps(beckon))[0], { text: 'this' });
  expect(toJson(await result)).toEqual({
    isError: true,
    status: 'expired',
    answers: [
      { question: 'Which?', status: 'answered', answer: { text: 'this' }, answered_by: 'ana' },
      { question: 'Why?', status: 'expired' },
    ],
    note: 'Some were answered. Ask again only what is open.',
  });
  const one = await client.callTool({
    name: 'ask_questions',
    arguments: { questions: [{ question: 'Q' }], timeout_seconds: 0.01 },
  });
  expect(toJson(one)).toEqual({ isError: true, status: 'expired', answers: [{ question: 'Q', status: 'expired' }] });
});

test.each<[string, Record<string, unknown>, object, AnswerInput, object]>([
  [
    'ask_question',
    { question: 'Which?', options: [{ label: 'a' }, { label: 'b' }], multi_select: true },
    { kind: 'question', request: { question: 'Which?', multiSelect: true } },
    { selected: ['a', 'b'] },
    { text: 'a, b', selected: ['a', 'b'] },
  ],
  [
    'request_approval',
    { tool: 'deploy', input: { to: 'production' }, description: 'Friday' },
    { kind: 'approval', request: { tool: 'deploy', input: { to: 'production' }, description: 'Friday' } },
    { decision: 'deny', message: 'Not on a Friday' },
    { decision: 'deny', message: 'Not on a Friday' },
  ],
  [
    'review_plan',
    { plan: '# Plan' },
    { kind: 'plan_review', request: { plan: '# Plan' } },
    { decision: 'adjust', feedback: 'More tests' },
    { decision: 'adjust', feedback: 'More tests' },
  ],
  [
    'fill_form',
    { message: 'Who?', schema: { type: 'object', properties: { name: { type: 'string' } } } },
    { kind: 'form', request: { message: 'Who?' } },
    { values: { name: 'Ada' } },
    { values: { name: 'Ada' } },
  ],
])('%s gives the answer', async (name, args, asked, given, kept) => {
  const result = client.callTool({ name, arguments: args });
  const interaction = await findPending(beckon);
  expect(interaction).toMatchObject({ ...asked, chatId: 'ops', askedBy: 'robot' });
  await answer(interaction, given);
  expect(toJson(await result)).toEqual({ isError: false, status: 'answered', answer: kept, answered_by: 'ana' });
});

test('no answer is an error that says why', async () => {
  const expired = await client.callTool({ name: 'ask_question', arguments: { question: 'Q', timeout_seconds: 0.01 } });
  expect(toJson(expired)).toEqual({ isError: true, status: 'expired' });
  const cancelled = client.callTool({ name: 'ask_question', arguments: { question: 'Q' } });
  await beckon.cancel({ id: (await findPending(beckon)).id }, 'not today');
  expect(toJson(await cancelled)).toEqual({ isError: true, status: 'cancelled', reason: 'not today' });
  const nonsense = { message: '', schema: { type: 'nonsense' } };
  expect(toJson(await client.callTool({ name: 'fill_form', arguments: nonsense }))).toMatchObject({
    isError: true,
    error: expect.stringContaining('schema'),
  });
});

test('a client hears again and again that somebody is being waited for', async () => {
  let heard = 0;
  const onprogress = (): void => {
    heard += 1;
  };
  const result = client.callTool({ name: 'ask_question', arguments: { question: 'Q' } }, { onprogress });
  await until(() => expect(heard).toBeGreaterThan(2));
  await answer(await findPending(beckon), { text: 'yes' });
  expect(toJson(await result)).toMatchObject({ status: 'answered' });
});

test('a call that its client gives up is superseded, unless it can be asked again by its key', async () => {
  const abort = new AbortController();
  const lost = client.callTool({ name: 'ask_question', arguments: { question: 'Q' } }, { signal: abort.signal });
  const { id } = await findPending(beckon);
  abort.abort();
  await lost.catch(() => undefined);
  await until(async () => expect((await beckon.get(id))?.status).toBe('superseded'));

  const again = { name: 'ask_question', arguments: { question: 'Q', idempotency_key: 'k' } };
  const crash = new AbortController();
  const first = client.callTool(again, { signal: crash.signal });
  const asked = await findPending(beckon);
  crash.abort();
  await first.catch(() => undefined);
  await answer(asked, { text: 'kept' });
  expect(toJson(await client.callTool(again))).toMatchObject({ answer: { text: 'kept' } });
});

test('an answer never counts for another call, even if its key is reused', async () => {
  const call = (to: string) =>
    client.callTool({
      name: 'request_approval',
      arguments: { tool: 'deploy', input: { to }, idempotency_key: 'deploy' },
    });
  const first = call('staging');
  await answer(await findPending(beckon), { decision: 'allow' });
  expect(toJson(await first)).toMatchObject({ answer: { decision: 'allow' } });
  expect(toJson(await call('staging'))).toMatchObject({ answer: { decision: 'allow' } });
  expect(toJson(await call('production'))).toEqual({
    isError: true,
    error: expect.stringContaining('was used for another request'),
  });
  const question = { name: 'ask_question', arguments: { question: 'Deploy?', idempotency_key: 'deploy' } };
  expect(toJson(await client.callTool(question))).toMatchObject({ isError: true });
});

function toJson(result: Awaited<ReturnType<Client['callTool']>>): object {
  const [block] = result.content;
  return { isError: result.isError, ...(JSON.parse(block?.type === 'text' ? block.text : '') as object) };
}

async function answer({ id }: Interaction, given: AnswerInput): Promise<void> {
  expect(await beckon.answer(id, given, { who: 'ana', via: 'test' })).toMatchObject({ result: 'accepted' });
}
