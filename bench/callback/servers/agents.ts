// Agents that await one click after another, in a process of their own. Arguments: who takes part, how many wait, a
// folder.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Beckon, Http, openBeckon } from '../../../packages/beckon/src/index.ts';

const [, , kind = 'http', waiting = '1', folder = '.'] = process.argv;
let resolved = 0;

/** A callback that is there from `ready` on; `event` is its click. */
interface Waiting {
  ready: Promise<unknown>;
  event: Promise<unknown>;
}
type Wait = (id: string) => Waiting;

/** So many callbacks of each agent are there in advance, so that no click finds nobody. */
const AHEAD = 4;

const { url, wait, stop } = kind === 'bare' ? await startBare() : await startBeckon();
await Promise.all(Array.from({ length: Number(waiting) }, (_, lane) => startAgent(lane)));
console.log(url);

createInterface({ input: process.stdin })
  .on('line', () => console.log(resolved))
  .on('close', () => void stop().finally(() => process.exit(0)));

/** Ends when its first callbacks are there, and goes on in the background. */
async function startAgent(lane: number): Promise<void> {
  const queue = Array.from({ length: AHEAD }, (_, number) => wait(`c-${lane}-${number}`));
  await Promise.all(queue.map(({ ready }) => ready));
  void run();

  async function run(): Promise<void> {
    for (let number = AHEAD; ; number += 1) {
      await queue.shift()?.event;
      resolved += 1;
      queue.push(wait(`c-${lane}-${number}`));
    }
  }
}

async function startBeckon(): Promise<{ url: string; wait: Wait; stop: () => Promise<void> }> {
  const port = await findPort();
  const beckon: Beckon | undefined =
    kind === 'durable' ? await openBeckon({ store: `sqlite:${join(folder, 'beckon.db')}` }) : undefined;
  return {
    url: `http://127.0.0.1:${port}`,
    wait: (id) => {
      const callback = new Http({ id, port, ...(beckon !== undefined && { beckon }) });
      const ready = callback.open(null, { timeout: '1h' });
      return { ready, event: ready.then(() => callback.awaitInteraction('1h')) };
    },
    // It is in the middle of its work, and nothing of it is needed.
    stop: async () => undefined,
  };
}

/** What people write first: promises in a map. */
async function startBare(): Promise<{ url: string; wait: Wait; stop: () => Promise<void> }> {
  const waiters = new Map<string, (event: unknown) => void>();
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      text += chunk;
    });
    request.on('end', () => {
      const id = request.url?.slice('/callback/'.length) ?? '';
      waiters.get(id)?.(JSON.parse(text));
      waiters.delete(id);
      const body = '{"status":"continued"}';
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
      response.end(body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    wait: (id) => ({ ready: Promise.resolve(), event: new Promise((resolve) => waiters.set(id, resolve)) }),
    stop: async () => undefined,
  };
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
