import { setTimeout as sleep } from 'node:timers/promises';
import { BeckonError } from '../../protocol/errors.ts';
import type { Driver, LogHead, SqlValue, Transaction } from '../driver.ts';
import type { Table } from '../tables.ts';
import { Connection } from './connection.ts';
import { createFile, identify, refuseGone, refuseOtherName, toMark, toRealPath } from './file-name.ts';
import { isBusy, toStoreError } from './sqlite-errors.ts';

/** Settings of the SQLite engine. */
export interface SqliteOptions {
  /** How long to wait for another process that is writing, in milliseconds. Default 10,000. */
  busyMs?: number;
  /** How often to look for changes by other processes while somebody waits, in milliseconds. Default 100. */
  pollMs?: number;
}

/** Opens a database file; creates it, readable for this user only, if it does not exist. Writes nothing else yet. */
export function openSqliteDriver(path: string, options: SqliteOptions = {}): Driver {
  if (path === ':memory:') {
    throw new BeckonError('store_misconfigured', 'Beckon keeps requests on disk. Name a file instead of ":memory:".');
  }
  try {
    const realPath = toRealPath(path);
    createFile(realPath);
    refuseOtherName(realPath);
    return new SqliteDriver(realPath, options);
  } catch (error) {
    throw toStoreError(error, path);
  }
}

/**
 * SQLite through `node:sqlite`. One connection writes and one reads, so that a reader never sees the middle of a
 * transaction. The calls are synchronous; the promises are there for the other engine, and for waiting until another
 * process is done.
 */
class SqliteDriver implements Driver {
  readonly engine = 'sqlite';
  readonly bigint = 'integer';
  readonly #path: string;
  readonly #file: string | undefined;
  readonly #busyMs: number;
  readonly #pollMs: number;
  readonly #writer: Connection;
  readonly #reader: Connection;
  #isPrepared = false;

  constructor(path: string, { busyMs = 10_000, pollMs = 100 }: SqliteOptions) {
    this.#path = path;
    this.#file = identify(path);
    this.#busyMs = busyMs;
    this.#pollMs = pollMs;
    this.#writer = new Connection(path);
    this.#reader = new Connection(path);
  }

  all<Row>(sql: string, values?: readonly SqlValue[]): Promise<Row[]> {
    return this.#whenFree(() => this.#reader.all<Row>(sql, values));
  }

  findIn<Row>(table: Table<Row>, column: keyof Row & string, values: readonly string[]): Promise<Row[]> {
    return this.#whenFree(() => this.#reader.findIn(table, column, values));
  }

  async hasTable(name: string): Promise<boolean> {
    const tables = await this.all<{ name: string }>(`select name from sqlite_schema where type = 'table'`);
    if (tables.some((table) => table.name === name)) return true;
    if (tables.length === 0) return false;
    throw new BeckonError(
      'store_misconfigured',
      `The file ${JSON.stringify(this.#path)} is the SQLite database of another program ` +
        `(it has a table ${JSON.stringify(tables[0]?.name)}). It was left untouched. Point Beckon at another file.`,
    );
  }

  async write<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    await this.#whenFree(() => {
      this.#prepare();
      this.#writer.exec('begin immediate');
    });
    try {
      const { transaction, failure } = toTransaction(this.#writer);
      const result = await work(transaction);
      const failed = failure();
      if (failed !== undefined) throw failed;
      refuseGone(this.#path, this.#file);
      this.#writer.exec('commit');
      return result;
    } catch (error) {
      this.#rollback();
      throw toStoreError(error, this.#path);
    }
  }

  async prepare(): Promise<void> {
    await this.#whenFree(() => this.#prepare());
  }

  announce(): void {
    // Other processes watch `data_version`, so nobody needs to be told.
  }

  follow(onChange: () => void): () => void {
    let version = this.#readVersion();
    const timer = setInterval(() => {
      const current = this.#readVersion();
      if (current !== undefined && current === version) return;
      version = current;
      onChange();
    }, this.#pollMs);
    return () => clearInterval(timer);
  }

  async close(): Promise<void> {
    this.#reader.close();
    this.#writer.close();
  }

  // A file that cannot be read may have changed: the follower then reads it, and can report the error.
  #readVersion(): number | undefined {
    try {
      return this.#reader.dataVersion();
    } catch {
      return undefined;
    }
  }

  #prepare(): void {
    if (this.#isPrepared) return;
    this.#writer.exec('pragma journal_mode = wal');
    const mark = toMark(this.#path);
    if (this.#writer.all<{ application_id: number }>('pragma application_id')[0]?.application_id !== mark) {
      this.#writer.exec(`pragma application_id = ${mark}`);
      // Written into the file itself, where a process that uses another name looks for it.
      this.#writer.exec('pragma wal_checkpoint(passive)');
    }
    this.#isPrepared = true;
  }

  #rollback(): void {
    try {
      this.#writer.exec('rollback');
    } catch {
      // SQLite has rolled back by itself after some failures (a full disk); the first error is the one to report.
    }
  }

  // SQLite would wait by blocking the whole process, so Beckon waits for other processes itself.
  async #whenFree<Result>(attempt: () => Result): Promise<Result> {
    const giveUpAt = performance.now() + this.#busyMs;
    for (;;) {
      try {
        return attempt();
      } catch (error) {
        if (!isBusy(error) || performance.now() >= giveUpAt) throw toStoreError(error, this.#path);
        await sleep(1 + Math.random() * 10);
      }
    }
  }
}

/** A transaction of the connection, and what failed first in it. */
function toTransaction(connection: Connection): { transaction: Transaction; failure(): Error | undefined } {
  let failure: Error | undefined;
  // Nothing more happens after a failure, because SQLite may have rolled back by itself, and what came then would be
  // committed alone.
  const run = <Result>(work: () => Result): Promise<Result> => {
    try {
      if (failure !== undefined) throw failure;
      return Promise.resolve(work());
    } catch (error) {
      failure ??= error as Error;
      const failed = Promise.reject(error);
      failed.catch(() => undefined); // Not everybody waits for it; `write` looks here.
      return failed;
    }
  };
  return {
    failure: () => failure,
    transaction: {
      // `begin immediate` has the only write lock that there is.
      lockLog: () => run(() => connection.all<LogHead>(READ_HEAD)[0] ?? { seq: 0, rulesSeq: 0, policiesSeq: 0 }),
      moveLog: ({ seq, rulesSeq, policiesSeq }) => run(() => connection.run(MOVE_HEAD, [seq, rulesSeq, policiesSeq])),
      lockSchema: () => Promise.resolve(),
      all: (sql, values) => run(() => connection.all(sql, values)),
      findIn: (table, column, values) => run(() => connection.findIn(table, column, values)),
      insert: (table, rows) => run(() => connection.insert(table, rows)),
      update: (table, rows, guard) => run(() => void connection.update(table, rows, guard)),
      updateAll: (table, rows, guard) =>
        run(() => {
          const updated = connection.update(table, rows, guard);
          if (updated !== rows.length) throw new Error(`Expected to update ${rows.length} rows, updated ${updated}`);
        }),
      now: () => Promise.resolve(Date.now()),
    },
  };
}

const READ_HEAD = 'select seq, rules_seq as "rulesSeq", policies_seq as "policiesSeq" from log_head';
const MOVE_HEAD = 'update log_head set seq = $1, rules_seq = $2, policies_seq = $3';
