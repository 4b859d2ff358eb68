import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Footprint } from '../footprint.ts';
import type { Question, Report } from './servers/report.ts';

/** A server in a process of its own. */
export interface ServerProcess {
  url: string;
  /** Opens everything; empty where the server asks for none. */
  token: string;
  /** Memory after a garbage collection. */
  takeFootprint(): Promise<Footprint>;
  /** Processor time since the start, in milliseconds. */
  readCpuMs(): Promise<number>;
  /** Keeps the process from running for a while, as a busy processor does. */
  pause(ms: number): Promise<void>;
  stop(): Promise<void>;
}

const SCRIPTS = {
  beckon: new URL('./servers/beckon.ts', import.meta.url),
  bare: new URL('./servers/bare.ts', import.meta.url),
  fastify: new URL('./servers/fastify.ts', import.meta.url),
};

/**
 * Starts one of these servers, or another file, and waits until it accepts requests. It ends with this process at the
 * latest.
 */
export async function startServer(
  script: keyof typeof SCRIPTS | URL,
  args: readonly string[] = [],
): Promise<ServerProcess> {
  const child = fork(script instanceof URL ? script : SCRIPTS[script], args, {
    execArgv: ['--expose-gc', ...(process.env['BENCH_SERVER_FLAGS']?.split(' ') ?? [])],
    // A file, not a terminal, is where a daemon in the background writes its log.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const { url, token } = await nextReport(child, 'ready');
  const ask = <Asked extends Question>(question: Asked) => {
    child.send(question);
    return nextReport(child, question);
  };
  return {
    url,
    token,
    takeFootprint: async () => (await ask('footprint')).footprint,
    readCpuMs: async () => (await ask('cpu')).cpuMs,
    async pause(ms) {
      child.kill('SIGSTOP');
      await sleep(ms);
      child.kill('SIGCONT');
    },
    async stop() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

async function nextReport<Type extends Report['type']>(
  child: ChildProcess,
  type: Type,
): Promise<Extract<Report, { type: Type }>> {
  const gone = new AbortController();
  const fail = (): void => gone.abort(new Error('The server ended before it was told to'));
  child.once('exit', fail);
  try {
    const [report] = (await once(child, 'message', { signal: gone.signal })) as [Report];
    if (report.type !== type) throw new Error(`Expected the report ${type}, got ${report.type}`);
    return report as Extract<Report, { type: Type }>;
  } finally {
    child.off('exit', fail);
  }
}
