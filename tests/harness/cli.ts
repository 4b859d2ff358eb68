import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { within } from './within.ts';

/** Where Node keeps what it compiled: it starts our commands again and again. */
const COMPILED = fileURLToPath(new URL('../../node_modules/.cache/beckon-compiled', import.meta.url));

/** How long a command may take, on a machine that is busy with other tests. */
const LIMIT_MS = 60_000;

/** The program of the command line. */
export const main = fileURLToPath(new URL('../../packages/beckon/src/cli/main.ts', import.meta.url));

/** A program that runs. */
export interface Run {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Resolves when the program has ended, with its exit code. */
  exit: Promise<number | null>;
  /**
   * Resolves with the match as soon as the output, of both streams together, has it; rejects when the program ends
   * without it.
   */
  seen(pattern: RegExp): Promise<RegExpExecArray>;
}

/** A daemon that a test started. */
export interface TestDaemon extends Run {
  url: string;
  port: string;
  pid: number;
}

/** What a program that has ended left. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  env?: Record<string, string>;
  cwd?: string;
  /** A file for stderr, by its number. Without it, a test reads it. */
  stderr?: number;
}

/** The command line in a folder of its own, with a home of its own, as a user would have it on a fresh machine. */
export class CliBench {
  readonly folder: string;
  readonly home: string;
  readonly #runs: Run[] = [];
  readonly #before: readonly string[];

  private constructor(folder: string, before: readonly string[]) {
    this.folder = folder;
    this.home = join(folder, 'home');
    this.#before = before;
  }

  /** `before` is in front of every command, such as what runs it on a machine of a test's network. */
  static async open(before: readonly string[] = []): Promise<CliBench> {
    return new CliBench(await mkdtemp(join(tmpdir(), 'beckon-cli-')), before);
  }

  /** Ends whatever still runs, and removes the folder. */
  async close(): Promise<void> {
    for (const { child } of this.#runs) if (child.exitCode === null) child.kill('SIGKILL');
    await Promise.all(this.#runs.map(({ exit }) => exit));
    await rm(this.folder, { recursive: true });
  }

  /** Starts a command. Without a terminal, as in a script. */
  start(args: readonly string[], options: RunOptions = {}): Run {
    return this.#spawn(process.execPath, [main, ...args], options);
  }

  /** Starts Node itself, for a program that uses the library. */
  startProgram(args: readonly string[], options: RunOptions = {}): Run {
    return this.#spawn(process.execPath, args, options);
  }

  /** Starts a command on a terminal. util-linux's `script` gives it one; both streams come together on stdout. */
  startOnTerminal(args: readonly string[], options: RunOptions = {}): Run {
    const command = [process.execPath, main, ...args].map((part) => `'${part.replaceAll("'", "'\\''")}'`).join(' ');
    return this.#spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], options);
  }

  /** Runs a command to its end. */
  async run(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
    const run = this.start(args, options);
    run.child.stdin?.end();
    return this.finish(run);
  }

  async finish(run: Run): Promise<Ended> {
    const code = await within(`the end of a command; so far: ${run.stdout()}${run.stderr()}`, run.exit, LIMIT_MS);
    return { code, stdout: run.stdout(), stderr: run.stderr() };
  }

  /** Starts the daemon, by default on a free port, and resolves when it accepts requests. */
  async up(args: readonly string[] = ['--port', '0'], options: RunOptions = {}): Promise<TestDaemon> {
    const run = this.start(['up', '--json', ...args], options);
    const [line] = await run.seen(/^\{.*"url".*\}$/m);
    const { url, pid } = JSON.parse(line) as { url: string; pid: number };
    return { ...run, url, port: new URL(url).port, pid };
  }

  /** Starts a question, and resolves with its id once it is on disk. */
  async ask(args: readonly string[]): Promise<Run & { id: string }> {
    const run = this.start(['ask', ...args]);
    const [, id = ''] = await run.seen(/asked (\S+)\./);
    return { ...run, id };
  }

  #spawn(command: string, args: readonly string[], { env = {}, cwd = this.folder, stderr }: RunOptions): Run {
    const [program = command, ...rest] = [...this.#before, command, ...args];
    const child = spawn(program, rest, {
      cwd,
      env: { ...toPlainEnv(), NODE_COMPILE_CACHE: COMPILED, BECKON_HOME: this.home, BECKON_CODEX: 'off', ...env },
      stdio: ['pipe', 'pipe', stderr ?? 'pipe'],
    });
    const run = toRun(child);
    this.#runs.push(run);
    return run;
  }
}

// Settings of whoever runs the tests are not for the tests.
function toPlainEnv(): NodeJS.ProcessEnv {
  const foreign = /^(?:BECKON_|LEASHD_|AI_CALLBACK_|CODE_MY_SPEC_|CI$|NODE_OPTIONS$|FORCE_COLOR$|NO_COLOR$|npm_)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
}

/**
 * Types as somebody does who looks at the screen: after a pause, one key after another. Keys that come faster were not
 * meant for what is on the screen, and are not taken.
 */
export async function typeSlowly({ child }: Run, ...keys: string[]): Promise<void> {
  for (const [index, key] of keys.entries()) {
    await sleep(index === 0 ? 1000 : 250);
    child.stdin?.write(key);
  }
}

function toRun(child: ChildProcess): Run {
  let stdout = '';
  let stderr = '';
  const listeners = new Set<() => void>();
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
    for (const listener of listeners) listener();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
    for (const listener of listeners) listener();
  });
  const exit = new Promise<number | null>((resolve, reject) => {
    child.on('close', resolve);
    child.on('error', reject);
  });
  const seen = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const match = pattern.exec(stdout) ?? pattern.exec(stderr);
        if (match === null) return;
        listeners.delete(look);
        resolve(match);
      };
      listeners.add(look);
      look();
      exit.then(() => reject(new Error(`Ended without printing ${pattern}:\n${stdout}${stderr}`)), reject);
    });
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    exit,
    seen: (pattern) => within(`output like ${pattern}`, seen(pattern), LIMIT_MS),
  };
}
