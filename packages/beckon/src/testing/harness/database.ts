import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { policy } from '../../rules/policy.ts';
import { checkForm } from '../../runtime/form-schema.ts';
import type { Driver } from '../../store/driver.ts';
import { openPostgresDriver, type PostgresOptions } from '../../store/postgres/postgres-driver.ts';
import { openSqlStore, type SqlStore } from '../../store/sql-store.ts';
import { openSqliteDriver, type SqliteOptions } from '../../store/sqlite/sqlite-driver.ts';
import type { StoreDatabase } from '../suites/use-stores.ts';
import { createTemporaryFolder } from './temporary-folder.ts';

/** The engines that every proof runs on. */
export const ENGINES = ['sqlite', 'postgres'] as const;
export type Engine = (typeof ENGINES)[number];

/** A real database of one engine, for one test. */
export interface TestDatabase extends StoreDatabase {
  /** What `openBeckon` takes as its `store`. */
  readonly url: string;
  /** A driver that the caller closes. */
  openDriver(): Driver;
  /** A statement on a connection of its own, beside Beckon. */
  query<Row>(sql: string): Promise<Row[]>;
  open(): Promise<SqlStore>;
  /** Removes everything from it, as if it were new. Nobody may have it open. */
  empty(): Promise<void>;
}

/** Makes an empty SQLite file in a folder of its own. */
export async function createSqliteDatabase(options: SqliteOptions = {}): Promise<TestDatabase & { path: string }> {
  const folder = createTemporaryFolder('beckon-sqlite-');
  const path = join(folder, 'beckon.db');
  const openDriver = (): Driver => openSqliteDriver(path, { pollMs: 10, ...options });
  return {
    ...openStores(openDriver, async () => rmSync(folder, { recursive: true, force: true })),
    path,
    url: `sqlite:${path}`,
    query: async (sql) => {
      const driver = openDriver();
      try {
        return await driver.all(sql);
      } finally {
        await driver.close();
      }
    },
    empty: async () => {
      for (const ending of ['', '-wal', '-shm']) rmSync(`${path}${ending}`, { force: true });
    },
  };
}

/** Makes databases of either engine for the tests of a file. */
export function useEngines(): (engine: Engine) => Promise<TestDatabase> {
  const createPostgresDatabase = usePostgres();
  return (engine) => (engine === 'sqlite' ? createSqliteDatabase() : createPostgresDatabase());
}

/**
 * Makes Postgres databases for the tests of a file, migrated and empty. A database that a test gives back is emptied
 * for the next one, because that takes a hundredth of the time of the migrations.
 */
export function usePostgres(): (options?: PostgresOptions) => Promise<TestDatabase> {
  const free: string[] = [];
  return async (options = {}) => {
    const url = free.pop() ?? (await createPostgres('beckon_template'));
    const empty = async (): Promise<void> => void (await queryOnce(url, inject('postgresReset')));
    const giveBack = async (): Promise<void> => {
      await empty();
      free.push(url);
    };
    return { ...toPostgresDatabase(url, options, giveBack), empty };
  };
}

/** Makes a Postgres database without a table, for tests of the migrations. */
export async function createBarePostgres(): Promise<TestDatabase> {
  const url = await createPostgres('template1');
  const empty = async (): Promise<void> => {
    await queryOnce(url, 'set client_min_messages = warning; drop schema if exists beckon cascade');
  };
  return { ...toPostgresDatabase(url, {}, empty), empty };
}

async function createPostgres(template: string): Promise<string> {
  const name = `beckon_${randomBytes(6).toString('hex')}`;
  await queryOnce(inject('postgresUrl'), `create database ${name} template ${template}`);
  return Object.assign(new URL(inject('postgresUrl')), { pathname: `/${name}` }).href;
}

function toPostgresDatabase(
  url: string,
  options: PostgresOptions,
  remove: () => Promise<void>,
): Omit<TestDatabase, 'empty'> {
  return {
    ...openStores(() => openPostgresDriver(url, options), remove),
    url,
    query: (sql) => queryOnce(url, sql),
  };
}

function openStores(
  openDriver: () => Driver,
  remove: () => Promise<void>,
): Pick<TestDatabase, 'openDriver' | 'open' | 'dispose'> {
  const stores: SqlStore[] = [];
  return {
    openDriver,
    open: async () => {
      const store = await openSqlStore(openDriver(), { checkForm, policy });
      stores.push(store);
      return store;
    },
    dispose: async () => {
      await Promise.all(stores.map((store) => store.close()));
      await remove();
    },
  };
}

async function queryOnce<Row>(connectionString: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString, options: '-c search_path=beckon,public' });
  await client.connect();
  try {
    return (await client.query(sql)).rows as Row[];
  } finally {
    await client.end();
  }
}
