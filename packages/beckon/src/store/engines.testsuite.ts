import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, inject } from 'vitest';
import { checkForm } from '../runtime/form-schema.ts';
import type { StoreDatabase } from '../testing/use-stores.testsuite.ts';
import type { Driver } from './driver.ts';
import { openPostgresDriver, type PostgresOptions } from './postgres/postgres-driver.ts';
import { openSqlStore, type SqlStore } from './sql-store.ts';
import { openSqliteDriver, type SqliteOptions } from './sqlite/sqlite-driver.ts';

/** A real database of one engine, for one test. */
export interface TestDatabase extends StoreDatabase {
  /** What `openBeckon` takes as its `store`. */
  readonly url: string;
  /** A driver that the caller closes. */
  openDriver(): Driver;
  /** A statement on a connection of its own, beside Beckon. */
  query<Row>(sql: string): Promise<Row[]>;
  open(): Promise<SqlStore>;
}

/** Makes an empty SQLite file in a folder of its own. */
export async function createSqliteDatabase(options: SqliteOptions = {}): Promise<TestDatabase & { path: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'beckon-sqlite-'));
  const path = join(folder, 'beckon.db');
  const openDriver = (): Driver => openSqliteDriver(path, { pollMs: 10, ...options });
  return {
    ...createDatabase(openDriver, async () => rmSync(folder, { recursive: true, force: true })),
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
  };
}

/** Gives each test of a file an empty `beckon` schema, in a database that this file has for itself. */
export function usePostgres(): (options?: PostgresOptions) => Promise<TestDatabase> {
  const name = `beckon_${randomBytes(6).toString('hex')}`;
  const url = Object.assign(new URL(inject('postgresUrl')), { pathname: `/${name}` }).href;
  let isCreated = false;
  afterAll(async () => {
    if (isCreated) await queryOnce(inject('postgresUrl'), `drop database ${name} with (force)`);
  });
  return async (options = {}) => {
    if (!isCreated) await queryOnce(inject('postgresUrl'), `create database ${name}`);
    isCreated = true;
    const dropSchema = async (): Promise<void> => {
      await queryOnce(url, 'set client_min_messages = warning; drop schema if exists beckon cascade');
    };
    return {
      ...createDatabase(() => openPostgresDriver(url, options), dropSchema),
      url,
      query: (sql) => queryOnce(url, sql),
    };
  };
}

function createDatabase(
  openDriver: () => Driver,
  remove: () => Promise<void>,
): Pick<TestDatabase, 'openDriver' | 'open' | 'dispose'> {
  const stores: SqlStore[] = [];
  return {
    openDriver,
    open: async () => {
      const store = await openSqlStore(openDriver(), { checkForm });
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
