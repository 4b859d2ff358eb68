import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { openStore } from '../open-store.ts';
import { type TokenDatabase, testTokens } from '../testing/tokens.testsuite.ts';
import type { SqlStore } from './sql-store.ts';

testTokens('SQLite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'beckon-tokens-'));
  return createDatabase(`sqlite:${join(folder, 'beckon.db')}`, () => rm(folder, { recursive: true, force: true }));
});

testTokens('Postgres', async () => {
  const name = `tokens_${randomBytes(6).toString('hex')}`;
  await query(`create database ${name}`);
  const url = Object.assign(new URL(inject('postgresUrl')), { pathname: `/${name}` });
  return createDatabase(url.href, () => query(`drop database ${name} with (force)`));
});

function createDatabase(url: string, remove: () => Promise<void>): TokenDatabase {
  const stores: SqlStore[] = [];
  return {
    open: async () => {
      const store = await openStore(url);
      stores.push(store);
      return store;
    },
    dispose: async () => {
      await Promise.all(stores.map((store) => store.close()));
      await remove();
    },
  };
}

async function query(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
