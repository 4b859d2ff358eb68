import { existsSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { freePort } from '../../packages/beckon/src/testing/harness/post.ts';
import { until } from '../../packages/beckon/src/testing/suites/until.ts';
import { useBench } from '../harness/use-bench.ts';

const bench = useBench();
const CALLBACK = new URL('../../packages/beckon/src/callback/http.ts', import.meta.url).href;
const SOMAXCONN = '/proc/sys/net/core/somaxconn';
/** The system may allow fewer than a server wants: macOS allows 128. */
const COUNT = Math.min(1000, existsSync(SOMAXCONN) ? Number(readFileSync(SOMAXCONN, 'utf8')) : 128);

/** Connects to a process that is stopped, so that all wait in its queue at the same time, and counts who got there. */
async function countConnected(pid: number, port: number): Promise<number> {
  const sockets: Socket[] = [];
  let connected = 0;
  process.kill(pid, 'SIGSTOP');
  try {
    for (let index = 0; index < COUNT; index += 1) {
      const socket = connect(port, '127.0.0.1', () => (connected += 1));
      socket.on('error', () => undefined);
      sockets.push(socket);
    }
    await until(() => expect(connected).toBe(COUNT));
    return connected;
  } finally {
    for (const socket of sockets) socket.destroy();
    process.kill(pid, 'SIGCONT');
  }
}

test('1,000 connections that come at once find room at a busy daemon, which serves on afterwards', async () => {
  const daemon = await bench.up();
  expect(await countConnected(daemon.pid, Number(daemon.port))).toBe(COUNT);
  expect((await fetch(`${daemon.url}/healthz`)).status).toBe(200);
});

test('1,000 connections that come at once find room at a busy callback server', async () => {
  const port = await freePort();
  const code = `import { Http } from ${JSON.stringify(CALLBACK)};
    const callback = new Http({ port: ${port} });
    void callback.awaitInteraction();
    setInterval(() => fetch('http://127.0.0.1:${port}/').then(() => console.log('listens')), 100);`;
  const program = bench.startProgram(['--input-type=module', '-e', code]);
  await program.seen(/listens/);
  expect(await countConnected(program.child.pid ?? 0, port)).toBe(COUNT);
});
