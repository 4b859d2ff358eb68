import { setImmediate as nextTurn } from 'node:timers/promises';
import { toIso } from '../../packages/beckon/src/core/clock.ts';
import type { ListFilter } from '../../packages/beckon/src/protocol/list.ts';
import type { LocalBeckon } from '../../packages/beckon/src/runtime/local-beckon.ts';
import type { SqlStore } from '../../packages/beckon/src/store/sql-store.ts';
import { openSqliteDriver } from '../../packages/beckon/src/store/sqlite/sqlite-driver.ts';
import { compareSamples, type Figure, type Section, type Target } from '../figure.ts';
import { type Effort, FEW_PENDING } from './effort.ts';
import { HUGE_CHAT, HUGE_PROJECT, HUGE_SESSION, SMALL_CHAT, SMALL_PROJECT, SMALL_SESSION, toFilledId } from './fill.ts';
import { openOn } from './open.ts';
import { ANSWER, ANSWERER, createIds, REQUEST } from './workload.ts';

const WITHIN_2: Target = { of: 'ratio', atMost: 2 };
const YEAR_MS = 365 * 24 * 3_600_000;

/** One of the two stores, open. */
interface Subject {
  path: string;
  pending: number;
  beckon: LocalBeckon;
  store: SqlStore;
}

/** Something to time. What `run` returns is the work; `prepare` is not timed. */
interface Operation {
  name: string;
  prepare?(subject: Subject, repetition: number): Promise<unknown>;
  run(subject: Subject, repetition: number): Promise<unknown>;
}

/** What each operation costs with many pending interactions, beside what it costs with few. */
export async function benchLargeStore(files: { few: string; many: string }, effort: Effort): Promise<Section> {
  const few = await openSubject(files.few, FEW_PENDING);
  const many = await openSubject(files.many, effort.pending);
  const figures = [await compareOpening(few, many, effort)];
  for (const operation of OPERATIONS) figures.push(await compareOperation(operation, few, many, effort));
  await few.beckon.close();
  await many.beckon.close();
  return {
    name: `${effort.pending.toLocaleString('en')} pending interactions beside ${FEW_PENDING.toLocaleString('en')}`,
    figures,
    notes: [
      'A page has 50 items. The small chat has about 20, the small session about 10; a tenth of all is in the huge ones.',
    ],
  };
}

const OPERATIONS: readonly Operation[] = [
  listing('all pending', { status: 'pending' }),
  listing('everything', {}),
  listing('pending, small chat', { status: 'pending', chatId: SMALL_CHAT }),
  listing('pending, huge chat', { status: 'pending', chatId: HUGE_CHAT }),
  listing('huge chat', { chatId: HUGE_CHAT }),
  listing('pending, small session', { status: 'pending', sessionId: SMALL_SESSION }),
  listing('small session', { sessionId: SMALL_SESSION }),
  listing('pending, huge session', { status: 'pending', sessionId: HUGE_SESSION }),
  listing('huge session', { sessionId: HUGE_SESSION }),
  listing('small session, huge chat', { sessionId: SMALL_SESSION, chatId: HUGE_CHAT }),
  listing('pending, rare kind', { status: 'pending', kind: 'approval' }),
  listing('answered, rare kind', { status: 'answered', kind: 'approval' }),
  listing('small project', { project: SMALL_PROJECT }),
  listing('huge project', { project: HUGE_PROJECT }),
  listing('huge project, small chat', { project: HUGE_PROJECT, chatId: SMALL_CHAT }),
  listing('denied, which is rare', { decision: 'denied' }),
  {
    name: 'list from the middle',
    run: ({ beckon, pending }) => beckon.list({ status: 'pending', after: String(pending / 2) }),
  },
  { name: 'get one', run: ({ beckon, pending }, repetition) => beckon.get(toScatteredId(pending, repetition)) },
  { name: 'ask one', run: ({ beckon }, repetition) => beckon.ask(toAsk(repetition)) },
  {
    name: 'settle one',
    // One more for each that is settled: the number of pending ones stays the same.
    prepare: ({ beckon }, repetition) => beckon.ask(toAsk(repetition)),
    run: async ({ beckon, pending }, repetition) => {
      const { result } = await beckon.answer(toScatteredId(pending, repetition), ANSWER, ANSWERER);
      if (result !== 'accepted') throw new Error(`Expected an accepted answer, got ${result}`);
    },
  },
  { name: 'next deadline', run: ({ store }) => store.nextDeadline() },
  { name: 'list due, none is', run: ({ store }) => store.listDue({ at: toIso(Date.now()), limit: 500 }) },
  { name: 'list due, 500 are', run: ({ store }) => store.listDue({ at: toIso(Date.now() + YEAR_MS), limit: 500 }) },
];

function listing(name: string, filter: ListFilter): Operation {
  return { name: `list ${name}`, run: ({ beckon }) => beckon.list(filter) };
}

async function openSubject(path: string, pending: number): Promise<Subject> {
  return { path, pending, ...(await openOn(openSqliteDriver(path), { newId: createIds('01a00000') })) };
}

// Opened a second time, beside the connections that stay open: closing the last one would write the log back each time.
async function compareOpening(few: Subject, many: Subject, effort: Effort): Promise<Figure> {
  const open = async ({ path }: Subject): Promise<number> => {
    const startedAt = performance.now();
    const { beckon } = await openOn(openSqliteDriver(path), { newId: createIds() });
    const elapsedMs = performance.now() - startedAt;
    await beckon.close();
    return elapsedMs;
  };
  return takeTurns('open the store', { few, many, repetitions: effort.repetitions, measure: open });
}

function compareOperation(operation: Operation, few: Subject, many: Subject, effort: Effort): Promise<Figure> {
  const measure = async (subject: Subject, repetition: number): Promise<number> => {
    await operation.prepare?.(subject, repetition);
    const startedAt = performance.now();
    await operation.run(subject, repetition);
    return performance.now() - startedAt;
  };
  return takeTurns(operation.name, { few, many, repetitions: effort.repetitions, measure });
}

async function takeTurns(
  name: string,
  {
    few,
    many,
    repetitions,
    measure,
  }: {
    few: Subject;
    many: Subject;
    repetitions: number;
    measure: (subject: Subject, repetition: number) => Promise<number>;
  },
): Promise<Figure> {
  const warmUps = Math.ceil(repetitions / 10);
  const samples = { few: [] as number[], many: [] as number[] };
  const endAt = performance.now() + MOST_MS;
  for (let repetition = 0; repetition < repetitions + warmUps; repetition += 1) {
    const [fewMs, manyMs] = [await measure(few, repetition), await measure(many, repetition)];
    // Without a pause, nobody would hear a Ctrl-C.
    await nextTurn();
    if (repetition < warmUps && performance.now() < endAt) continue;
    samples.few.push(fewMs);
    samples.many.push(manyMs);
    if (performance.now() > endAt) break;
  }
  return compareSamples({
    name,
    unit: 'ms',
    samples: samples.many,
    beside: { name: 'with few', samples: samples.few },
    target: WITHIN_2,
  });
}

/** An operation that is far too slow is measured no longer than this. */
const MOST_MS = 20_000;

function toAsk(repetition: number): Parameters<LocalBeckon['ask']>[0] {
  const where = { chatId: `chat_${repetition}`, sessionId: `session_${repetition}` };
  return { kind: 'question', ...where, request: REQUEST, timeout: '1d' };
}

// All over the store, never the same one twice, and none of the approvals, which are the first.
function toScatteredId(pending: number, repetition: number): string {
  return toFilledId(pending - 1 - Math.floor((repetition * 7919 * (pending / FEW_PENDING)) % (pending * 0.97)));
}
