import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { startBeckon, startHook, startNothing, time, toEnv } from '../beckon-process.ts';
import { compareSamples, type Section } from '../figure.ts';
import type { Effort } from './effort.ts';

const HOOK = JSON.stringify({ session_id: 'bench', hook_event_name: 'SessionStart', source: 'startup', cwd: '/' });
const TRANSCRIPT_BYTES = 50_000_000;

/**
 * What Claude Code waits for when a session starts: the hook command from its start to its end, beside Node that does
 * nothing.
 */
export async function benchHookCommand(folder: string, { commands }: Effort): Promise<Section> {
  const home = join(folder, 'hook-command');
  const env = toEnv(home);
  const samples = { running: [] as number[], down: [] as number[], bare: [] as number[] };
  const daemon = await startBeckon(home);
  const nobody = { ...env, BECKON_HOME: join(home, 'nobody') };
  try {
    // The first ones fill the cache of compiled code.
    for (let round = -3; round < commands; round += 1) {
      const running = await runHook(env);
      const bare = await time(startNothing(env));
      const down = await runHook(nobody);
      if (round < 0) continue;
      samples.running.push(running);
      samples.bare.push(bare);
      samples.down.push(down);
    }
  } finally {
    await daemon.stop();
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
  const home = join(folder, 'hook-context');
  const env = toEnv(home, { CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' });
  const daemon = await startBeckon(home);
  const transcript = join(home, 'session.jsonl');
  const file = join(home, 'cart.ts');
  writeTranscript(transcript);
  writeFileSync(file, Array.from({ length: 2000 }, (_, line) => `export const line${line} = ${line};\n`).join(''));
  const samples = { full: [] as number[], off: [] as number[], plain: [] as number[], bare: [] as number[] };
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
    for (let round = -3; round < commands; round += 1) {
      const full = await runHook(env, toHook(round, transcript), args);
      const plain = await runHook(env, toHook(round, join(home, 'missing')), args);
      const off = await runHook({ ...env, BECKON_CONTEXT: 'off' }, toHook(round + 100_000, transcript), args);
      const bare = await time(startNothing(env));
      if (round < 0) continue;
      samples.full.push(full);
      samples.plain.push(plain);
      samples.off.push(off);
      samples.bare.push(bare);
    }
  } finally {
    await daemon.stop();
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
  return time(startHook(env, hook, args));
}
