import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CliBench } from '../harness/cli.ts';

let bench: CliBench;
let denied: string;
let answered: string;

beforeAll(async () => {
  bench = await CliBench.open();
  const { url } = await bench.up();
  const token = (await readFile(join(bench.home, 'token'), 'utf8')).trim();
  const ask = async (body: object): Promise<string> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const reply = await fetch(`${url}/v1/interactions`, { method: 'POST', headers, body: JSON.stringify(body) });
    return ((await reply.json()) as { id: string }).id;
  };
  const context = { project: 'webshop', branch: 'main' };
  denied = await ask({ kind: 'approval', request: { tool: 'Bash', input: { command: '=1+1 | sh' } }, context });
  answered = await ask({ kind: 'question', request: { question: 'Which color?' } });
  await ask({ kind: 'question', request: { question: 'Still open?' } });
  await bench.run(['answer', denied, '--deny', 'not "today", please']);
  await bench.run(['answer', answered, 'turquoise']);
});
afterAll(() => bench.close());

const read = async (...args: string[]) => (await bench.run(['history', ...args])).stdout.trimEnd();

test('lists what became of every request, newest first', async () => {
  const [head, ...lines] = (await read()).split('\n');
  expect(head).toMatch(/^ID +DECISION +RISK +BY +PROJECT +ASKED +WHAT$/);
  expect(lines.map((line) => /(pending|answered|denied).*(webshop|color|open)/.exec(line)?.slice(1))).toEqual([
    ['pending', 'open'],
    ['answered', 'color'],
    ['denied', 'webshop'],
  ]);
});

test.each<[string[], string[]]>([
  [['--decision', 'denied'], ['denied']],
  [['--project', 'webshop', '--since', '1h'], ['denied']],
  [['--search', 'turquoise'], ['answered']],
  [['--since', '2020-01-01', '--until', '2020-02-01'], []],
  [['--kind', 'question', '--limit', '1'], ['pending']],
])('filters by %j', async (args, decisions) => {
  const { items } = JSON.parse(await read(...args, '--json'));
  expect(items).toHaveLength(decisions.length);
  expect((await read(...args)).match(/ (denied|answered|pending) /g)?.map((word) => word.trim()) ?? []).toEqual(
    decisions,
  );
});

test('prints everything as a spreadsheet that runs nothing, or as JSON lines', async () => {
  const csv = (await read('--csv')).split('\r\n');
  expect(csv[0]).toBe(
    'id,asked at,settled at,project,branch,session,kind,headline,risk,decision,person,via,answer,reason',
  );
  expect(csv).toHaveLength(4);
  expect(csv[3]).toMatch(
    /^int_.*,webshop,main,,approval,'=1\+1 \| sh,notable,denied,.*,"denied, not ""today"", please",$/,
  );
  const lines = (await read('--jsonl', '--decision', 'answered')).split('\n').map((line) => JSON.parse(line));
  expect(lines).toMatchObject([{ id: answered, answer: { text: 'turquoise' } }]);
});

test.each<[string[], RegExp]>([
  [['--decision', 'open'], /decision: expected "pending"/],
  [['--since', 'monday'], /since: expected a time/],
  [['--since', '7weeks'], /expected seconds from 0/],
  [['--csv', '--json'], /one of --json, --csv and --jsonl/],
  [['--csv', '--limit', '3'], /leave out --limit and --after/],
])('%j is a usage error', async (args, message) => {
  expect(await bench.run(['history', ...args])).toMatchObject({ code: 2, stderr: expect.stringMatching(message) });
});

test('says so when nothing is found, and helps with examples', async () => {
  expect(await bench.run(['history', '--person', 'nobody'])).toMatchObject({
    code: 0,
    stdout: '',
    stderr: 'beckon: Nothing found.\n',
  });
  expect((await read('--help')).replaceAll(/\s+/g, ' ')).toContain('beckon history --decision denied --since 7d');
});
