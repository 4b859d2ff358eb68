import { existsSync, readdirSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Interaction } from '../../packages/beckon/src/protocol/interaction.ts';
import { until } from '../../packages/beckon/src/testing/suites/until.ts';
import { type Ended, type Run } from '../harness/cli.ts';
import { useBench } from '../harness/use-bench.ts';

const COMMON = { session_id: 'ses-1', cwd: '/home/dev/work' };
const CALL = { tool_name: 'Bash', tool_input: { command: 'ls' } };
const ASKS = { ...COMMON, ...CALL, hook_event_name: 'PermissionRequest' };
const RAN = { ...COMMON, ...CALL, hook_event_name: 'PostToolUse', tool_use_id: 'toolu_1' };
const STOPPED = { ...COMMON, hook_event_name: 'Stop' };
const ENDED = { ...COMMON, hook_event_name: 'SessionEnd', reason: 'other' };

const bench = useBench();

const person = expect.stringMatching(/^.+@.+$/) as string;

describe.concurrent('hooks that came while nothing ran', () => {
  test.each(['token', 'claude-code.token'])(
    'what was settled in the terminal while Beckon did not run is closed when it starts (hooks with the %s)',
    async (tokenFile) => {
      const first = await bench.up();
      if (tokenFile !== 'token') await createHookToken();
      const asking = hook(ASKS);
      await until(async () => expect(await list('pending')).toHaveLength(1));
      await stop(first);
      await kill(asking);
      for (const report of [RAN, STOPPED]) expect(await bench.finish(hook(report))).toEqual(NOTHING);
      await until(() => expect(readdirSync(join(bench.home, 'spool'))).toHaveLength(2));

      const second = await bench.up();
      await second.seen(/Took in 2 hooks/);
      expect(await list('answered')).toMatchObject([
        {
          answer: { decision: 'allow' },
          // In the name of the token; who sat there is what it says.
          answeredBy:
            tokenFile === 'token' ? { who: person, via: 'terminal' } : { who: 'claude-code', claim: { who: person } },
        },
      ]);
    },
  );

  test('a hook that has a name twice is neither sent nor spooled', async () => {
    const run = bench.start(['hook', 'claude-code']);
    run.child.stdin?.end('{"hook_event_name":"Stop","session_id":"mine","session_id":"another"}');
    expect(await bench.finish(run)).toEqual(NOTHING);
    expect(existsSync(join(bench.home, 'spool'))).toBe(false);
  });

  test('the end of a session that was spooled ends what the session asked; what is no hook of Claude Code stops nothing', async () => {
    const first = await bench.up();
    const asking = hook(ASKS);
    await until(async () => expect(await list('pending')).toHaveLength(1));
    await stop(first);
    await kill(asking);
    const spool = join(bench.home, 'spool');
    await bench.finish(hook({ ...COMMON, hook_event_name: 'PostToolUse', tool_name: 7 }));
    await bench.finish(hook({ ...COMMON, type: 'of another agent' }));
    await bench.finish(hook(ENDED));
    await writeFile(join(spool, '0.hook'), 'nonsense');

    const second = await bench.up();
    await second.seen(/Took in 3 hooks/);
    expect(await list('superseded')).toMatchObject([{ reason: 'The session ended' }]);
    expect(readdirSync(spool)).toEqual(['bad']);
  });

  test('hooks are taken in even if the tokens are gone', async () => {
    const first = await bench.up();
    await stop(first);
    await bench.finish(hook(ENDED));
    await rm(join(bench.home, 'token'));
    const second = await bench.up();
    await second.seen(/Took in 1 hook /);
    expect(existsSync(join(bench.home, 'token'))).toBe(true);
  });
});

const NOTHING: Ended = { code: 0, stdout: '', stderr: '' };

function hook(payload: object): Run {
  const run = bench.start(['hook', 'claude-code']);
  run.child.stdin?.end(JSON.stringify(payload));
  return run;
}

async function createHookToken(): Promise<void> {
  const { stdout } = await bench.run(['token', 'create', 'claude-code', '--role', 'agent', '--json']);
  const { token } = JSON.parse(stdout) as { token: string };
  await writeFile(join(bench.home, 'claude-code.token'), token, { mode: 0o600 });
}

async function list(status: string): Promise<Interaction[]> {
  const { stdout } = await bench.run(['list', '--status', status, '--json']);
  return (JSON.parse(stdout) as { items: Interaction[] }).items;
}

async function stop({ child, exit }: Run): Promise<void> {
  child.kill('SIGTERM');
  await exit;
}

// As Claude Code does, once the question is settled in its terminal.
async function kill({ child, exit }: Run): Promise<void> {
  child.kill('SIGKILL');
  await exit;
}
