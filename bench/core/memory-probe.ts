// Runs in a process of its own, so that nothing else is in its memory: `memory-probe.ts idle FILE`, or
// `memory-probe.ts waiters FILE COUNT plain|timeout|signal`. Prints one line of JSON.
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { openBeckon } from '../../packages/beckon/src/open-beckon.ts';
import { type Footprint, takeFootprint } from '../footprint.ts';
import { toFilledId } from './fill.ts';
import { ANSWER, ANSWERER, REQUEST } from './workload.ts';

/** The process with an open store and nobody waiting: just opened, and after reads and writes all over the store. */
export interface IdleProbe {
  opened: Footprint;
  used: Footprint;
}

/** What a wait adds to the heap, and what a bare promise with its id in a map does, in bytes each. */
export interface WaiterProbe {
  waiter: number;
  barePromise: number;
}

type Limit = 'plain' | 'timeout' | 'signal';

const [mode, file = '', count, limit] = process.argv.slice(2);
if (mode === 'idle') print(await probeIdle(file));
if (mode === 'waiters') print(await probeWaiters(file, Number(count), limit as Limit));

async function probeIdle(path: string): Promise<IdleProbe> {
  const beckon = await openBeckon({ store: `sqlite:${path}` });
  const opened = await takeFootprint();
  let after: string | undefined;
  for (let page = 0; page < 2000; page += 1) {
    const { items, next } = await beckon.list({ status: 'pending', ...(after !== undefined && { after }) });
    // Deep into the store in large strides, from index to table.
    after = next === undefined ? undefined : String(Math.max(1, Number(next) - items.length * 10));
  }
  for (let turn = 0; turn < 500; turn += 1) {
    const { id } = await beckon.ask({ kind: 'question', chatId: `chat_${turn}`, request: REQUEST });
    await beckon.answer(id, ANSWER, ANSWERER);
  }
  const used = await takeFootprint();
  await beckon.close();
  return { opened, used };
}

async function probeWaiters(path: string, waiters: number, kind: Limit): Promise<WaiterProbe> {
  const barePromise = await measureBarePromises(waiters);
  const beckon = await openBeckon({ store: `sqlite:${path}` });
  // A signal is the caller's own and is not counted; what listens to it is.
  const signals = kind === 'signal' ? Array.from({ length: waiters }, () => new AbortController().signal) : [];
  const before = await takeFootprint();
  let settled = 0;
  let ended = 0;
  for (let seq = 1; seq <= waiters; seq += 1) {
    beckon.wait(toFilledId(seq), toOptions(kind, signals[seq - 1])).then(
      () => (settled += 1),
      () => (ended += 1),
    );
    // Agents arrive a few at a time.
    if (seq % 500 === 0) await nextTurn();
  }
  await sleep(200);
  const after = await takeFootprint();
  if (settled + ended > 0) throw new Error(`Expected everybody to wait, but ${settled + ended} waits are over`);
  if (signals.some(({ aborted }) => aborted)) throw new Error('Expected no signal to abort');
  const waiter = (after.heap - before.heap) / waiters;
  await beckon.close();
  await nextTurn();
  if (ended !== waiters) throw new Error(`Expected ${waiters} waits to end with Beckon, got ${ended}`);
  return { waiter, barePromise };
}

function toOptions(kind: Limit, signal: AbortSignal | undefined): { timeout?: string; signal?: AbortSignal } {
  if (kind === 'timeout') return { timeout: '1h' };
  return signal === undefined ? {} : { signal };
}

/** The least that a wait can be made of: an id, a promise, what it resolves with, and whoever goes on afterwards. */
async function measureBarePromises(waiters: number): Promise<number> {
  const before = await takeFootprint();
  let resumed = 0;
  const waiting = new Map<string, () => void>();
  for (let seq = 1; seq <= waiters; seq += 1) {
    void new Promise<void>((resolve) => waiting.set(toFilledId(seq), resolve)).then(() => (resumed += 1));
  }
  const after = await takeFootprint();
  for (const resume of waiting.values()) resume();
  await nextTurn();
  if (resumed !== waiters) throw new Error(`Expected ${waiters} promises to go on, got ${resumed}`);
  return (after.heap - before.heap) / waiters;
}

function print(result: IdleProbe | WaiterProbe): void {
  console.log(JSON.stringify(result));
}
