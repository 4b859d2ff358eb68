import type pg from 'pg';
import type { AheadTransaction, LogHead, Reader, SqlValue } from '../driver.ts';
import type { ColumnType, Table } from '../tables.ts';

/** Migrations of large tables may take this long. */
const MIGRATION_MS = 24 * 60 * 60 * 1000;
/** About how many bytes one statement carries. */
const PART_CHARACTERS = 8 * 1024 * 1024;

type Send = (query: pg.QueryConfig) => Promise<pg.QueryResult>;

/**
 * Sends the statements of one transaction, each without waiting for the replies to those before it. Postgres runs them
 * in order, and none after the first that fails.
 */
export class Sender {
  readonly #client: pg.PoolClient;
  #failure: Error | undefined;
  #isCorked = false;
  /** How long to wait for each reply from here on, where that is not as the connection says. */
  replyMs: number | undefined;

  constructor(client: pg.PoolClient) {
    this.#client = client;
  }

  /** What failed first. All that came later failed for this reason. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  send(query: pg.QueryConfig): Promise<pg.QueryResult> {
    this.#cork();
    const reply = this.#client.query({ ...query, ...(this.replyMs !== undefined && { query_timeout: this.replyMs }) });
    // Heard here, because not everybody who sends waits for the reply.
    reply.catch((error: Error) => {
      this.#failure ??= error;
    });
    return reply;
  }

  // What is sent without waiting leaves in one packet, and wakes the server once.
  #cork(): void {
    if (this.#isCorked) return;
    this.#isCorked = true;
    const { stream } = this.#client.connection;
    stream.cork();
    process.nextTick(() => {
      this.#isCorked = false;
      stream.uncork();
    });
  }
}

/** Queries, each of which `send` sends by itself. */
export function toReader(send: Send): Reader {
  return {
    all: async <Row>(sql: string, values: readonly SqlValue[] = []) =>
      (await send({ text: sql, values: [...values] })).rows as Row[],
    findIn: async <Row>(table: Table<Row>, column: string, values: readonly string[]) =>
      (await send({ text: toFindText(table, column), values: [values] })).rows as Row[],
  };
}

/** A statement that each connection prepares once. For texts that do not depend on what is written. */
type ToNamed = (text: string, values: unknown[]) => pg.QueryConfig;

/** Gives each text a name of its own, for all connections of one driver. */
export function createNames(): ToNamed {
  const names = new Map<string, string>();
  return (text, values) => {
    const name = names.get(text) ?? `beckon_${names.size}`;
    names.set(text, name);
    return { name, text, values };
  };
}

/** The transaction that a `Sender` has begun. */
export function toTransaction(sender: Sender, toNamed: ToNamed): AheadTransaction {
  const send: Send = (query) => sender.send(query);
  const reader = toReader(send);
  // Nobody has to wait for what it returns, so nobody has to handle its failure: the sender knows it.
  const write = (...queries: pg.QueryConfig[]): Promise<void> => {
    const written = Promise.all(queries.map(send)).then(() => undefined);
    written.catch(() => undefined);
    return written;
  };
  let advancedBy = 0;
  return {
    all: reader.all,
    findIn: async <Row>(table: Table<Row>, column: string, values: readonly string[]) =>
      (await send(toNamed(toFindText(table, column), [values]))).rows as Row[],
    lockLog: async () => {
      const { rows } = await send(toNamed(LOCK_HEAD, []));
      return (rows[0] as LogHead | undefined) ?? { seq: 0, rulesSeq: 0, policiesSeq: 0 };
    },
    moveLog: ({ seq, rulesSeq, policiesSeq }) => write(toNamed(MOVE_HEAD, [seq, rulesSeq, policiesSeq])),
    advanceLog: ({ by, rulesSeq, policiesSeq }) => {
      advancedBy = by;
      const sent = send(toNamed(ADVANCE_HEAD, [by, rulesSeq, policiesSeq]));
      const end = sent.then(({ rows }) => (rows[0] as { log_end: number }).log_end);
      end.catch(() => undefined); // As for `write`.
      return end;
    },
    lockSchema: async () => {
      sender.replyMs = MIGRATION_MS;
      await reader.all(`select pg_advisory_xact_lock(hashtext('beckon'), hashtext('schema'))`);
      await reader.all('create schema if not exists beckon');
    },
    insert: (table, rows) => write(...Array.from(toParts(rows), (part) => toNamed(...toInsert(table, part)))),
    insertNumbered: (table, rows) =>
      write(...Array.from(toParts(rows), (part) => toNamed(...toNumberedInsert(table, part, advancedBy)))),
    update: (table, rows, guard) => write(toNamed(...toUpdate(table, rows, guard))),
    updateAll: (table, rows, guard) => {
      const [text, values] = toUpdate(table, rows, guard);
      // It fails by itself, as `ADVANCE_HEAD` does.
      const counted = `with updated as (${text} returning 1)
         select 1 / (case when count(*) = $${values.length + 1}::bigint then 1 else 0 end) from updated`;
      return write(toNamed(counted, [...values, rows.length]));
    },
    now: async () => {
      const [row] = await reader.all<{ now: number }>(
        'select (extract(epoch from clock_timestamp()) * 1000)::bigint as now',
      );
      return row?.now ?? 0;
    },
  };
}

const LOCK_HEAD = 'select seq, rules_seq as "rulesSeq", policies_seq as "policiesSeq" from log_head for update';
const MOVE_HEAD = 'update log_head set seq = $1, rules_seq = $2, policies_seq = $3';
// The commit is on its way before anybody here could read the count, so the server itself must fail.
const ADVANCE_HEAD = `with moved as (
    update log_head set seq = seq + $1::bigint
    where rules_seq = coalesce($2, rules_seq) and policies_seq = coalesce($3, policies_seq) returning seq
  ) select max(seq) - $1::bigint as log_end, 1 / count(*) as is_moved from moved`;

function toFindText<Row>(table: Table<Row>, column: string): string {
  return `select ${Object.keys(table.columns).join(', ')} from ${table.name} where ${column} = any($1)`;
}

function toInsert<Row>(table: Table<Row>, rows: readonly Row[]): [text: string, values: unknown[]] {
  const { columns, arrays, values } = toArrays(table, rows);
  return [`insert into ${table.name} (${columns.join(', ')}) select * from unnest(${arrays})`, values];
}

function toNumberedInsert<Row>(
  table: Table<Row>,
  rows: readonly Row[],
  advancedBy: number,
): [text: string, values: unknown[]] {
  const { columns, arrays, values } = toArrays(table, rows);
  const end = `(select seq from log_head) - $${values.length + 1}::bigint`;
  const selected = columns.map((column) => (column === table.seq ? `${end} + ${column}` : column));
  const text = `insert into ${table.name} (${columns.join(', ')})
         select ${selected.join(', ')} from unnest(${arrays}) as added (${columns.join(', ')})`;
  return [text, [...values, advancedBy]];
}

// Each row is found by its key alone, then by its place. An index of rows for which the guard holds would look cheaper
// to the planner, but it also has every row for which it held since the last vacuum, and those would all be read.
function toUpdate<Row>(table: Table<Row>, rows: readonly Row[], guard: string): [text: string, values: unknown[]] {
  const { columns, arrays, values } = toArrays(table, rows);
  const [key = ''] = columns;
  const changes = columns.slice(1).map((column) => `${column} = change.${column}`);
  const text = `update ${table.name} as kept set ${changes.join(', ')}
         from unnest(${arrays}) as change (${columns.join(', ')}), lateral (
           select case when ${guard} then found.ctid end as place
           from ${table.name} as found where found.${key} = change.${key} offset 0
         ) as found
         where kept.ctid = found.place`;
  return [text, values];
}

// A statement of Postgres has a limit of 1 GiB, and its memory is taken at once.
function* toParts<Row>(rows: readonly Row[]): Generator<Row[]> {
  let part: Row[] = [];
  let characters = 0;
  for (const row of rows) {
    part.push(row);
    for (const value of Object.values(row as object)) characters += typeof value === 'string' ? value.length : 8;
    if (characters < PART_CHARACTERS) continue;
    yield part;
    part = [];
    characters = 0;
  }
  if (part.length > 0) yield part;
}

/** Rows as one array per column: one statement with a fixed text writes any number of them. */
function toArrays<Row>(
  table: Table<Row>,
  rows: readonly Row[],
): { columns: string[]; arrays: string; values: unknown[][] } {
  const columns = Object.keys(table.columns) as (keyof Row & string)[];
  const types = Object.values<ColumnType>(table.columns);
  return {
    columns,
    arrays: types.map((type, index) => `$${index + 1}::${type}[]`).join(', '),
    values: columns.map((column) => rows.map((row) => row[column])),
  };
}
