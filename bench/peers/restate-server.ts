import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../packages/beckon/src/testing/harness/post.ts';
import { endWithUs } from './end-with-us.ts';
import { readProcessorMs } from './processor-time.ts';

/** A Restate in a process of its own, on loopback. */
export interface RestateServer {
  ingress: string;
  admin: string;
  readMs(): number;
  stop(): Promise<void>;
}

const START_LIMIT_MS = 30_000;

/** Starts the server of the npm package, as it ships, with its data in `folder`. */
export async function startRestate(peer: string, folder: string): Promise<RestateServer> {
  const [ingressPort, adminPort, nodePort] = [await freePort(), await freePort(), await freePort()];
  const name = `restate-server-${process.platform}-${process.arch}`;
  const program = join(peer, 'node_modules', '@restatedev', name, 'bin', 'restate-server');
  const log = openSync(join(folder, 'server.log'), 'a');
  const own = Object.entries(process.env).filter(([key]) => !key.startsWith('RESTATE_'));
  const args = ['--no-logo', '--node-name', 'bench', '--base-dir', join(folder, 'data'), '--listen-mode', 'tcp'];
  const child = spawn(program, [...args, '--bind-ip', '127.0.0.1', '--bind-port', String(nodePort)], {
    cwd: folder,
    stdio: ['ignore', log, log],
    env: {
      ...Object.fromEntries(own),
      DO_NOT_TRACK: '1',
      RESTATE_DISABLE_TELEMETRY: 'true',
      RESTATE_ADVERTISED_HOST: '127.0.0.1',
      RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingressPort}`,
      RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${adminPort}`,
      RESTATE_LOG_FILTER: 'warn',
    },
  });
  endWithUs(child);
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  const ingress = `http://127.0.0.1:${ingressPort}`;
  const admin = `http://127.0.0.1:${adminPort}`;
  try {
    await untilHealthy([`${ingress}/restate/health`, `${admin}/health`]);
  } catch (error) {
    await stop();
    throw error;
  }
  return { ingress, admin, readMs: () => readProcessorMs(child.pid ?? 0), stop };
}

async function untilHealthy(urls: readonly string[]): Promise<void> {
  const startedAt = performance.now();
  const isHealthy = (url: string): Promise<boolean> =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await Promise.all(urls.map(isHealthy))).every(Boolean)) {
    if (performance.now() - startedAt > START_LIMIT_MS) throw new Error('Restate was not ready after 30 seconds');
    await pause(50);
  }
}
