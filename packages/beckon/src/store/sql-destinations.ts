import type { DestinationRecord } from '../core/notify.ts';
import type { DestinationCounts, StoredDestinations } from '../core/stored-destinations.ts';
import { BeckonError } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import { toColumnText } from './column-text.ts';
import { fromDestinationRow, toDestinationColumns } from './destination-rows.ts';
import type { Reader, Transaction } from './driver.ts';
import { DESTINATIONS, type DestinationRow } from './notice-tables.ts';
import { removeDestination } from './stop-destinations.ts';
import { canComeIn } from './stop-rules.ts';
import type { UnitOfWork } from './unit-of-work.ts';
import type { Writer } from './writer.ts';

/** A destination that is told things. A paused one is as well: they wait. */
export const IS_ACTIVE = 'is_on = 1 and proven_at is not null';

/** The destinations in the store's tables. */
export class SqlDestinations implements StoredDestinations {
  readonly #reader: Reader;
  readonly #writer: Writer;

  constructor(reader: Reader, writer: Writer) {
    this.#reader = reader;
    this.#writer = writer;
  }

  add(record: DestinationRecord): Promise<DestinationRecord> {
    return this.#writer.submit({
      run: async (work) => {
        const { transaction } = work;
        await refuseGone(transaction, record);
        const known = await findKnown(transaction, record);
        const own = known.find((other) => isOfSame(other, record));
        if (own === undefined) await refuseMore(transaction, record);
        for (const { id } of known) if (id !== own?.id) await removeDestination(transaction, id);
        if (own === undefined) {
          await insert(work, record);
          return record;
        }
        const renewed = renew(own, record);
        if (renewed.provenAt === undefined) await forgetFailures(transaction, own.id);
        await write(transaction, renewed);
        return renewed;
      },
    });
  }

  async find(id: string): Promise<DestinationRecord | null> {
    const [row] = await this.#reader.findIn(DESTINATIONS, 'id', [id]);
    return row === undefined ? null : fromDestinationRow(row);
  }

  async list({ owner }: { owner?: string | undefined } = {}): Promise<DestinationRecord[]> {
    const rows = await this.#reader.all<DestinationRow>(
      `select * from destinations ${owner === undefined ? '' : 'where owner = $1'} order by created_at, id`,
      owner === undefined ? [] : [toColumnText(owner)],
    );
    return rows.map(fromDestinationRow);
  }

  async counts(): Promise<Map<string, DestinationCounts>> {
    const rows = await this.#reader.all<{ destination: string; status: string; entries: number }>(
      `select destination, status, count(*) as entries from outbox
       where substr(destination, 1, 4) = 'dst_' group by destination, status`,
    );
    const counts = new Map<string, DestinationCounts>();
    for (const { destination, status, entries } of rows) {
      const { waiting, dead } = counts.get(destination) ?? { waiting: 0, dead: 0 };
      counts.set(destination, status === 'dead' ? { waiting, dead: entries } : { waiting: entries, dead });
    }
    return counts;
  }

  change(id: string, change: (record: DestinationRecord) => DestinationRecord): Promise<DestinationRecord | null> {
    return this.#writer.submit({
      run: async (work) => {
        const { transaction } = work;
        const [row] = await transaction.findIn(DESTINATIONS, 'id', [id]);
        if (row === undefined) return null;
        const before = fromDestinationRow(row);
        const changed = change(before);
        if (changed === before) return before;
        if (isActive(changed) && !isActive(before)) await begin(work, id);
        await write(transaction, changed);
        if (!changed.isOn) await transaction.all('update notices set is_open = 0 where destination = $1', [id]);
        if (before.problem !== undefined && changed.problem === undefined) {
          await forgetFailures(transaction, id);
        }
        return changed;
      },
    });
  }

  remove(id: string): Promise<boolean> {
    return this.#writer.submit({ run: ({ transaction }) => removeDestination(transaction, id) });
  }
}

async function insert(work: UnitOfWork, record: DestinationRecord): Promise<void> {
  await work.transaction.insert(DESTINATIONS, [
    {
      ...toDestinationColumns(record),
      last_sent_at: null,
      after_seq: work.nextSeq - 1,
      failures: 0,
      failing_since: null,
      backoff_until: 0,
      digest_at: 0,
      replay_seq: null,
      replay_to: null,
    },
  ]);
  if (isActive(record)) await begin(work, record.id);
}

/**
 * From here on events concern the destination. While there is none, nobody follows the log, so the planner begins here
 * with the first.
 */
async function begin(work: UnitOfWork, id: string): Promise<void> {
  const seq = work.nextSeq - 1;
  await work.transaction.all('update destinations set after_seq = $2 where id = $1', [id, seq]);
  await work.transaction.all(
    `update notify_head set seq = $1 where seq < $1
       and not exists (select 1 from destinations where ${IS_ACTIVE} and id <> $2)`,
    [seq, id],
  );
}

/** What a browser has already: under the same address, which comes first, or under one that it had before. */
async function findKnown(transaction: Transaction, record: DestinationRecord): Promise<DestinationRecord[]> {
  const { kind, address, device } = record;
  if (address === undefined) return [];
  const rows = await transaction.all<DestinationRow>(
    `select * from destinations where kind = $1 and (address = $2 or device_id = $3)
     order by case when address = $2 then 0 else 1 end, created_at, id`,
    [kind, address, device ?? null],
  );
  return rows.map(fromDestinationRow);
}

/** Its settings stay. Under another address it must be proven again. */
function renew(own: DestinationRecord, { secret, device, address }: DestinationRecord): DestinationRecord {
  const renewed = { ...own, secret, ...(device !== undefined && { device }) };
  if (own.address === address || address === undefined) return renewed;
  const { provenAt: _, proof: __, problem: ___, pausedAt: ____, ...unproven } = renewed;
  return { ...unproven, address };
}

async function forgetFailures(transaction: Transaction, id: string): Promise<void> {
  await transaction.all('update destinations set failures = 0, failing_since = null, backoff_until = 0 where id = $1', [
    id,
  ]);
}

async function write(transaction: Transaction, record: DestinationRecord): Promise<void> {
  const { id, ...columns } = toDestinationColumns(record);
  const names = Object.keys(columns);
  await transaction.all(
    `update destinations set ${names.map((name, index) => `${name} = $${index + 2}`).join(', ')} where id = $1`,
    [id, ...Object.values(columns)],
  );
}

function isActive({ isOn, provenAt }: DestinationRecord): boolean {
  return isOn && provenAt !== undefined;
}

function isOfSame(one: DestinationRecord, other: DestinationRecord): boolean {
  return one.owner === other.owner && one.chatId === other.chatId;
}

async function refuseMore(transaction: Transaction, { owner }: DestinationRecord): Promise<void> {
  const [kept] = await transaction.all<{ own: number; total: number }>(
    'select count(case when owner = $1 then 1 end) as own, count(*) as total from destinations',
    [toColumnText(owner)],
  );
  const { own = 0, total = 0 } = kept ?? {};
  if (own < LIMITS.destinations && total < LIMITS.allDestinations) return;
  throw new BeckonError(
    'invalid_input',
    own >= LIMITS.destinations
      ? `${JSON.stringify(owner)} has ${LIMITS.destinations} destinations, and cannot have more. ` +
          'Remove one that is no longer used: beckon notify list'
      : `This Beckon has ${LIMITS.allDestinations} destinations, and cannot keep more.`,
  );
}

// Between the check of its right and this commit, its token may have been revoked.
async function refuseGone(transaction: Transaction, { owner }: DestinationRecord): Promise<void> {
  if (await canComeIn(transaction, owner)) return;
  throw new BeckonError('unauthorized', `${JSON.stringify(owner)} can no longer log in, so no destination was kept.`);
}
