import { toMs } from '../core/clock.ts';
import { toEventHead } from '../core/judge-answer.ts';
import type { StoredAttendance } from '../core/store.ts';
import type { Reader, Transaction } from './driver.ts';
import { ATTENDANCE } from './tables.ts';
import type { Writer } from './writer.ts';

interface Arrival {
  keys: readonly string[];
  forMs: number;
  resolve(): void;
  reject(error: unknown): void;
}

/** Most arrivals that one step notes. */
const STEP_ARRIVALS = 500;

/**
 * The agents that come back, in the store's tables. Thousands of them come back twice a minute, so one step notes all
 * that arrive during a commit, and the number of statements does not grow with theirs.
 */
export class SqlAttendance implements StoredAttendance {
  readonly #reader: Reader;
  readonly #writer: Writer;
  readonly #arrivals: Arrival[] = [];

  constructor(reader: Reader, writer: Writer) {
    this.#reader = reader;
    this.#writer = writer;
  }

  attend({ keys, forMs }: { keys: readonly string[]; forMs: number }): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#arrivals.push({ keys, forMs, resolve, reject });
      if (this.#arrivals.length % STEP_ARRIVALS === 1) void this.#attendNext();
    });
  }

  extend(forMs: number): Promise<void> {
    return this.#writer.submit({
      run: async ({ transaction }) => {
        const until = (await transaction.now()) + forMs;
        await transaction.all('update attendance set until = $1 where until < $1', [until]);
      },
    });
  }

  async endAbandoned({ limit, reason, at }: { limit: number; reason: string; at: string }): Promise<number> {
    // Only a first look: the clock of this process may differ from the database's, which decides below.
    const rows = await this.#reader.all<{ key: string }>(
      'select key from attendance where until <= $1 order by until limit $2',
      [toMs(at), limit],
    );
    if (rows.length === 0) return 0;
    const keys = rows.map(({ key }) => key);
    return this.#writer.submit({
      keys,
      run: async (work) => {
        const places = keys.map((_, index) => `$${index + 2}`).join(', ');
        const gone = await work.transaction.all<{ key: string }>(
          `delete from attendance where until <= $1 and key in (${places}) returning key`,
          [await work.transaction.now(), ...keys],
        );
        for (const { key } of gone) {
          const current = work.findKey(key);
          if (current !== undefined) {
            work.apply({ ...toEventHead(current, at), type: 'interaction.superseded', reason });
          }
        }
        return gone.length;
      },
    });
  }

  // One step for every `STEP_ARRIVALS`. It takes what is there on its turn, which may be nothing.
  async #attendNext(): Promise<void> {
    let taken: Arrival[] | undefined;
    try {
      await this.#writer.submit({
        run: ({ transaction }) => {
          taken = this.#arrivals.splice(0, STEP_ARRIVALS);
          return attendAll(transaction, taken);
        },
      });
      for (const { resolve } of taken ?? []) resolve();
    } catch (error) {
      // A step that never ran fails the arrivals that it would have taken.
      for (const { reject } of taken ?? this.#arrivals.splice(0, STEP_ARRIVALS)) reject(error);
    }
  }
}

async function attendAll(transaction: Transaction, arrivals: readonly Arrival[]): Promise<void> {
  if (arrivals.length === 0) return;
  const now = await transaction.now();
  const wanted = new Map<string, number>();
  for (const { keys, forMs } of arrivals) {
    for (const key of keys) wanted.set(key, Math.max(wanted.get(key) ?? 0, now + forMs));
  }
  const known = await transaction.findIn(ATTENDANCE, 'key', [...wanted.keys()]);
  const later = known.flatMap(({ key, until }) => {
    const next = wanted.get(key) ?? 0;
    wanted.delete(key);
    return next > until ? [{ key, until: next }] : [];
  });
  if (later.length > 0) await transaction.update(ATTENDANCE, later, 'until >= 0');
  if (wanted.size > 0)
    await transaction.insert(
      ATTENDANCE,
      Array.from(wanted, ([key, until]) => ({ key, until })),
    );
}
