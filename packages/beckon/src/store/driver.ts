import type { Table } from './tables.ts';

/** A value that both engines bind and return. */
export type SqlValue = string | number | null;

/** The engines. Where they share no SQL, each has its own text. */
export type Engine = 'sqlite' | 'postgres';

/** Queries. SQL is one text for both engines, with parameters written `$1`, `$2`. */
export interface Reader {
  all<Row>(sql: string, values?: readonly SqlValue[]): Promise<Row[]>;
  /** The rows whose `column` is one of `values`. */
  findIn<Row>(table: Table<Row>, column: keyof Row & string, values: readonly string[]): Promise<Row[]>;
}

/**
 * One engine behind the store. As a `Reader` it shows what is committed, never the middle of a transaction. Failures of
 * the database are thrown as `BeckonError`.
 */
export interface Driver extends Reader {
  readonly engine: Engine;
  /** The name of the 64-bit integer in DDL. */
  readonly bigint: 'integer' | 'bigint';
  hasTable(name: string): Promise<boolean>;
  /**
   * Runs `work` in one transaction and commits it durably; if either fails, nothing changes. Calls must not overlap.
   */
  write<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>;
  /**
   * The same for work that decides before it has the log's lock, where a server would hold it for a whole round trip.
   * Rejects with `OvertakenError` if that was too early: then nothing has changed, and `write` can do it.
   */
  writeAhead?<Result>(work: (transaction: AheadTransaction) => Promise<Result>): Promise<Result>;
  /** Prepares the database, which is known to be Beckon's, for writing, and marks it as in use. */
  prepare(): Promise<void>;
  /** Tells other processes that the log was committed up to number `seq`. The message may get lost. */
  announce(seq: number): void;
  /**
   * Calls `onChange` when a process may have committed something, until the returned function is called. `seq`: it is
   * only told of commits up to this number.
   */
  follow(onChange: (seq?: number) => void): () => void;
  close(): Promise<void>;
}

/** Where the log is: its last number, and that of the last change of a rule and of a time policy. 0: there was none. */
export interface LogHead {
  seq: number;
  rulesSeq: number;
  policiesSeq: number;
}

/** Another writer has changed what a decision was based on. */
export class OvertakenError extends Error {
  override readonly name = 'OvertakenError';
}

/**
 * An open transaction. Its calls run in the order in which they are made, and nobody has to wait for one before the
 * next: what is called together goes to the server together. If one fails, nothing is committed, even if nobody waited
 * for it.
 */
export interface Transaction extends Reader {
  /**
   * Waits for every other writer of the log and returns where it is. From here to the commit, no other writer runs.
   */
  lockLog(): Promise<LogHead>;
  /** Writes where the log is now. */
  moveLog(head: LogHead): Promise<void>;
  /** Waits for every other process that migrates, even if the database is still empty. */
  lockSchema(): Promise<void>;
  insert<Row>(table: Table<Row>, rows: readonly Row[]): Promise<void>;
  /** Updates each row by its first column if `guard` still holds. */
  update<Row>(table: Table<Row>, rows: readonly Row[], guard: string): Promise<void>;
  /** The same, and fails if it no longer holds for one of them. */
  updateAll<Row>(table: Table<Row>, rows: readonly Row[], guard: string): Promise<void>;
  /** The database's own clock, in milliseconds. */
  now(): Promise<number>;
}

/** A transaction that decides first and locks the log when it writes. */
export interface AheadTransaction extends Transaction {
  /**
   * Waits for every other writer of the log, makes it so many numbers longer and returns where it ended. From here to
   * the commit, no other writer runs. Fails if a rule or a time policy has changed since these numbers; `null`: nothing
   * was decided by them.
   */
  advanceLog(input: { by: number; rulesSeq: number | null; policiesSeq: number | null }): Promise<number>;
  /** Inserts rows whose numbers count from where the log ended before `advanceLog`: 1 is the first after it. */
  insertNumbered<Row>(table: Table<Row>, rows: readonly Row[]): Promise<void>;
}
