import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { Driver } from '../../packages/beckon/src/store/driver.ts';
import { openPostgresDriver } from '../../packages/beckon/src/store/postgres/postgres-driver.ts';
import { openSqliteDriver } from '../../packages/beckon/src/store/sqlite/sqlite-driver.ts';

/** The engines that every proof runs on. */
export const ENGINES = ['sqlite', 'postgres'] as const;
export type Engine = (typeof ENGINES)[number];

/** A database of a test's own, on a real engine. */
export interface TestDatabase {
  /** What `openBeckon` takes as its `store`. */
  readonly store: string;
  /** A driver of its own for a runtime that the test puts together; it looks for changes more often than the default. */
  openDriver(): Driver;
  /** Takes everything out of it, as if it were new. Nobody may have it open. */
  empty(): Promise<void>;
  dispose(): Promise<void>;
}

/** Creates an empty database: a file in a temporary folder, or a database in the shared Postgres. */
export function createDatabase(engine: Engine, postgresUrl: string): Promise<TestDatabase> {
  return engine === 'sqlite' ? createSqlite() : createPostgres(postgresUrl);
}

async function createSqlite(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'beckon-proof-'));
  const path = join(folder, 'beckon.db');
  return {
    store: `sqlite:${path}`,
    openDriver: () => openSqliteDriver(path, { pollMs: 5 }),
    empty: async () => {
      for (const ending of ['', '-wal', '-shm']) await rm(`${path}${ending}`, { force: true });
    },
    dispose: () => rm(folder, { recursive: true, force: true }),
  };
}

async function createPostgres(serverUrl: string): Promise<TestDatabase> {
  const name = `proof_${randomBytes(6).toString('hex')}`;
  await query(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    store: url.href,
    openDriver: () => openPostgresDriver(url.href),
    empty: () => query(url.href, 'drop schema if exists beckon cascade'),
    dispose: () => query(serverUrl, `drop database ${name} with (force)`),
  };
}

async function query(connectionString: string, sql: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
