import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Interaction, type LogEvent, openBeckon } from '../../packages/beckon/src/index.ts';
import { hearParent, readData, tellParent } from '../harness/parent.ts';
import { Random } from '../harness/random.ts';
import { LogDigest } from './digest.ts';
import type { End, LoggerTold, Reading } from './messages.ts';

// Writes to the log, and reads it from random places meanwhile.

const AT_ONCE = 8;
const READERS = 5;

const { store, seed, writes } = readData<{ store: string; seed: number; writes: number }>();
const random = new Random(seed);
const parent = hearParent<End | { type: 'go' }>();
const tell: (told: LoggerTold) => void = tellParent;
const beckon = await openBeckon({ store });
let written = 0;
let seen = 0;
const end = parent.take('end');
const readings: Promise<Reading>[] = [];

tell({ type: 'ready' });
await parent.take('go');
await Promise.all(Array.from({ length: AT_ONCE }, () => write()));
tell({ type: 'written' });
tell({ type: 'read', readings: await Promise.all(readings) });

async function write(): Promise<void> {
  while (written < writes) {
    written += 1;
    if (readings.length < READERS && written >= (readings.length * writes) / READERS) readings.push(startReader());
    const { id } = await ask();
    if (random.below(5) === 0) await beckon.cancel({ id });
    else await beckon.answer(id, { text: 'yes' }, { who: 'somebody', via: 'log test' });
  }
}

/** Some begin at a number between the first event and the last one seen here, some at the moment of the call. */
async function startReader(): Promise<Reading> {
  if (random.below(3) > 0) {
    const from = random.below(seen + 1);
    return { from, ...(await read(beckon.events({ after: from }))) };
  }
  const before = (await ask()).id;
  const events = beckon.events();
  const after = (await ask()).id;
  return { from: { before, after }, ...(await read(events)) };
}

async function read(events: AsyncIterable<LogEvent>): Promise<ReturnType<LogDigest['finish']>> {
  const digest = new LogDigest();
  for await (const event of events) {
    digest.add(event);
    seen = Math.max(seen, event.seq);
    // A slow reader now and then.
    if (random.below(100) === 0) await nextTurn();
    if ('interactionId' in event && event.chatId === 'end' && event.interactionId === (await end).id) break;
  }
  return digest.finish();
}

function ask(): Promise<Interaction> {
  return beckon.ask({ kind: 'question', request: { question: 'Shall we?' } });
}
