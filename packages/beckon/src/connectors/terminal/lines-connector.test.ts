import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createInbound } from '../../coordinator/inbound.ts';
import { TextRouter } from '../../coordinator/text-router.ts';
import type { Beckon } from '../../core/beckon.ts';
import { openBeckon } from '../../open-beckon.ts';
import { ask } from '../../testing/suites/samples.ts';
import { createLinesConnector } from './lines-connector.ts';

let folder: string;
let beckon: Beckon;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'beckon-terminal-'));
  beckon = await openBeckon({ store: `sqlite:${folder}/beckon.db` });
});
afterEach(async () => {
  await beckon.close();
  await rm(folder, { recursive: true });
});

async function run(lines: readonly string[]): Promise<{ documents: unknown[]; results: unknown[] }> {
  const input = new PassThrough();
  const output = new PassThrough();
  const connector = createLinesConnector({ input, output, who: 'script' });
  await connector.start({
    answer: (id, answer, who) => beckon.answer(id, answer, { who, via: connector.name }),
    answerMany: (ids, answer, who) => beckon.answerMany(ids, answer, { who, via: connector.name }),
    answerGroup: (groupId, answers, who) => beckon.answerGroup(groupId, answers, { who, via: connector.name }),
    get: (id) => beckon.get(id),
    context: (id) => beckon.context(id),
    say: async () => null,
  });
  input.end(lines.join('\n'));
  const results = await connector.left;
  await connector.stop();
  output.end();
  const written = await text(output);
  return {
    documents: written
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as unknown),
    results,
  };
}

test('each line gets one document, in order, and bad lines stop nothing', async () => {
  const { id } = await beckon.ask(ask());
  const { documents, results } = await run([
    'not json',
    '',
    '[1]',
    'null',
    JSON.stringify({ id, answer: {} }),
    JSON.stringify({ id, answer: { text: 'SQLite' } }),
    JSON.stringify({ id, answer: { text: 'SQLite' } }),
    JSON.stringify({ id, answer: { text: 'Postgres' } }),
    JSON.stringify({ id: 'int_none', answer: { text: 'x' } }),
    `{"id":"${id}","answer":{"text":"no","text":"yes"}}`,
  ]);
  expect(documents).toMatchObject([
    { type: 'error', line: 1, error: { code: 'invalid_input', message: expect.stringContaining('not valid JSON') } },
    { type: 'error', line: 3, error: { code: 'invalid_input' } },
    { type: 'error', line: 4, error: { code: 'invalid_input' } },
    { type: 'error', line: 5, id, error: { code: 'invalid_answer', problems: [{ path: 'text' }] } },
    { type: 'result', line: 6, id, result: 'accepted', interaction: { answeredBy: { who: 'script', via: 'cli' } } },
    { type: 'result', line: 7, id, result: 'repeated' },
    { type: 'result', line: 8, id, result: 'lost', interaction: { answer: { text: 'SQLite' } } },
    { type: 'result', line: 9, id: 'int_none', result: 'unknown', interaction: null },
    { type: 'error', line: 10, error: { code: 'invalid_input', message: expect.stringContaining('"text" twice') } },
  ]);
  expect(results).toHaveLength(9);
});

test('what arrives, settles and is said has a document each', async () => {
  const asked = await beckon.ask(ask());
  const output = new PassThrough();
  const connector = createLinesConnector({ input: new PassThrough(), output, who: 'script' });
  await connector.show(asked);
  await connector.prompt('ops', 'What should change?');
  await beckon.cancel({ id: asked.id });
  await connector.settle(await beckon.wait(asked.id));
  output.end();
  const documents = (await text(output))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  expect(documents).toMatchObject([
    { type: 'pending', interaction: { id: asked.id } },
    { type: 'said', chatId: 'ops', text: 'What should change?' },
    { type: 'settled', interaction: { id: asked.id, status: 'cancelled' } },
  ]);
});

test('the questions of one call are answered by one line, all or none', async () => {
  const steps = await beckon.askGroup(['a', 'b'].map((question) => ({ kind: 'question', request: { question } })));
  const { groupId = '' } = steps[0]!;
  const all = steps.map(({ id }) => ({ id, answer: { text: 'x' } }));
  const { documents, results } = await run([
    JSON.stringify({ groupId, answers: [all[0], { id: steps[1]!.id, answer: {} }] }),
    JSON.stringify({ groupId, answers: all }),
    JSON.stringify({ groupId, answers: 'all' }),
  ]);
  expect(documents).toMatchObject([
    { type: 'error', line: 1, groupId, error: { code: 'invalid_answer' } },
    { type: 'result', line: 2, groupId, result: 'accepted', interactions: [{ status: 'answered' }, {}] },
    { type: 'error', line: 3, error: { code: 'invalid_input' } },
  ]);
  expect(results).toEqual([{ error: 'invalid_answer' }, 'accepted', { error: 'invalid_input' }]);
});

test('a request comes with the words that people see elsewhere', async () => {
  const path = '/home/ada/webshop/a.ts';
  const asked = await beckon.ask({
    kind: 'approval',
    request: { tool: 'Edit', input: { file_path: path, old_string: 'one', new_string: 'two' } },
    context: {
      project: 'webshop',
      folder: '/home/ada/webshop',
      branch: 'main',
      files: [{ path, sha256: 'a'.repeat(64), lines: 2, before: [{ line: 1, text: 'zero\none\n' }] }],
    },
  });
  const [, second] = await beckon.askGroup([ask(), ask()]);
  const output = new PassThrough();
  const input = new PassThrough();
  const connector = createLinesConnector({ input, output, who: 'script' });
  await connector.start(createInbound(beckon, new TextRouter(beckon)));
  for (const one of [asked, second!]) await connector.show(one);
  await beckon.answer(asked.id, { decision: 'deny' }, { who: 'ada', via: 'inbox' });
  await connector.settle(await beckon.wait(asked.id));
  await connector.stop();
  output.end();
  const documents = (await text(output))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  expect(documents).toMatchObject([
    {
      headline: 'Edit a.ts',
      place: 'webshop · main',
      changes: [{ path, state: 'edited', added: 1, removed: 1, diff: '@@ line 1 @@\n zero\n-one\n+two' }],
    },
    { headline: 'Which database?', step: '2 of 2' },
    { type: 'settled', outcome: 'Denied by ada in the inbox.' },
  ]);
});

test('what is dangerous is allowed only with "anyway", and nothing else is held up', async () => {
  const approve = (command: string): Promise<{ id: string }> =>
    beckon.ask({ kind: 'approval', request: { tool: 'Bash', input: { command } } });
  const [force, tests] = [await approve('git push --force origin main'), await approve('npm test')];
  const allow = { decision: 'allow' };
  const { documents, results } = await run([
    JSON.stringify({ id: force.id, answer: allow }),
    JSON.stringify({ id: tests.id, answer: allow }),
    JSON.stringify({ id: force.id, answer: allow, anyway: 'yes' }),
  ]);
  expect(results).toEqual([{ error: 'invalid_answer' }, 'accepted', { error: 'invalid_answer' }]);
  expect(documents[0]).toMatchObject({
    type: 'error',
    id: force.id,
    error: { message: expect.stringMatching(/needs a second step\. Dangerous: .+ add "anyway": true to the line\.$/) },
  });
  expect(await beckon.get(force.id)).toMatchObject({ status: 'pending' });
  const second = await run([JSON.stringify({ id: force.id, answer: allow, anyway: true })]);
  expect(second.results).toEqual(['accepted']);
  expect(await beckon.get(force.id)).toMatchObject({ answer: allow });
});

test('approvals of one call are looked at one by one', async () => {
  const [safe, risky] = await beckon.askGroup([
    { kind: 'approval', request: { tool: 'Bash', input: { command: 'npm test' } } },
    { kind: 'approval', request: { tool: 'Bash', input: { command: 'git push --force origin main' } } },
  ]);
  const answers = [safe, risky].map((asked) => ({ id: asked?.id, answer: { decision: 'allow' } }));
  const groupId = safe?.groupId;
  const { results } = await run([
    JSON.stringify({ groupId, answers }),
    JSON.stringify({ groupId, answers: [null, 1] }),
    JSON.stringify({ groupId, answers, anyway: true }),
  ]);
  expect(results).toEqual([{ error: 'invalid_answer' }, { error: 'invalid_input' }, 'accepted']);
});

test('the risk is beside the request', async () => {
  await beckon.ask({ kind: 'approval', request: { tool: 'Bash', input: { command: 'git push --force origin main' } } });
  const [asked] = (await beckon.list()).items;
  const output = new PassThrough();
  const connector = createLinesConnector({ input: new PassThrough(), output, who: 'script' });
  if (asked !== undefined) await connector.show(asked);
  await connector.show(await beckon.ask(ask()));
  output.end();
  const [first, second] = (await text(output))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as object);
  expect(first).toMatchObject({
    type: 'pending',
    risk: { level: 'dangerous', findings: expect.arrayContaining([expect.objectContaining({ code: 'force-push' })]) },
  });
  expect(second).not.toHaveProperty('risk');
});
