import { toIso } from '../core/clock.ts';
import type { HookRecord } from '../core/hooks.ts';
import type { Hooks } from '../core/outbox.ts';
import { BeckonError } from '../protocol/errors.ts';
import type { NewLogEvent } from '../protocol/events.ts';
import type { Reader } from './driver.ts';
import { addLanes } from './lanes.ts';
import { HOOKS, type HookRow, OUTBOX } from './tables.ts';
import type { UnitOfWork } from './unit-of-work.ts';
import type { Writer } from './writer.ts';

interface KeepInput {
  hook: HookRecord;
  destination?: string;
  events?: readonly NewLogEvent[];
}

interface Arrival extends KeepInput {
  resolve(isNew: boolean): void;
  reject(error: unknown): void;
}

/** Most hooks that one step keeps. */
const STEP_HOOKS = 500;

/**
 * The hooks in the store's tables. One step of the next commit keeps all hooks that arrive during a commit, so the
 * number of statements does not grow with theirs.
 */
export class SqlHooks implements Hooks {
  readonly #reader: Reader;
  readonly #writer: Writer;
  readonly #arrivals: Arrival[] = [];

  constructor(reader: Reader, writer: Writer) {
    this.#reader = reader;
    this.#writer = writer;
  }

  keep(input: KeepInput): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#arrivals.push({ ...input, resolve, reject });
      if (this.#arrivals.length % STEP_HOOKS === 1) void this.#keepNext();
    });
  }

  async find(id: string): Promise<HookRecord | null> {
    const [row] = await this.#reader.findIn(HOOKS, 'id', [id]);
    return row === undefined ? null : fromHookRow(row);
  }

  // One step for every `STEP_HOOKS` arrivals. It takes what is there on its turn, which may be nothing.
  async #keepNext(): Promise<void> {
    let taken: Arrival[] | undefined;
    try {
      const results = await this.#writer.submit({
        run: (work) => {
          taken = this.#arrivals.splice(0, STEP_HOOKS);
          return keepAll(work, taken);
        },
      });
      for (const [index, { resolve, reject }] of (taken ?? []).entries()) {
        const result = results[index];
        if (result === 'other') reject(toKeyReusedError());
        else resolve(result === 'kept');
      }
    } catch (error) {
      // A step that never ran fails the arrivals that it would have taken.
      for (const { reject } of taken ?? this.#arrivals.splice(0, STEP_HOOKS)) reject(error);
    }
  }
}

export function fromHookRow(row: Omit<HookRow, 'seq'>): HookRecord {
  return {
    id: row.id,
    sessionId: row.session_id,
    commandId: row.interaction_id,
    eventType: row.event_type,
    at: toIso(row.at),
    data: row.data,
  };
}

/** What became of an arrival: `repeated` is the same hook again, `other` a different hook with a taken id. */
type Kept = 'kept' | 'repeated' | 'other';

async function keepAll(work: UnitOfWork, arrivals: readonly Arrival[]): Promise<Kept[]> {
  if (arrivals.length === 0) return [];
  const ids = [...new Set(arrivals.map(({ hook }) => hook.id))];
  const known = new Map((await work.transaction.findIn(HOOKS, 'id', ids)).map((row) => [row.id, fromHookRow(row)]));
  const kept: (KeepInput & { seq: number })[] = [];
  const results = arrivals.map(({ hook, destination, events = [] }): Kept => {
    const earlier = known.get(hook.id);
    if (earlier !== undefined) return isSameHook(earlier, hook) ? 'repeated' : 'other';
    known.set(hook.id, hook);
    const { id: hookId, sessionId, eventType, at } = hook;
    const { seq } = work.append({ type: 'hook.received', sessionId, hookId, eventType, at });
    for (const event of events) work.append(event);
    kept.push({ hook, seq, ...(destination !== undefined && { destination }) });
    return 'kept';
  });
  if (kept.length === 0) return results;
  await work.transaction.insert(HOOKS, kept.map(toHookRow));
  const waiting = kept.flatMap(({ seq, hook, destination }) =>
    destination === undefined ? [] : [{ seq, destination, lane: hook.sessionId }],
  );
  if (waiting.length === 0) return results;
  await work.transaction.insert(
    OUTBOX,
    waiting.map((entry) => ({ ...entry, status: 'waiting', attempts: 0, error: null })),
  );
  await addLanes(work.transaction, waiting);
  return results;
}

function toHookRow({ seq, hook }: { seq: number; hook: HookRecord }): HookRow {
  return {
    seq,
    id: hook.id,
    session_id: hook.sessionId,
    interaction_id: hook.commandId,
    event_type: hook.eventType,
    at: Date.parse(hook.at),
    data: hook.data,
  };
}

// The spool strips the line end of a hook.
function isSameHook(one: HookRecord, other: HookRecord): boolean {
  return (
    one.sessionId === other.sessionId && one.commandId === other.commandId && one.data.trim() === other.data.trim()
  );
}

function toKeyReusedError(): BeckonError {
  return new BeckonError(
    'key_reused',
    'This Idempotency-Key was used for another hook, so this one was not kept. Give each hook its own key.',
  );
}
