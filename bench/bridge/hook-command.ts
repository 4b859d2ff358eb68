import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compareSamples, type Section } from '../figure.ts';
import type { Effort } from './effort.ts';

const main = fileURLToPath(new URL('../../packages/beckon/dist/cli/main.js', import.meta.url));
const HOOK = JSON.stringify({ session_id: 'bench', hook_event_name: 'SessionStart', source: 'startup', cwd: '/' });
const TRANSCRIPT_BYTES = 50_000_000;

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

/**
 * What Claude Code waits for when it asks whether it may edit a file: the command gathers what surrounds the call from
 * a transcript of 50 MB and from the file, beside the same call without a transcript. The session is one that defers,
 * so nobody has to answer.
 */
export async function benchHookContext(folder: string, { commands }: Effort): Promise<Section> {
  if (!existsSync(main)) throw new Error('The part hook-context measures the built program. Run: npm run build');
  const home = join(folder, 'hook-context');
  mkdirSync(home);
  const env = {
    ...process.env,
    BECKON_HOME: home,
    XDG_CACHE_HOME: join(home, 'cache'),
    CLAUDE_CODE_ENTRYPOINT: 'sdk-cli',
  };
  const transcript = join(home, 'session.jsonl');
  const file = join(home, 'cart.ts');
  writeTranscript(transcript);
  writeFileSync(file, Array.from({ length: 2000 }, (_, line) => `export const line${line} = ${line};\n`).join(''));
  const samples = { full: [] as number[], off: [] as number[], plain: [] as number[], bare: [] as number[] };
  const daemon = spawn(process.execPath, [main, 'up', '--port', '0', '--json'], { env });
  const toHook = (round: number, path: string): string =>
    JSON.stringify({
      session_id: 'bench',
      hook_event_name: 'PreToolUse',
      cwd: home,
      transcript_path: path,
      tool_name: 'Edit',
      tool_input: { file_path: file, old_string: 'line1000', new_string: `line${round}` },
      tool_use_id: `toolu_${round}_${path === transcript}`,
    });
  const args = ['--defer', '--timeout', '1h'];
  try {
    await once(daemon.stdout, 'data');
    for (let round = -3; round < commands; round += 1) {
      const full = await runHook(env, toHook(round, transcript), args);
      const plain = await runHook(env, toHook(round, join(home, 'missing')), args);
      const off = await runHook({ ...env, BECKON_CONTEXT: 'off' }, toHook(round + 100_000, transcript), args);
      const bare = await time(spawn(process.execPath, ['-e', '0'], { env }));
      if (round < 0) continue;
      samples.full.push(full);
      samples.plain.push(plain);
      samples.off.push(off);
      samples.bare.push(bare);
    }
  } finally {
    const closed = once(daemon, 'close');
    daemon.kill('SIGTERM');
    await closed;
  }
  const beside = { name: 'without a transcript', samples: samples.plain };
  const node = { name: 'node -e 0', samples: samples.bare };
  const target = { of: 'value', atMost: 100 } as const;
  return {
    name: 'The hook command that asks about an Edit, from its start to its end',
    figures: [
      compareSamples({ name: 'with a transcript of 50 MB', unit: 'ms', samples: samples.full, beside, target }),
      compareSamples({ name: 'the same, beside Node', unit: 'ms', samples: samples.full, beside: node, target }),
      compareSamples({ name: 'with context: off', unit: 'ms', samples: samples.off, beside, target }),
    ],
    notes: ['One process after another. On a busy machine only the ratio says something.'],
  };
}

function writeTranscript(path: string): void {
  const said = Array.from({ length: 200 }, (_, index) => {
    const text = `${index} ${'The cart is converted with the rate of the day. '.repeat(20)}`;
    return `${JSON.stringify({ type: 'assistant', message: { content: [{ type: 'text', text }] } })}\n`;
  }).join('');
  const descriptor = openSync(path, 'w');
  writeSync(descriptor, `${JSON.stringify({ type: 'user', message: { content: 'Convert the cart' } })}\n`);
  for (let bytes = 0; bytes < TRANSCRIPT_BYTES; bytes += said.length) writeSync(descriptor, said);
  closeSync(descriptor);
}

function runHook(env: NodeJS.ProcessEnv, hook = HOOK, args: readonly string[] = []): Promise<number> {
  const child = spawn(process.execPath, [main, 'hook', 'claude-code', ...args], { env });
  child.stdin.end(hook);
  return time(child);
}

async function time(child: ChildProcess): Promise<number> {
  const startedAt = performance.now();
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`Expected exit code 0, got ${code}`);
  return performance.now() - startedAt;
}
