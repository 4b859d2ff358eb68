import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CliBench } from '../harness/cli.ts';

let bench: CliBench;

beforeAll(async () => {
  bench = await CliBench.open();
  await bench.up();
});
afterAll(() => bench.close());

test('a question asked in one process and answered in another prints the answer alone', async () => {
  const asked = await bench.ask(['Deploy?', '--option', 'yes', '--option', 'no', '--timeout', '10m']);
  expect(await bench.run(['answer', asked.id, '--select', 'no'])).toMatchObject({ code: 0 });
  expect(await bench.finish(asked)).toMatchObject({ code: 0, stdout: 'no\n' });
});

test('an answer in own words arrives unchanged, with its control characters', async () => {
  const asked = await bench.ask(['Why?']);
  await bench.run(['answer', asked.id, 'because \u001b[31mred\u001b[0m']);
  expect(await bench.finish(asked)).toMatchObject({ code: 0, stdout: 'because \u001b[31mred\u001b[0m\n' });
});

test('several choices are joined', async () => {
  const asked = await bench.ask(['Which?', '--option', 'a', '--option', 'b', '--option', 'c', '--multi']);
  await bench.run(['answer', asked.id, '--select', 'a', '--select', 'c']);
  expect(await bench.finish(asked)).toMatchObject({ code: 0, stdout: 'a, c\n' });
});

describe('the exit code tells how it ended', () => {
  const approval = ['--kind', 'approval', '--request', '{"tool":"Bash","input":{"command":"ls"}}'];

  test('0 for an allowed approval', async () => {
    const asked = await bench.ask(approval);
    await bench.run(['answer', asked.id, '--allow']);
    expect(await bench.finish(asked)).toMatchObject({ code: 0, stdout: 'allow\n' });
  });

  test('3 for a denied approval, with the reason on stderr', async () => {
    const asked = await bench.ask(approval);
    await bench.run(['answer', asked.id, '--deny', 'not on a Friday']);
    const { code, stdout, stderr } = await bench.finish(asked);
    expect({ code, stdout }).toEqual({ code: 3, stdout: 'deny\n' });
    expect(stderr).toMatch(/Denied by .+ \(says: on the command line\): not on a Friday/);
  });

  test('3 for a plan that was sent back', async () => {
    const asked = await bench.ask(['--kind', 'plan_review', '--request', '{"plan":"# Plan"}']);
    await bench.run(['answer', asked.id, '--decision', 'adjust', '--feedback', 'smaller steps']);
    const { code, stdout, stderr } = await bench.finish(asked);
    expect({ code, stdout }).toEqual({ code: 3, stdout: 'adjust\n' });
    expect(stderr).toContain('smaller steps');
  });

  test('3 for a plan that was sent back with comments on its lines, which the agent reads', async () => {
    const asked = await bench.ask(['--kind', 'plan_review', '--request', '{"plan":"# Plan\\n\\n1. Ship it"}']);
    const nowhere = await bench.run(['answer', asked.id, '--comment', '4: what?']);
    expect(nowhere).toMatchObject({ code: 2, stderr: expect.stringContaining('a line of the plan, 1 to 3') });
    await bench.run(['answer', asked.id, '--comment', '3: Not on a Friday', '--feedback', 'Almost']);
    const { code, stderr } = await bench.finish(asked);
    expect(code).toBe(3);
    expect(stderr).toMatch(/Sent back by .+: with 1 comment, Almost/);
    expect(stderr).toContain('Line 3:\n> 1. Ship it\nNot on a Friday');
  });

  test('7 for a key that was used for something else: nothing is asked, and no answer is handed out', async () => {
    const asked = await bench.ask([...approval, '--key', 'job-1']);
    await bench.run(['answer', asked.id, '--allow']);
    await bench.finish(asked);
    expect(await bench.run(['ask', ...approval, '--key', 'job-1'])).toMatchObject({ code: 0, stdout: 'allow\n' });
    const request = '{"tool":"Bash","input":{"command":"rm -rf /"}}';
    const others = [['--kind', 'approval', '--request', request], ['Allow?'], [...approval, '--chat', 'ops']];
    for (const other of others) {
      const refused = await bench.run(['ask', ...other, '--key', 'job-1']);
      expect(refused).toMatchObject({ code: 7, stdout: '', stderr: expect.stringContaining('its own key') });
    }
  });

  test('4 when nobody answered in time', async () => {
    const ended = await bench.run(['ask', 'Anyone?', '--timeout', '200ms']);
    expect(ended).toMatchObject({ code: 4, stdout: '' });
    expect(ended.stderr).toContain('nobody answered in time');
  });

  test('5 when it was cancelled, with the reason', async () => {
    const asked = await bench.ask(['Still needed?']);
    expect(await bench.run(['cancel', asked.id, '--reason', 'the build is gone'])).toMatchObject({ code: 0 });
    const ended = await bench.finish(asked);
    expect(ended).toMatchObject({ code: 5, stdout: '' });
    expect(ended.stderr).toContain('the build is gone');
  });

  test.each([
    ['an unknown option', ['ask', 'Q?', '--colour', 'red'], /unknown option '--colour'.*beckon ask --help/],
    ['no question', ['ask'], /Nothing to ask/],
    ['a timeout that is none', ['ask', 'Q?', '--timeout', 'soon'], /--timeout.*"soon"/],
    ['a request that is not JSON', ['ask', '--kind', 'form', '--request', '{'], /--request is not valid JSON/],
    [
      'a request with a field twice',
      ['ask', '--kind', 'approval', '--request', '{"tool":"Bash","input":{"command":"ls","command":"rm"}}'],
      /field "command" twice/,
    ],
    ['a request with a wrong field', ['ask', '--kind', 'approval', '--request', '{"tol":"x"}'], /request\.tol/],
    ['an unknown command', ['aks', 'Q?'], /unknown command 'aks'/],
  ])('2 for %s', async (_, args, message) => {
    const ended = await bench.run(args);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toMatch(message);
    expect(ended.stderr.trim().split('\n')).toHaveLength(1);
  });
});

test('with --json the outcome is one JSON document', async () => {
  const asked = await bench.ask(['Deploy?', '--option', 'yes', '--chat', 'ops', '--session', 's1', '--json']);
  await bench.run(['answer', asked.id, 'yes']);
  const { code, stdout } = await bench.finish(asked);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    id: asked.id,
    status: 'answered',
    chatId: 'ops',
    sessionId: 's1',
    answer: { text: 'yes', selected: ['yes'] },
    answeredBy: { via: 'api', kind: 'person', claim: { via: 'cli' } },
  });
});

test('a form comes back as JSON', async () => {
  const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
  const asked = await bench.ask(['--kind', 'form', '--request', JSON.stringify({ message: 'How many?', schema })]);
  const refused = await bench.run(['answer', asked.id, '--values', '{"n":"x"}']);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('values.n');
  const twice = await bench.run(['answer', asked.id, '--values', '{"n":1,"n":2}']);
  expect(twice).toMatchObject({ code: 2, stderr: expect.stringContaining('field "n" twice') });
  expect(await bench.run(['answer', asked.id, '--values', '{"n":3}'])).toMatchObject({ code: 0 });
  expect(await bench.finish(asked)).toMatchObject({ code: 0, stdout: '{"n":3}\n' });
});

test('asking again with the same key finds the answer', async () => {
  const asked = await bench.ask(['Deploy?', '--key', 'deploy-42']);
  await bench.run(['answer', asked.id, 'yes']);
  await bench.finish(asked);
  expect(await bench.run(['ask', 'Deploy?', '--key', 'deploy-42'])).toMatchObject({ code: 0, stdout: 'yes\n' });
});

test('Ctrl-C cancels the question and says so', async () => {
  const asked = await bench.ask(['Still there?']);
  asked.child.kill('SIGINT');
  const ended = await bench.finish(asked);
  expect(ended).toMatchObject({ code: 5, stdout: '' });
  expect(ended.stderr).toContain('Cancelled: Ctrl-C in the terminal');
  const { stdout } = await bench.run(['show', asked.id, '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ interaction: { status: 'cancelled' } });
});

test('the default timeout comes from the environment', async () => {
  const first = await bench.run(['ask', 'Anyone?', '--json'], { env: { LEASHD_APPROVAL_TIMEOUT_SECONDS: '0.2' } });
  expect(first.code).toBe(4);
});
