import { toIso } from '../core/clock.ts';
import type { HookRecord } from '../core/hooks.ts';
import type { ClaimedEntry, ClaimedLane, Outbox, OutboxFilter, OutboxTarget, SendOutcome } from '../core/outbox.ts';
import type { NewLogEvent } from '../protocol/events.ts';
import { DEFAULT_PAGE_ITEMS, type Page } from '../protocol/list.ts';
import type { OutboxBackend, OutboxEntry } from '../protocol/outbox.ts';
import type { Reader, SqlValue, Transaction } from './driver.ts';
import { addLanes, toLaneKey } from './lanes.ts';
import { fromHookRow } from './sql-hooks.ts';
import { type HookRow, OUTBOX_CHANGES, type OutboxRow } from './tables.ts';
import type { UnitOfWork } from './unit-of-work.ts';
import type { Writer } from './writer.ts';

/** How many characters of a lane are claimed at once; the first entry always is. */
const LANE_CHARACTERS = 1_000_000;

type EntryRow = HookRow & OutboxRow;

/** Entries that tell people or programs are not hooks: they say what they are (`sql-notices.ts`). */
const IS_HOOK = 'what is null';
const ENTRIES = 'select * from outbox join hooks on hooks.seq = outbox.seq';

/**
 * The outbox in the store's tables. An entry is `waiting` or `dead`; a forwarded one is gone. A claim is a lease on a
 * lane. `leased_until` and `due_at` are times of the database's clock, because processes may have different clocks.
 */
export class SqlOutbox implements Outbox {
  readonly #reader: Reader;
  readonly #writer: Writer;

  constructor(reader: Reader, writer: Writer) {
    this.#reader = reader;
    this.#writer = writer;
  }

  claim(input: {
    destination: string;
    lanes: number;
    entries: number;
    leaseMs: number;
    claim: string;
  }): Promise<{ lanes: ClaimedLane[]; nextInMs: number | null }> {
    const { destination, claim } = input;
    return this.#run(async ({ transaction }) => {
      const paused = await transaction.all('select 1 from outbox_pauses where destination = $1', [destination]);
      if (paused.length > 0) return { lanes: [], nextInMs: null };
      const now = await transaction.now();
      const taken = await transaction.all<{ lane: string; due_at: number }>(
        `update outbox_lanes set claim = $1, leased_until = $2
         where key in (
           select key from outbox_lanes where destination = $3 and due_at <= $4 and leased_until <= $4 order by due_at limit $5
         )
         returning lane, due_at`,
        [claim, now + input.leaseMs, destination, now, input.lanes],
      );
      const lanes: ClaimedLane[] = [];
      for (const { lane } of taken.toSorted((left, right) => left.due_at - right.due_at)) {
        const entries = await readLane(transaction, { destination, lane, limit: input.entries });
        if (entries.length > 0) lanes.push({ destination, lane, claim, entries });
        else await transaction.all('delete from outbox_lanes where key = $1', [toLaneKey({ destination, lane })]);
      }
      const [next] = await transaction.all<{ at: number | null }>(
        `select min(case when leased_until > due_at then leased_until else due_at end) as at
         from outbox_lanes where destination = $1`,
        [destination],
      );
      return { lanes, nextInMs: next?.at == null ? null : Math.max(0, next.at - now) };
    });
  }

  settle(input: {
    lane: ClaimedLane;
    outcomes: readonly SendOutcome[];
    delayMs: number;
    at: string;
  }): Promise<boolean> {
    const { destination, lane, claim } = input.lane;
    const key = toLaneKey(input.lane);
    return this.#run(async (work) => {
      const { transaction } = work;
      const held = await transaction.all('select 1 from outbox_lanes where key = $1 and claim = $2', [key, claim]);
      if (held.length === 0) return false;
      const outcomes = await findValid(transaction, input);
      if (outcomes.length > 0) {
        const forwarded = outcomes.filter(({ result }) => result === 'forwarded').map(({ entry }) => entry.seq);
        const places = forwarded.map((_, index) => `$${index + 2}`).join(', ');
        if (forwarded.length > 0) {
          await transaction.all(`delete from outbox where seq in (${places}) and destination = $1`, [
            destination,
            ...forwarded,
          ]);
        }
        await transaction.update(OUTBOX_CHANGES, outcomes.flatMap(toChanges), `status = 'waiting' and ${IS_HOOK}`);
        for (const event of outcomes.flatMap((outcome) => toEvents(outcome, input.at))) work.append(event);
      }
      const dueAt = (await transaction.now()) + input.delayMs;
      const left = await transaction.all(
        `update outbox_lanes set claim = null, leased_until = 0, due_at = $2 where key = $1 and exists (
           select 1 from outbox where destination = $3 and lane = $4 and status = 'waiting'
         ) returning key`,
        [key, dueAt, destination, lane],
      );
      if (left.length === 0) await transaction.all('delete from outbox_lanes where key = $1', [key]);
      return true;
    });
  }

  async listClaims(destination: string): Promise<string[]> {
    const rows = await this.#reader.all<{ claim: string }>(
      'select distinct claim from outbox_lanes where destination = $1 and claim is not null',
      [destination],
    );
    return rows.map(({ claim }) => claim);
  }

  freeClaim({ destination, claim }: { destination: string; claim: string }): Promise<void> {
    return this.#run(async ({ transaction }) => {
      await transaction.all(
        'update outbox_lanes set claim = null, leased_until = 0 where destination = $1 and claim = $2',
        [destination, claim],
      );
    });
  }

  resumeForToken({ destination, tokenHash }: { destination: string; tokenHash: string }): Promise<boolean> {
    return this.#run(async ({ transaction }) => {
      const resumed = await transaction.all(
        'delete from outbox_pauses where destination = $1 and token_hash <> $2 returning destination',
        [destination, tokenHash],
      );
      return resumed.length === 1;
    });
  }

  async list({ status, sessionId, after, limit = DEFAULT_PAGE_ITEMS }: OutboxFilter): Promise<Page<OutboxEntry>> {
    const values: SqlValue[] = [];
    const conditions = [IS_HOOK];
    // Phrased like the index, which has only the dead ones.
    if (status !== undefined) conditions.push(status === 'dead' ? `status = 'dead'` : `status = 'waiting'`);
    if (sessionId !== undefined) conditions.push(`lane = $${values.push(sessionId)}`);
    if (after !== undefined) conditions.push(`outbox.seq > $${values.push(Number(after))}`);
    const rows = await this.#reader.all<EntryRow>(
      `${ENTRIES} where ${conditions.join(' and ')} order by outbox.seq limit $${values.push(limit + 1)}`,
      values,
    );
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    return {
      items: shown.map(toEntry),
      ...(rows.length > limit && last !== undefined && { next: String(last.seq) }),
    };
  }

  async find(id: string): Promise<(OutboxEntry & { hook: HookRecord }) | null> {
    const [row] = await this.#reader.all<EntryRow>(`${ENTRIES} where hooks.id = $1 and ${IS_HOOK}`, [id]);
    return row === undefined ? null : { ...toEntry(row), hook: fromHookRow(row) };
  }

  async backends(): Promise<OutboxBackend[]> {
    const [counts, pauses] = await Promise.all([
      this.#reader.all<{ destination: string; status: string; entries: number; oldest: number }>(
        // Only the first hook of each is looked at: there may be a million. By its address, which is in the index.
        `select destination, status, entries, hooks.at as oldest
         from (
           select destination, status, count(*) as entries, min(seq) as first from outbox
           where substr(destination, 1, 4) <> 'dst_' group by destination, status
         ) as counted join hooks on hooks.seq = counted.first`,
      ),
      this.#reader.all<{ destination: string; at: number; reason: string }>('select * from outbox_pauses'),
    ]);
    const names = new Set([...counts, ...pauses].map(({ destination }) => destination));
    return [...names].toSorted().map((destination) => {
      const of = (status: string) =>
        counts.find((count) => count.destination === destination && count.status === status);
      const waiting = of('waiting');
      const pause = pauses.find((paused) => paused.destination === destination);
      return {
        destination,
        waiting: waiting?.entries ?? 0,
        dead: of('dead')?.entries ?? 0,
        ...(waiting !== undefined && { oldestAt: toIso(waiting.oldest) }),
        ...(pause !== undefined && { paused: { at: toIso(pause.at), reason: JSON.parse(pause.reason) } }),
      };
    });
  }

  retry({ target, destination }: { target: OutboxTarget; destination?: string }): Promise<number> {
    return this.#run(async ({ transaction }) => {
      const [condition, values] = toCondition(target, 2);
      const rows = await transaction.all<{ destination: string; lane: string }>(
        `update outbox set status = 'waiting', attempts = 0, destination = coalesce($1, destination)
         where ${condition} returning destination, lane`,
        [destination ?? null, ...values],
      );
      await addLanes(transaction, rows);
      const now = await transaction.now();
      for (const key of new Set(rows.map(toLaneKey))) {
        await transaction.all('update outbox_lanes set due_at = $2 where key = $1', [key, now]);
      }
      return rows.length;
    });
  }

  drop({ target, at }: { target: OutboxTarget; at: string }): Promise<number> {
    return this.#run(async (work) => {
      const [condition, values] = toCondition(target, 1);
      const rows = await work.transaction.all<EntryRow>(`${ENTRIES} where outbox.${condition}`, values);
      await work.transaction.all(`delete from outbox where ${condition}`, values);
      for (const row of rows) {
        const hook = fromHookRow(row);
        if (row.status === 'waiting') work.append({ ...toHead(hook, at), type: 'hook.dead', error: 'dropped by hand' });
      }
      return rows.length;
    });
  }

  pause(input: { destination: string; reason: string; at: string; tokenHash?: string }): Promise<boolean> {
    return this.#run(async ({ transaction }) => {
      const paused = await transaction.all(
        `insert into outbox_pauses (destination, at, reason, token_hash) values ($1, $2, $3, $4)
         on conflict (destination) do nothing returning destination`,
        [input.destination, Date.parse(input.at), JSON.stringify(input.reason), input.tokenHash ?? null],
      );
      return paused.length === 1;
    });
  }

  resume(destination: string): Promise<boolean> {
    return this.#run(async ({ transaction }) => {
      const resumed = await transaction.all('delete from outbox_pauses where destination = $1 returning destination', [
        destination,
      ]);
      return resumed.length === 1;
    });
  }

  #run<Result>(run: (work: UnitOfWork) => Promise<Result>): Promise<Result> {
    return this.#writer.submit({ run });
  }
}

// An entry that somebody dropped or moved meanwhile is no longer in the lane.
async function findValid(
  transaction: Transaction,
  { lane, outcomes }: { lane: ClaimedLane; outcomes: readonly SendOutcome[] },
): Promise<readonly SendOutcome[]> {
  const last = outcomes.at(-1);
  if (last === undefined) return outcomes;
  const rows = await transaction.all<{ seq: number }>(
    `select seq from outbox where destination = $1 and lane = $2 and status = 'waiting' and seq <= $3`,
    [lane.destination, lane.lane, last.entry.seq],
  );
  const waiting = new Set(rows.map(({ seq }) => seq));
  return outcomes.filter(({ entry }) => waiting.has(entry.seq));
}

async function readLane(
  transaction: Transaction,
  { destination, lane, limit }: { destination: string; lane: string; limit: number },
): Promise<ClaimedEntry[]> {
  const rows = await transaction.all<EntryRow>(
    `${ENTRIES} where destination = $1 and lane = $2 and status = 'waiting' order by outbox.seq limit $3`,
    [destination, lane, limit],
  );
  let characters = 0;
  return rows
    .filter((row) => {
      const isWithin = characters < LANE_CHARACTERS;
      characters += row.data.length;
      return isWithin;
    })
    .map((row) => ({ seq: row.seq, hook: fromHookRow(row), attempts: row.attempts }));
}

function toChanges(outcome: SendOutcome): Pick<OutboxRow, 'seq' | 'status' | 'attempts' | 'error'>[] {
  if (outcome.result === 'forwarded') return [];
  const { seq, attempts } = outcome.entry;
  const status = outcome.result === 'dead' ? 'dead' : 'waiting';
  return [{ seq, status, attempts: attempts + 1, error: JSON.stringify(outcome.error) }];
}

function toEvents(outcome: SendOutcome, at: string): NewLogEvent[] {
  const head = toHead(outcome.entry.hook, at);
  switch (outcome.result) {
    case 'forwarded':
      return [{ ...head, type: 'hook.forwarded' }];
    case 'dead':
      return [{ ...head, type: 'hook.dead', error: outcome.error }];
    case 'failed':
      return [];
  }
}

function toHead({ id: hookId, sessionId, eventType }: HookRecord, at: string) {
  return { sessionId, hookId, eventType, at };
}

function toCondition(target: OutboxTarget, place: number): [condition: string, values: SqlValue[]] {
  if (target === 'dead') return [`status = 'dead' and ${IS_HOOK}`, []];
  return [`seq = (select seq from hooks where id = $${place}) and ${IS_HOOK}`, [target.id]];
}

function toEntry(row: EntryRow): OutboxEntry {
  const { id, sessionId, commandId, eventType, at } = fromHookRow(row);
  return {
    id,
    destination: row.destination,
    sessionId,
    interactionId: commandId,
    eventType,
    at,
    status: row.status as OutboxEntry['status'], // Written by this file alone.
    attempts: row.attempts,
    ...(row.error !== null && { error: JSON.parse(row.error) as string }),
  };
}
