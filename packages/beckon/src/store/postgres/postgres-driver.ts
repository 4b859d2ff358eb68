import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import {
  type AheadTransaction,
  type Driver,
  OvertakenError,
  type Reader,
  type SqlValue,
  type Transaction,
} from '../driver.ts';
import type { Table } from '../tables.ts';
import { Listener } from './listener.ts';
import { isOvertaken, toStoreError } from './postgres-errors.ts';
import { createNames, Sender, toReader, toTransaction } from './postgres-transaction.ts';

/**
 * A prepared statement is planned once: planning again for what is in its arrays costs more than running it. The plan
 * is kept while its table grows, so one that was made for a small table must find rows by an index as well.
 */
const WRITER_SETTINGS = '-c enable_seqscan=off -c jit=off -c plan_cache_mode=force_generic_plan';

/** Readers also notify. A notification may get lost, so it need not wait for the disk, where commits wait as well. */
const READER_SETTINGS = '-c synchronous_commit=off';

/** The pause between two notifications: each wakes every node, and the server for each of them. */
const NOTIFY_MS = 5;

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
 * visible in order. Most decide before they take it, so that nobody holds it while a process thinks or a network
 * carries. Several steps share a transaction, and what is sent to the server does not grow with their number.
 */
class PostgresDriver implements Driver {
  readonly engine = 'postgres';
  readonly bigint = 'bigint';
  readonly #readers: pg.Pool;
  readonly #writer: pg.Pool;
  readonly #listener: Listener;
  readonly #toNamed = createNames();
  #announced = 0;
  #announcing: Promise<void> | undefined;
  readonly #closing = new AbortController();

  constructor(url: string, options: PostgresOptions) {
    const { busyMs = 10_000, connectMs = 5000, sweepMs = 1000, replyMs = busyMs + 20_000 } = options;
    // A process that stops in the middle of a transaction must not stop all the others.
    const settings = `-c search_path=beckon -c lock_timeout=${busyMs} -c idle_in_transaction_session_timeout=${busyMs}`;
    const config: pg.PoolConfig = {
      connectionString: withSettings(url, settings),
      application_name: 'beckon',
      connectionTimeoutMillis: connectMs,
      query_timeout: replyMs,
      keepAlive: true,
      types: { getTypeParser },
    };
    this.#readers = createPool({
      ...config,
      connectionString: withSettings(url, `${settings} ${READER_SETTINGS}`),
      max: 4,
    });
    this.#writer = createPool({
      ...config,
      connectionString: withSettings(url, `${settings} ${WRITER_SETTINGS}`),
      max: 1,
      idleTimeoutMillis: 0,
      pipeline: true,
    });
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

  write<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return this.#transact(work);
  }

  async writeAhead<Result>(work: (transaction: AheadTransaction) => Promise<Result>): Promise<Result> {
    try {
      return await this.#transact(work);
    } catch (error) {
      throw isOvertaken(error) ? new OvertakenError('Another writer was faster', { cause: error }) : error;
    }
  }

  async #transact<Result>(work: (transaction: AheadTransaction) => Promise<Result>): Promise<Result> {
    try {
      const client = await this.#writer.connect();
      const sender = new Sender(client);
      let isOver = false;
      try {
        // Sent without waiting: `begin` goes with the first statements of `work`, and `commit` with the last.
        void sender.send({ text: 'begin isolation level read committed' });
        const result = await work(toTransaction(sender, this.#toNamed));
        const { command } = await sender.send({ text: 'commit' });
        isOver = true;
        // Postgres answers the commit of a transaction that failed with a rollback, and without an error.
        if (command !== 'COMMIT') throw new Error(`Expected Postgres to commit, got ${command}`);
        return result;
      } catch (error) {
        throw sender.failure ?? error;
      } finally {
        // A client in an unknown state is discarded, and its transaction with it.
        client.release(!isOver);
      }
    } catch (error) {
      throw toStoreError(error);
    }
  }

  async prepare(): Promise<void> {
    // The server knows who is connected.
  }

  announce(seq: number): void {
    this.#announced = seq;
    this.#announcing ??= this.#notify().finally(() => {
      this.#announcing = undefined;
    });
  }

  follow(onChange: (seq?: number) => void): () => void {
    return this.#listener.follow(onChange);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#announcing;
    await Promise.all([this.#listener.close(), this.#readers.end(), this.#writer.end()]);
  }

  // Sent outside the transaction, once for many commits: inside it, NOTIFY would lock the whole server.
  async #notify(): Promise<void> {
    const { signal } = this.#closing;
    let sent: number;
    do {
      sent = this.#announced;
      try {
        await this.#readers.query(`notify beckon, '${sent}'`);
      } catch {
        // A lost notification costs the others at most one sweep.
      }
      // Closing ends the pause, and what was committed in it is still told.
      await sleep(NOTIFY_MS, undefined, { signal }).catch(() => undefined);
    } while (sent !== this.#announced);
  }

  async #read<Result>(work: (reader: Reader) => Promise<Result>): Promise<Result> {
    try {
      return await work(toReader((query) => this.#readers.query(query)));
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

// A bigint arrives as text. Times and log numbers stay below 2^53 for longer than anybody will run this.
const getTypeParser: pg.CustomTypesConfig['getTypeParser'] = (id, format) =>
  id === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(id, format as 'text');
