import { getEventListeners } from 'node:events';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { type AskInput, type Beckon, BeckonError, openBeckon } from '../../packages/beckon/src/index.ts';
import { readData, tellParent } from '../harness/parent.ts';
import type { Told } from './messages.ts';

// Asks, waits, gives up waiting and settles, many thousand times. Reports the heap before and after, and what is left
// at the end.

const BATCH = 1000;
const WHOLE = new AbortController();

const QUESTION: AskInput = { kind: 'question', request: { question: 'Shall we?', options: [{ label: 'yes' }] } };
const FORM: AskInput = {
  kind: 'form',
  request: { message: 'How many?', schema: { type: 'object', properties: { count: { type: 'integer' } } } },
};

const { store, warmUp, count } = readData<{ store: string; warmUp: number; count: number }>();
const tell: (told: Told) => void = tellParent;
const beckon = await openBeckon({ store });

// One that nobody answers: those who give up waiting for it must not stay with it.
const open = await beckon.ask({ ...QUESTION, timeout: null });
const patient = beckon.wait(open.id);

await work(beckon, warmUp);
const before = await measureHeap();
await work(beckon, count);
const after = await measureHeap();
const listeners = getEventListeners(WHOLE.signal, 'abort').length;
await beckon.cancel({ id: open.id });
await patient;
await beckon.close();
// Sockets need a moment to say goodbye to the server.
for (let look = 0; look < 500 && listResources().length > 0; look += 1) await sleep(10);
tell({ type: 'done', before, after, listeners, resources: listResources() });

async function work(node: Beckon, total: number): Promise<void> {
  for (let start = 0; start < total; start += BATCH) {
    const reading = readSome(node);
    await Promise.all(Array.from({ length: BATCH }, (_, index) => live(node, index)));
    await reading;
  }
}

/** One interaction: some wait for its end, some give up, and it is answered or taken back. */
async function live(node: Beckon, index: number): Promise<void> {
  const giveUp = new AbortController();
  const { id } = await node.ask(index % 100 === 0 ? FORM : QUESTION);
  const waits = [node.wait(id), node.wait(id, { signal: WHOLE.signal, timeout: '1h' })];
  const impatient = [id, open.id].map((given) => node.wait(given, { signal: giveUp.signal, timeout: '1h' }));
  if (index % 10 === 0) impatient.push(node.wait(id, { timeout: 0 }));
  const ended = Promise.all(impatient.map(expectTimeout));
  // By then, all of this batch wait.
  await nextTurn();
  giveUp.abort(new BeckonError('wait_timed_out', 'Nobody is interested any more.'));
  await ended;
  if (index % 7 === 0) await node.cancel({ id });
  else await node.answer(id, index % 100 === 0 ? { values: { count: 1 } } : { text: 'yes' }, { who: 'a', via: 'b' });
  await Promise.all(waits);
}

/** A reader of the log that comes and goes. */
async function readSome(node: Beckon): Promise<void> {
  let left = 100;
  for await (const event of node.events({ signal: WHOLE.signal })) {
    left -= 1;
    if (left === 0 || event.seq < 0) return;
  }
}

async function expectTimeout(wait: Promise<unknown>): Promise<void> {
  try {
    await wait;
  } catch (error) {
    if (error instanceof BeckonError && error.code === 'wait_timed_out') return;
    throw error;
  }
  throw new Error('The wait ended before anybody answered.');
}

/** What keeps this process alive, without the pipes to the parent. */
function listResources(): string[] {
  return process.getActiveResourcesInfo().filter((resource) => resource !== 'PipeWrap');
}

async function measureHeap(): Promise<number> {
  // What is still on its way through the event loop is no leak.
  for (let turn = 0; turn < 10; turn += 1) {
    await nextTurn();
    globalThis.gc?.();
  }
  return process.memoryUsage().heapUsed;
}
