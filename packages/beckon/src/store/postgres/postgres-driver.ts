import pg from 'pg';
import type { Driver, LogHead, Reader, SqlValue, Transaction } from '../driver.ts';
import type { ColumnType, Table } from '../tables.ts';
import { Listener } from './listener.ts';
import { toStoreError } from './postgres-errors.ts';

/** Migrations of large tables may take this long. */
const MIGRATION_MS = 24 * 60 * 60 * 1000;
/** About how many bytes one statement carries. */
const PART_CHARACTERS = 8 * 1024 * 1024;

/** Settings of the Postgres engine. */
export interface PostgresOptions {
  /** How long to wait for another process that is writing, in milliseconds. Default 10,000. */
  busyMs?: number;
  /** How long to wait for a connection, in milliseconds. Default 5,000. */
  connectMs?: number;
  /**
   * How often to look for changes whose notification was lost, while somebody waits, in milliseconds. Default 1,000.
   */
  sweepMs?: number;
  /**
   * How long to wait for a reply, in milliseconds. A silent server is then given up, and Beckon reconnects.
   * Default: 20,000 more than `busyMs`.
   */
  replyMs?: number;
}

/** Connects to a database. Beckon's tables live in a schema of its own, `beckon`. */
export function openPostgresDriver(url: string, options: PostgresOptions = {}): Driver {
  try {
    return new PostgresDriver(url, options);
  } catch (error) {
    throw toStoreError(error);
  }
}

/**
 * Postgres through `pg`. Writers of all processes take turns by a lock on the log's last number, so that numbers become
 * visible in order. Several steps share a transaction, and what is sent to the server does not grow with their number.
 */
class PostgresDriver implements Driver {
  readonly engine = 'postgres';
  readonly bigint = 'bigint';
  readonly #readers: pg.Pool;
  readonly #writer: pg.Pool;
  readonly #listener: Listener;
  #announcement: 'none' | 'under way' | 'again' = 'none';

  constructor(url: string, options: PostgresOptions) {
    const { busyMs = 10_000, connectMs = 5000, sweepMs = 1000, replyMs = busyMs + 20_000 } = options;
    const config: pg.PoolConfig = {
      // A process that stops in the middle of a transaction must not stop all the others.
      connectionString: withSettings(
        url,
        `-c search_path=beckon -c lock_timeout=${busyMs} -c idle_in_transaction_session_timeout=${busyMs}`,
      ),
      application_name: 'beckon',
      connectionTimeoutMillis: connectMs,
      query_timeout: replyMs,
      keepAlive: true,
      types: { getTypeParser },
    };
    this.#readers = createPool({ ...config, max: 4 });
    this.#writer = createPool({ ...config, max: 1, idleTimeoutMillis: 0 });
    this.#listener = new Listener(config, { sweepMs, checkMs: replyMs });
  }

  all<Row>(sql: string, values?: readonly SqlValue[]): Promise<Row[]> {
    return this.#read((reader) => reader.all(sql, values));
  }

  findIn<Row>(table: Table<Row>, column: keyof Row & string, values: readonly string[]): Promise<Row[]> {
    return this.#read((reader) => reader.findIn(table, column, values));
  }

  async hasTable(name: string): Promise<boolean> {
    const [row] = await this.all<{ oid: string | null }>(`select to_regclass($1)::text as oid`, [`beckon.${name}`]);
    return row?.oid != null;
  }

  async write<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    try {
      const client = await this.#writer.connect();
      let failure: Error | undefined;
      try {
        await client.query('begin');
        const result = await work(toTransaction(client));
        const { command } = await client.query('commit');
        // Postgres answers the commit of a transaction that failed with a rollback, and without an error.
        if (command !== 'COMMIT') throw new Error(`Expected Postgres to commit, got ${command}`);
        return result;
      } catch (error) {
        failure = error as Error;
        throw error;
      } finally {
        // A client in an unknown state is discarded, and its transaction with it.
        client.release(failure);
      }
    } catch (error) {
      throw toStoreError(error);
    }
  }

  async prepare(): Promise<void> {
    // The server knows who is connected.
  }

  announce(): void {
    if (this.#announcement !== 'none') {
      this.#announcement = 'again';
      return;
    }
    this.#announcement = 'under way';
    void this.#notify();
  }

  follow(onChange: () => void): () => void {
    return this.#listener.follow(onChange);
  }

  async close(): Promise<void> {
    await Promise.all([this.#listener.close(), this.#readers.end(), this.#writer.end()]);
  }

  // Sent outside the transaction, once for many commits: inside it, NOTIFY would lock the whole server.
  async #notify(): Promise<void> {
    try {
      await this.#readers.query('notify beckon');
    } catch {
      // A lost notification costs the others at most one sweep.
    }
    const isAgain = this.#announcement === 'again';
    this.#announcement = 'none';
    if (isAgain) this.announce();
  }

  async #read<Result>(work: (reader: Reader) => Promise<Result>): Promise<Result> {
    try {
      return await work(toReader(this.#readers));
    } catch (error) {
      throw toStoreError(error);
    }
  }
}

// The address may have its own options, which `pg` would use instead of ours; of two settings, the last one wins.
function withSettings(url: string, settings: string): string {
  const address = new URL(url);
  const own = address.searchParams.get('options');
  address.searchParams.set('options', own === null ? settings : `${own} ${settings}`);
  return address.href;
}

// Without a handler, a connection that the server ends would end the process: `error` of the pool tells of idle ones,
// that of the client of those at work, whose query fails as well.
function createPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(config);
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

function toReader(client: pg.Pool | pg.PoolClient, settings: { replyMs?: number } = {}): Reader {
  return {
    all: async <Row>(sql: string, values: readonly SqlValue[] = []) => {
      const query = { text: sql, values: [...values], query_timeout: settings.replyMs };
      return (await client.query(query)).rows as Row[];
    },
    findIn: async <Row>(table: Table<Row>, column: string, values: readonly string[]) => {
      const columns = Object.keys(table.columns).join(', ');
      return (await client.query(`select ${columns} from ${table.name} where ${column} = any($1)`, [values]))
        .rows as Row[];
    },
  };
}

function toTransaction(client: pg.PoolClient): Transaction {
  const settings: { replyMs?: number } = {};
  const reader = toReader(client, settings);
  return {
    ...reader,
    lockLog: async () => {
      const [head] = await reader.all<LogHead>(
        'select seq, rules_seq as "rulesSeq", policies_seq as "policiesSeq" from log_head for update',
      );
      return head ?? { seq: 0, rulesSeq: 0, policiesSeq: 0 };
    },
    lockSchema: async () => {
      settings.replyMs = MIGRATION_MS;
      await reader.all(`select pg_advisory_xact_lock(hashtext('beckon'), hashtext('schema'))`);
      await client.query('create schema if not exists beckon');
    },
    insert: async (table, rows) => {
      for (const part of toParts(rows)) {
        const { columns, arrays, values } = toArrays(table, part);
        await client.query(`insert into ${table.name} (${columns.join(', ')}) select * from unnest(${arrays})`, values);
      }
    },
    update: async (table, rows, guard) => {
      const { columns, arrays, values } = toArrays(table, rows);
      const [key, ...changes] = columns.map((column) => `${column} = change.${column}`);
      const result = await client.query(
        `update ${table.name} as kept set ${changes.join(', ')}
         from unnest(${arrays}) as change (${columns.join(', ')}) where kept.${key} and kept.${guard}`,
        values,
      );
      return result.rowCount ?? 0;
    },
    now: async () => {
      const [row] = await reader.all<{ now: number }>(
        'select (extract(epoch from clock_timestamp()) * 1000)::bigint as now',
      );
      return row?.now ?? 0;
    },
  };
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

// A bigint arrives as text. Times and log numbers stay below 2^53 for longer than anybody will run this.
const getTypeParser: pg.CustomTypesConfig['getTypeParser'] = (id, format) =>
  id === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(id, format as 'text');
