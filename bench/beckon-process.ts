import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Caller } from '../packages/beckon/src/core/access.ts';
import { withStore } from '../packages/beckon/src/daemon/local-store.ts';
import { systemClock } from '../packages/beckon/src/runtime/system-clock.ts';
import { Tokens } from '../packages/beckon/src/runtime/tokens.ts';

const main = fileURLToPath(new URL('../packages/beckon/dist/cli/main.js', import.meta.url));

/** `beckon up` of the built program, in a process of its own. */
export interface BeckonProcess {
  url: string;
  home: string;
  /** The token of whoever runs it. */
  token: string;
  /** Creates tokens, as `beckon token create` does. */
  createTokens(callers: readonly (Caller & { owner?: string })[]): Promise<string[]>;
  /** Processor time since the start, in milliseconds; not a number where there is no /proc. */
  readCpuMs(): number;
  /** Runs a command of this home to its end. */
  run(...args: string[]): Promise<unknown>;
  stop(): Promise<void>;
}

/** Starts Beckon in a home of its own and waits until it accepts requests. Its log goes to a file. */
export async function startBeckon(home: string, args: readonly string[] = []): Promise<BeckonProcess> {
  if (!existsSync(main)) throw new Error('This measures the built program. Run: npm run build');
  mkdirSync(home, { recursive: true });
  const log = openSync(join(home, 'bench.log'), 'a');
  const flags = process.env['BENCH_SERVER_FLAGS']?.split(' ') ?? [];
  const child = spawn(process.execPath, [...flags, main, 'up', '--port', '0', '--json', ...args], {
    env: toEnv(home),
    stdio: ['ignore', 'pipe', log],
  });
  const end = (): void => void child.kill();
  process.once('exit', end);
  const gone = new AbortController();
  child.once('exit', () => process.off('exit', end));
  child.once('exit', () => gone.abort(new Error(readFileSync(join(home, 'bench.log'), 'utf8'))));
  // A pipe, as asked for.
  const [line] = (await once(createInterface(child.stdout as Readable), 'line', { signal: gone.signal })) as [string];
  const { url, store } = JSON.parse(line) as { url: string; store: string };
  const chosen = args.includes('--store') ? args[args.indexOf('--store') + 1] : undefined;
  return {
    url,
    home,
    token: readFileSync(join(home, 'token'), 'utf8').trim(),
    createTokens: (callers) =>
      withStore({ store: chosen ?? store }, async ({ tokens }) => {
        const creating = new Tokens({ tokens, clock: systemClock });
        return Promise.all(callers.map((caller) => creating.create(caller)));
      }),
    readCpuMs: () => readCpuMs(child.pid ?? 0),
    run: (...command) =>
      time(spawn(process.execPath, [main, ...command], { env: toEnv(home), stdio: ['ignore', 'ignore', log] })),
    stop: async () => {
      const closed = once(child, 'close');
      child.kill('SIGTERM');
      await closed;
    },
  };
}

/** The environment of a command with this home, without settings of whoever runs the benchmark. */
export function toEnv(home: string, more: Record<string, string> = {}): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(?:BECKON_|CLAUDE_CODE_)/.test(name));
  return { ...Object.fromEntries(own), BECKON_HOME: home, XDG_CACHE_HOME: join(home, 'cache'), ...more };
}

/** Starts the hook command as Claude Code does. */
export function startHook(env: NodeJS.ProcessEnv, hook: string, args: readonly string[] = []) {
  const child = spawn(process.execPath, [main, 'hook', 'claude-code', ...args], { env });
  child.stdin.end(hook);
  return child;
}

/** Starts Node that does nothing. */
export function startNothing(env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, ['-e', '0'], { env });
}

/** The milliseconds until a command has ended, which must not fail. */
export async function time(child: ChildProcess): Promise<number> {
  const startedAt = performance.now();
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`Expected exit code 0, got ${code}`);
  return performance.now() - startedAt;
}

/** Linux counts in hundredths of a second: fields 14 and 15, of which two are before the name of the program. */
function readCpuMs(pid: number): number {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return Number.NaN;
  const fields = readFileSync(path, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
