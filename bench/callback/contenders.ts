import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/**
 * `http` is Beckon in memory, `durable` Beckon on SQLite, `bare` a map of promises, `fastapi` the document's own
 * server.
 */
export type ContenderName = 'http' | 'durable' | 'bare' | 'fastapi';

/** A process in which agents wait for clicks. */
export interface Contender {
  url: string;
  /** How many awaits have resolved since the start. */
  countResolved(): Promise<number>;
  stop(): Promise<void>;
}

const AGENTS = fileURLToPath(new URL('./servers/agents.ts', import.meta.url));
const FASTAPI = fileURLToPath(new URL('./servers/agents.py', import.meta.url));

/** The Python that has FastAPI and uvicorn; `null` where there is none on this machine. */
export async function findPython(): Promise<string | null> {
  for (const python of [process.env['BENCH_PYTHON'], 'python3', 'python', '/usr/bin/python3']) {
    if (python === undefined) continue;
    try {
      await promisify(execFile)(python, ['-c', 'import fastapi, uvicorn']);
      return python;
    } catch {
      // It is not there, or has no such packages; the next may.
    }
  }
  return null;
}

/** Starts `waiting` agents, each of which awaits its next click as soon as it had one. */
export async function startContender(
  name: ContenderName,
  { waiting, folder, python }: { waiting: number; folder: string; python: string | null },
): Promise<Contender> {
  const args = [name, String(waiting), folder];
  const stdio: ['pipe', 'pipe', 'inherit'] = ['pipe', 'pipe', 'inherit'];
  const child =
    name === 'fastapi'
      ? spawn(python ?? 'python3', [FASTAPI, ...args], { stdio })
      : spawn(process.execPath, [AGENTS, ...args], { stdio });
  const lines = createInterface({ input: child.stdout });
  const next = nextLineOf(child, lines);
  const url = await next();
  return {
    url,
    async countResolved() {
      const line = next();
      child.stdin.write('count\n');
      return Number(await line);
    },
    async stop() {
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
    },
  };
}

function nextLineOf(child: ChildProcess, lines: NodeJS.EventEmitter): () => Promise<string> {
  return async () => {
    const gone = new AbortController();
    const fail = (): void => gone.abort(new Error('The contender ended before it was told to'));
    child.once('exit', fail);
    try {
      const [line] = (await once(lines, 'line', { signal: gone.signal })) as [string];
      return line;
    } catch (error) {
      throw gone.signal.aborted ? gone.signal.reason : error;
    } finally {
      child.off('exit', fail);
    }
  };
}
