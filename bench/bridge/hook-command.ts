import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compareSamples, type Section } from '../figure.ts';
import type { Effort } from './effort.ts';

const main = fileURLToPath(new URL('../../packages/beckon/dist/cli/main.js', import.meta.url));
const HOOK = JSON.stringify({ session_id: 'bench', hook_event_name: 'SessionStart', source: 'startup', cwd: '/' });

/**
 * What Claude Code waits for when a session starts: the hook command from its start to its end, beside Node that does
 * nothing.
 */
export async function benchHookCommand(folder: string, { commands }: Effort): Promise<Section> {
  if (!existsSync(main)) throw new Error('The part hook-command measures the built program. Run: npm run build');
  const home = join(folder, 'hook-command');
  mkdirSync(home);
  const env = { ...process.env, BECKON_HOME: home, XDG_CACHE_HOME: join(home, 'cache') };
  const samples = { running: [] as number[], down: [] as number[], bare: [] as number[] };
  const daemon = spawn(process.execPath, [main, 'up', '--port', '0', '--json'], { env });
  const elsewhere = { ...env, BECKON_HOME: join(home, 'nobody') };
  try {
    await once(daemon.stdout, 'data');
    // The first ones fill the cache of compiled code.
    for (let round = -3; round < commands; round += 1) {
      const running = await runHook(env);
      const bare = await time(spawn(process.execPath, ['-e', '0'], { env }));
      const down = await runHook(elsewhere);
      if (round < 0) continue;
      samples.running.push(running);
      samples.bare.push(bare);
      samples.down.push(down);
    }
  } finally {
    const closed = once(daemon, 'close');
    daemon.kill('SIGTERM');
    await closed;
  }
  const beside = { name: 'node -e 0', samples: samples.bare };
  const target = { of: 'value', atMost: 100 } as const;
  return {
    name: 'The hook command of SessionStart, from its start to its end',
    figures: [
      compareSamples({ name: 'Beckon runs', unit: 'ms', samples: samples.running, beside, target }),
      compareSamples({ name: 'Beckon does not run (spooled)', unit: 'ms', samples: samples.down, beside, target }),
    ],
    notes: ['One process after another. On a busy machine only the ratio says something.'],
  };
}

function runHook(env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(process.execPath, [main, 'hook', 'claude-code'], { env });
  child.stdin.end(HOOK);
  return time(child);
}

async function time(child: ChildProcess): Promise<number> {
  const startedAt = performance.now();
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`Expected exit code 0, got ${code}`);
  return performance.now() - startedAt;
}
