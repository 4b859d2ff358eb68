import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CliBench, typeSlowly } from '../harness/cli.ts';

const ENTER = '\r';
const DOWN = '\u001b[B';
const OPTIONS = [{ label: 'SQLite' }, { label: 'Postgres' }];

let bench: CliBench;

beforeAll(async () => {
  bench = await CliBench.open();
  await bench.up();
});
afterAll(() => bench.close());

async function ask(kind: string, request: object, ...more: string[]): Promise<string> {
  return (await bench.ask(['--kind', kind, '--request', JSON.stringify(request), ...more])).id;
}

function approve(...more: string[]): Promise<string> {
  const abilities = { denyText: false, editInput: false, remember: false };
  return ask('approval', { tool: 'Bash', input: { command: 'npm test' }, abilities }, ...more);
}

function choose(...more: string[]): Promise<string> {
  const abilities = { ownWords: false, notes: false };
  return ask('question', { question: 'Which?', options: OPTIONS, abilities }, ...more);
}

async function readState(id: string): Promise<object> {
  const { stdout } = await bench.run(['show', id, '--json']);
  return (JSON.parse(stdout) as { interaction: object }).interaction;
}

describe('beckon answer refuses what the agent cannot do, and says so', () => {
  test.each([
    [['--deny', 'not today'], 'this agent cannot read why a call is denied'],
    [['not today'], 'this agent cannot read why a call is denied'],
    [['--allow', '--remember'], 'this agent cannot remember an answer'],
    [
      ['--answer', '{"decision":"allow","updatedInput":{"command":"ls"}}'],
      'this agent cannot run a call with an edited',
    ],
  ])('%j to an approval', async (args, words) => {
    const id = await approve();
    const refused = await bench.run(['answer', id, ...args]);
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(words) });
    expect(await readState(id)).toMatchObject({ status: 'pending' });
    expect(await bench.run(['answer', id, 'no'])).toMatchObject({ code: 0 });
    expect(await readState(id)).toMatchObject({ answer: { decision: 'deny' } });
  });

  test('own words and notes to a question', async () => {
    const id = await choose();
    for (const [args, words] of [
      [['a file'], 'because this agent takes no other words'],
      [['--select', 'a file'], 'Its agent takes no other words.'],
      [['--select', 'SQLite', 'for now'], 'because this agent cannot read notes'],
    ] as const) {
      expect(await bench.run(['answer', id, ...args])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(words),
      });
    }
    expect(await bench.run(['answer', id, 'sqlite'])).toMatchObject({ code: 0 });
  });
});

test('beckon say refuses words that are no option, and takes one that is', async () => {
  const id = await choose('--chat', 'say');
  const refused = await bench.run(['say', 'a file', '--chat', 'say']);
  expect(refused).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('one of the options "SQLite", "Postgres"'),
  });
  expect(await bench.run(['say', 'postgres', '--chat', 'say'])).toMatchObject({ code: 0 });
  expect(await readState(id)).toMatchObject({ answer: { selected: ['Postgres'] } });
});

test('the prompts of "beckon answer ID" offer only what is possible', async () => {
  const approval = bench.startOnTerminal(['answer', await approve()]);
  await approval.seen(/Allow this\?[^]*Read it again/);
  expect(stripVTControlCharacters(approval.stdout())).not.toMatch(/say why|remember|Edit the input/);
  await typeSlowly(approval, ENTER);
  expect(await bench.finish(approval)).toMatchObject({ code: 0 });

  const id = await choose();
  const question = bench.startOnTerminal(['answer', id]);
  await question.seen(/Which\?[^]*Postgres/);
  expect(stripVTControlCharacters(question.stdout())).not.toMatch(/own words|note/);
  await typeSlowly(question, DOWN, ENTER);
  expect(await bench.finish(question)).toMatchObject({ code: 0 });
  expect(await readState(id)).toMatchObject({ answer: { selected: ['Postgres'] } });

  const abilities = { decisions: ['default', 'adjust'], feedback: false, editPlan: false };
  const reviewed = await ask('plan_review', { plan: '# Plan', abilities });
  const plan = bench.startOnTerminal(['answer', reviewed]);
  await plan.seen(/Accept this plan\?[^]*Read it again/);
  expect(stripVTControlCharacters(plan.stdout())).not.toMatch(/clear context|with feedback|Edit it/);
  await typeSlowly(plan, DOWN, ENTER);
  expect(await bench.finish(plan)).toMatchObject({ code: 0 });
  expect(await readState(reviewed)).toMatchObject({ status: 'answered', answer: { decision: 'adjust' } });
});
