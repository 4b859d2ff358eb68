import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CliBench, typeSlowly } from '../harness/cli.ts';

const FORCE = 'git push --force origin topic';
const ENTER = '\r';
const DOWN = '\u001b[B';

let bench: CliBench;

beforeAll(async () => {
  bench = await CliBench.open();
  await bench.up();
});
afterAll(() => bench.close());

async function approve(command: string, ...more: string[]): Promise<string> {
  const request = JSON.stringify({ tool: 'Bash', input: { command } });
  return (await bench.ask(['--kind', 'approval', '--request', request, ...more])).id;
}

async function expectStatus(id: string, status: string, answer?: object): Promise<void> {
  const { stdout } = await bench.run(['show', id, '--json']);
  const { interaction } = JSON.parse(stdout) as { interaction: object };
  expect(interaction).toMatchObject({ status, ...(answer !== undefined && { answer }) });
}

describe('beckon answer for a dangerous request', () => {
  test.each([[['--allow']], [['yes']], [['--answer', '{"decision":"allow"}']]])(
    'without a terminal %j sends nothing, and says why and how',
    async (args) => {
      const id = await approve(FORCE);
      const { code, stdout, stderr } = await bench.run(['answer', id, ...args]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(
        /needs a second step\. Dangerous: .+ To allow it: beckon answer int_\S+ --allow --anyway\n$/,
      );
      await expectStatus(id, 'pending');
    },
  );

  test.each([[['--allow', '--anyway']], [['yes', '--anyway']], [['allow anyway']]])('%j allows it', async (args) => {
    const id = await approve(FORCE);
    expect(await bench.run(['answer', id, ...args])).toMatchObject({ code: 0 });
    await expectStatus(id, 'answered', { decision: 'allow' });
  });

  test('an edit that is dangerous needs it too', async () => {
    const id = await approve('npm test');
    const answer = JSON.stringify({ decision: 'allow', updatedInput: { command: FORCE } });
    expect(await bench.run(['answer', id, '--answer', answer])).toMatchObject({ code: 2 });
    await expectStatus(id, 'pending');
  });

  test.each(['--rule', '--remember'])('%s is not for what is dangerous', async (option) => {
    const id = await approve(FORCE);
    const refused = await bench.run(['answer', id, '--allow', '--anyway', option]);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('is not remembered. Dangerous: ') });
    await expectStatus(id, 'pending');
  });

  test('denying needs nothing more', async () => {
    const id = await approve(FORCE);
    expect(await bench.run(['answer', id, '--deny', 'no force'])).toMatchObject({ code: 0 });
    await expectStatus(id, 'answered', { decision: 'deny', message: 'no force' });
  });

  test('beckon say: a plain yes answers nothing and says what does', async () => {
    const id = await approve(FORCE, '--chat', 'say');
    const refused = await bench.run(['say', 'yes', '--chat', 'say']);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/Dangerous: .+ write: allow anyway\n$/) });
    await expectStatus(id, 'pending');
    expect(await bench.run(['say', 'allow anyway', '--chat', 'say'])).toMatchObject({ code: 0 });
    await expectStatus(id, 'answered', { decision: 'allow' });
  });
});

describe.runIf(process.platform === 'linux')('on a terminal', () => {
  test('--allow asks for the words, and anything else sends nothing', async () => {
    const id = await approve(FORCE);
    const first = bench.startOnTerminal(['answer', id, '--allow']);
    await first.seen(/To allow it, type: allow anyway/);
    await typeSlowly(first, 'yes', ENTER);
    expect(await bench.finish(first)).toMatchObject({ code: 1, stdout: expect.stringContaining('Nothing was sent') });
    await expectStatus(id, 'pending');
    const second = bench.startOnTerminal(['answer', id, '--allow']);
    await second.seen(/To allow it, type: allow anyway/);
    await typeSlowly(second, 'allow anyway', ENTER);
    expect(await bench.finish(second)).toMatchObject({ code: 0 });
    await expectStatus(id, 'answered', { decision: 'allow' });
  });

  test('the prompt of "beckon answer ID" has no "remember", and asks for the words', async () => {
    const id = await approve(FORCE);
    const run = bench.startOnTerminal(['answer', id]);
    await run.seen(/Allow this\?/);
    expect(stripVTControlCharacters(run.stdout())).not.toContain('remember');
    await typeSlowly(run, DOWN, ENTER);
    await run.seen(/To allow it, type: allow anyway/);
    await typeSlowly(run, 'y', ENTER);
    await run.seen(/because you typed something else[^]*Allow this\?/);
    await expectStatus(id, 'pending');
    await typeSlowly(run, DOWN, ENTER);
    await run.seen(/something else[^]*To allow it, type: allow anyway/);
    await typeSlowly(run, 'allow anyway', ENTER);
    expect(await bench.finish(run)).toMatchObject({ code: 0 });
    await expectStatus(id, 'answered', { decision: 'allow' });
  });
});

describe('lists', () => {
  test('beckon list, show, history and watch say how much care a request needs', async () => {
    const watching = bench.start(['watch', '--after', '0']);
    const watchingJson = bench.start(['watch', '--after', '0', '--json']);
    const [force, plain] = [await approve(FORCE, '--chat', 'care'), await approve('npm test', '--chat', 'care')];
    await watching.seen(new RegExp(`${force}.*⚠ Dangerous: `));
    const [line] = await watchingJson.seen(new RegExp(`^.*${force}.*"risk".*$`, 'm'));
    expect(JSON.parse(line)).toMatchObject({ type: 'interaction.requested', risk: { level: 'dangerous' } });
    const list = await bench.run(['list', '--chat', 'care']);
    expect(list.stdout).toMatch(
      new RegExp(`RISK[^]*${plain} +pending +approval +care[^]*${force} +pending +approval +⚠ dangerous`),
    );
    const { items } = JSON.parse((await bench.run(['list', '--chat', 'care', '--json'])).stdout) as { items: object[] };
    expect(items).toMatchObject([{ risk: { level: 'routine', findings: [] } }, { risk: { level: 'dangerous' } }]);
    const history = await bench.run(['history', '--chat', 'care']);
    expect(history.stdout).toMatch(new RegExp(`${force} +pending +⚠ dangerous`));
    const show = await bench.run(['show', force]);
    expect(show.stdout).toMatch(
      /Risk +⚠ dangerous\n[^]*⚠ Dangerous {2}\S[^]*\$ git push --force origin topic\n +‾+ \S/,
    );
    expect((await bench.run(['show', plain])).stdout).not.toMatch(/Risk/);
  });

  test('beckon list --risk finds them, over every page', async () => {
    const id = await approve(FORCE, '--chat', 'many');
    for (let index = 0; index < 3; index += 1) await approve(`npm test ${index}`, '--chat', 'many');
    const found = await bench.run(['list', '--chat', 'many', '--risk', 'dangerous', '--json']);
    expect(JSON.parse(found.stdout)).toMatchObject({ items: [{ id }], lastSeq: expect.any(Number) });
    expect(await bench.run(['list', '--risk', 'high'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('routine, notable, dangerous'),
    });
    expect(await bench.run(['list', '--risk', 'dangerous', '--limit', '1'])).toMatchObject({ code: 2 });
  });
});

describe('beckon answer --all --like', () => {
  test('answers what is alike and pending, names each, and includes nothing else', async () => {
    const ids = [await approve('npm test -- --run a'), await approve('npm test -- --run b')];
    const other = await approve('npm run build');
    const [first = ''] = ids;
    const asked = await bench.run(['answer', '--all', '--like', first, '--allow']);
    expect(asked).toMatchObject({ code: 2, stderr: expect.stringMatching(/To answer these 2 requests, add --yes:/) });
    await expectStatus(first, 'pending');
    const { code, stdout } = await bench.run(['answer', '--all', '--like', first, '--allow', '--yes']);
    expect(code).toBe(0);
    expect(stdout.trim().split('\n')).toEqual(
      ids.map((id, index) => expect.stringMatching(new RegExp(`^${id}  accepted  npm test -- --run ${'ab'[index]}`))),
    );
    for (const id of ids) await expectStatus(id, 'answered', { decision: 'allow' });
    await expectStatus(other, 'pending');
    const none = await bench.run(['answer', '--all', '--like', first, '--allow', '--yes']);
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing was answered') });
  });

  test('leaves what is dangerous out of an allow, and names it; a deny has it', async () => {
    const ids = [await approve('git push --force origin one'), await approve('git push --force origin two')];
    const [first = ''] = ids;
    const allowed = await bench.run(['answer', '--all', '--like', first, '--allow', '--yes', '--json']);
    expect(allowed.code).toBe(1);
    const { leftOut, results } = JSON.parse(allowed.stdout) as { leftOut: string[]; results: unknown[] };
    expect(results).toEqual([]);
    expect(leftOut).toEqual(expect.arrayContaining(ids));
    for (const id of ids) expect(allowed.stderr).toMatch(new RegExp(`left out: ${id} git push .+ Dangerous: `));
    const denied = await bench.run(['answer', '--all', '--like', first, '--deny', 'no force', '--yes', '--json']);
    expect(denied.code).toBe(0);
    for (const id of ids) await expectStatus(id, 'answered', { decision: 'deny', message: 'no force' });
  });

  test('what does not go together is refused', async () => {
    const id = await approve('ls');
    const question = (await bench.ask(['Lunch?'])).id;
    for (const args of [
      ['--all', '--allow'],
      ['--like', id, '--allow'],
      ['--all', '--like', id],
      [id, '--all', '--like', id, '--allow'],
      ['--all', '--like', id, '--allow', '--anyway'],
      ['--all', '--like', id, '--allow', '--rule'],
      ['--all', '--like', question, '--allow', '--yes'],
      [id, '--allow', '--yes'],
      [id, '--deny', '--rule'],
      [id, '--allow', '--rule', '--remember'],
      [],
    ]) {
      expect({ args, ...(await bench.run(['answer', ...args])) }).toMatchObject({ args, code: 2, stdout: '' });
    }
    await expectStatus(id, 'pending');
  });

  test.runIf(process.platform === 'linux')('on a terminal it lists them and asks; Enter alone means no', async () => {
    const ids = [await approve('npm ci --workspace a'), await approve('npm ci --workspace b')];
    const [first = ''] = ids;
    const args = ['answer', '--all', '--like', first, '--allow'];
    const left = bench.startOnTerminal(args);
    await left.seen(/npm ci --workspace a[^]*npm ci --workspace b[^]*Allow these 2\?/);
    await typeSlowly(left, ENTER);
    expect(await bench.finish(left)).toMatchObject({ code: 1 });
    const run = bench.startOnTerminal(args);
    await run.seen(/Allow these 2\?/);
    const late = await approve('npm ci --workspace c');
    await typeSlowly(run, DOWN, ENTER);
    expect(await bench.finish(run)).toMatchObject({ code: 0 });
    for (const id of ids) await expectStatus(id, 'answered', { decision: 'allow' });
    await expectStatus(late, 'pending');
  });
});

describe('beckon answer --allow', () => {
  test('--rule makes the narrowest rule of Beckon and says so; the next one is decided by it', async () => {
    const id = await approve('npm run lint');
    const { code, stderr } = await bench.run(['answer', id, '--allow', '--rule']);
    expect(code).toBe(0);
    expect(stderr).toMatch(/Beckon made the rule rule_\S+: Allow exactly `npm run lint`.*See: beckon rules show rule_/);
    const request = JSON.stringify({ tool: 'Bash', input: { command: 'npm run lint' } });
    const next = await bench.run(['ask', '--kind', 'approval', '--request', request, '--json']);
    expect(next.code).toBe(0);
    const decided = JSON.parse(next.stdout) as { id: string };
    expect(decided).toMatchObject({ status: 'answered', answeredBy: { kind: 'rule' } });
    expect((await bench.run(['show', decided.id])).stdout).toMatch(/Outcome +✓ Allowed by a rule of /);
    expect((await bench.run(['list', '--json'])).stdout).not.toContain(decided.id);
  });

  test('--remember leaves the rule to the agent and says so', async () => {
    const id = await approve('npm run format');
    const { code, stderr } = await bench.run(['answer', id, '--allow', '--remember']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('The agent remembers its own rule.') });
    await expectStatus(id, 'answered', { decision: 'allow', remember: true });
  });
});
