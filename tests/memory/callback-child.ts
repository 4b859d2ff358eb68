import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { BeckonError, Http } from '../../packages/beckon/src/index.ts';
import { readData, tellParent } from '../harness/parent.ts';
import type { Told } from './callback-messages.ts';

// Creates callbacks, and answers them, lets them time out, closes them or forgets them, many thousand times. Reports
// the heap before and after, and what keeps the process alive at the end.

const BATCH = 500;
const BODY = JSON.stringify({ action: 'click', data: { button: 'Deep Dive' } });

const { warmUp, count } = readData<{ warmUp: number; count: number }>();
const tell: (told: Told) => void = tellParent;
const agent = new Agent({ keepAlive: true, maxSockets: 16 });
const port = await findPort();
// Keeps the server up, so that connections can stay.
const keeper = new Http({ port });
await keeper.open();
// Abandoned callbacks are due after ten minutes, which this process does not have.
const laterTimers = shortenLongTimers();

await work(warmUp);
const before = await measureHeap();
await work(count);
const after = await measureHeap();
await keeper.close();
laterTimers.runAll();
agent.destroy();
for (let look = 0; look < 500 && listResources().length > 0; look += 1) await sleep(10);
tell({ type: 'done', before, after, timers: laterTimers.count(), resources: listResources() });

async function work(total: number): Promise<void> {
  for (let start = 0; start < total; start += BATCH) {
    await Promise.all(Array.from({ length: BATCH }, (_, index) => live(start + index)));
    laterTimers.runAll();
  }
}

/** One callback with one of its possible ends. */
async function live(number: number): Promise<void> {
  const callback = new Http({ port, id: `callback-${number}` });
  switch (number % 5) {
    case 0: {
      const awaited = [callback.awaitInteraction(), callback.awaitInteraction('1h')];
      await click(callback.endpoint());
      await Promise.all(awaited);
      return;
    }
    case 1:
      await click(callback.endpoint()); // Early, and nobody ever asks.
      return;
    case 2:
      await callback.awaitInteraction('1ms').catch((error: unknown) => {
        if (!(error instanceof BeckonError) || error.code !== 'wait_timed_out') throw error;
      });
      return;
    case 3: {
      const leave = new AbortController();
      const awaited = callback.awaitInteraction(300, { signal: leave.signal }).catch(() => undefined);
      leave.abort();
      await awaited;
      await callback.close();
      return;
    }
    default:
      callback.endpoint(); // Abandoned.
  }
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: free } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return free;
}

function click(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(BODY) };
    request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume();
      response.on('end', () => (response.statusCode === 200 ? resolve() : reject(new Error(`${response.statusCode}`))));
    })
      .on('error', reject)
      .end(BODY);
  });
}

/** Lets timers of more than ten seconds, and those that only wait for a second click, run when the test says so. */
function shortenLongTimers(): { runAll(): void; count(): number } {
  const planned = new Map<object, () => void>();
  const { setTimeout: realSet, clearTimeout: realClear } = globalThis;
  const set = (task: () => void, ms: number): unknown => {
    if (ms < 1000) return realSet(task, ms);
    const timer = { unref: () => timer };
    planned.set(timer, task);
    return timer;
  };
  const clear = (timer: object): void => {
    if (!planned.delete(timer)) realClear(timer as NodeJS.Timeout);
  };
  Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
  return {
    count: () => planned.size,
    runAll: () => {
      const tasks = [...planned.values()];
      planned.clear();
      for (const task of tasks) task();
    },
  };
}

/** What keeps this process alive, without the pipes to the parent. */
function listResources(): string[] {
  return process.getActiveResourcesInfo().filter((resource) => resource !== 'PipeWrap');
}

async function measureHeap(): Promise<number> {
  for (let turn = 0; turn < 10; turn += 1) {
    await nextTurn();
    globalThis.gc?.();
  }
  return process.memoryUsage().heapUsed;
}
