import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../../packages/beckon/src/testing/suites/until.ts';
import { CliBench } from '../harness/cli.ts';

let bench: CliBench;

beforeEach(async () => {
  bench = await CliBench.open();
  await bench.up(['--port', '0']);
  await bench.run(['token', 'create', 'bob', '--role', 'person']);
});
afterEach(() => bench.close());

test('a time policy is set, listed, counts for what is asked, and is removed', async () => {
  const set = await bench.run(['policy', 'set', '--chat', 'ops', '--remind-after', '50ms', '--escalate', '0.1:bob']);
  expect(set).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Remind after: 50ms. Pass on: after 0.1 s to bob.'),
  });
  expect((await bench.run(['policy', 'list'])).stdout).toMatch(/chat ops +50ms +after 0\.1 s to bob/);
  const { items } = JSON.parse((await bench.run(['policy', 'list', '--json'])).stdout);
  expect(items).toMatchObject([{ chatId: 'ops', remindAfter: '50ms', escalate: [{ after: 0.1, to: 'bob' }] }]);
  const asking = await bench.ask(['Deploy?', '--chat', 'ops']);
  await until(async () => {
    const { stdout } = await bench.run(['show', asking.id]);
    expect(stdout).toContain('reminded');
    expect(stdout).toContain('escalated');
    expect(stdout).toContain('to bob, but nobody was told: This person has no destination');
  });
  expect(await bench.run(['policy', 'remove', '--chat', 'ops'])).toMatchObject({ code: 0 });
  expect(await bench.run(['policy', 'remove', '--chat', 'ops'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no time policy for chat ops'),
  });
});

test('an ask has its own, and what is wrong is said before anybody is asked', async () => {
  const asking = await bench.ask(['Deploy?', '--remind-after', 'never', '--escalate', '50ms:dst_none']);
  await until(async () =>
    expect((await bench.run(['show', asking.id])).stdout).toContain('to dst_none, but nobody was told'),
  );
  expect((await bench.run(['show', asking.id])).stdout).not.toContain('reminded');
  for (const [args, message] of [
    [['ask', 'Deploy?', '--escalate', 'bob'], '--escalate: expected how long and to whom'],
    [['ask', 'Deploy?', '--remind-after', '0'], 'remindAfter'],
    [['policy', 'set', '--remind-after', '5m'], 'Give --chat or --project'],
    [['policy', 'set', '--chat', 'ops', '--escalate', '5m:nobody'], 'Nobody who may answer is named "nobody"'],
    [['policy', 'set', '--chat', 'ops', '--escalate', '5m:bob', '--no-escalation'], 'not both'],
  ] as const) {
    const { code, stderr } = await bench.run([...args]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  }
});
