import type { ClaimedEntry, Outbox, OutboxEntry } from '../core/store.ts';
import { Id } from '../protocol/ids.ts';
import { parse } from '../protocol/parse.ts';
import type { Transaction } from './driver.ts';
import type { Writer } from './writer.ts';

/**
 * The outbox in the store's tables. An entry is `waiting` or `dead`; one that arrived is gone. A claim is a lease: `leased_until`
 * and `due_at` are times of the database's clock, so that processes with different clocks agree.
 */
export class SqlOutbox implements Outbox {
  readonly #writer: Writer;

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  async put(entry: Omit<OutboxEntry, 'attempts'>): Promise<boolean> {
    for (const id of [entry.id, entry.lane]) parse(Id, id, { what: 'outbox entry' });
    return this.#run(async (transaction) => {
      const rows = await transaction.all(
        `insert into outbox (seq, id, lane, payload, status, attempts, due_at, leased_until)
         select coalesce(max(seq), 0) + 1, $1, $2, $3, 'waiting', 0, 0, 0 from outbox where true
         on conflict (id) do nothing returning id`,
        [entry.id, entry.lane, JSON.stringify(entry.payload)],
      );
      return rows.length === 1;
    });
  }

  claim(input: { limit: number; leaseMs: number; claim: string }): Promise<ClaimedEntry[]> {
    return this.#run(async (transaction) => {
      const now = await transaction.now();
      // Only the first waiting entry of a lane may be taken: while it is leased or not due, the lane waits.
      const rows = await transaction.all<{ id: string; lane: string; payload: string; attempts: number; seq: number }>(
        `update outbox set claim = $1, leased_until = $2, attempts = attempts + 1
         where seq in (
           select first.seq from outbox as first
           where first.status = 'waiting' and first.due_at <= $3 and first.leased_until <= $3
             and not exists (
               select 1 from outbox as earlier
               where earlier.lane = first.lane and earlier.status = 'waiting' and earlier.seq < first.seq
             )
           order by first.seq limit $4
         )
         returning id, lane, payload, attempts, seq`,
        [input.claim, now + input.leaseMs, now, input.limit],
      );
      return rows
        .toSorted((left, right) => left.seq - right.seq)
        .map(({ id, lane, payload, attempts }) => ({
          id,
          lane,
          payload: JSON.parse(payload),
          attempts: attempts - 1,
          claim: input.claim,
        }));
    });
  }

  complete({ id, claim }: { id: string; claim: string }): Promise<boolean> {
    return this.#run(async (transaction) => {
      const rows = await transaction.all('delete from outbox where id = $1 and claim = $2 returning id', [id, claim]);
      return rows.length === 1;
    });
  }

  release(input: { id: string; claim: string; delayMs: number; error: string }): Promise<boolean> {
    return this.#run(async (transaction) => {
      const dueAt = (await transaction.now()) + input.delayMs;
      const rows = await transaction.all(
        `update outbox set claim = null, leased_until = 0, due_at = $3, error = $4 where id = $1 and claim = $2 returning id`,
        [input.id, input.claim, dueAt, JSON.stringify(input.error)],
      );
      return rows.length === 1;
    });
  }

  bury({ id, claim, error }: { id: string; claim: string; error: string }): Promise<boolean> {
    return this.#run(async (transaction) => {
      const rows = await transaction.all(
        `update outbox set claim = null, leased_until = 0, status = 'dead', error = $3 where id = $1 and claim = $2 returning id`,
        [id, claim, JSON.stringify(error)],
      );
      return rows.length === 1;
    });
  }

  #run<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return this.#writer.submit({ run: ({ transaction }) => work(transaction) });
  }
}
