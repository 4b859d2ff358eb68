import { BeckonError } from './protocol/errors.ts';
import { policy } from './rules/policy.ts';
import { checkForm } from './runtime/form-schema.ts';
import type { Driver } from './store/driver.ts';
import { openSqlStore, type SqlStore, type SqlStoreOptions } from './store/sql-store.ts';

/** Opens the store that a text such as `sqlite:./beckon.db` or `postgres://…` names, and migrates it if needed. */
export async function openStore(store: string, options: Pick<SqlStoreOptions, 'onError'> = {}): Promise<SqlStore> {
  return openSqlStore(await openDriver(store), { checkForm, policy, ...options });
}

/** Opens the engine alone, without migrating. An engine is loaded only when it is opened. */
export async function openDriver(store: string): Promise<Driver> {
  const name: unknown = store; // JavaScript may give anything.
  if (typeof name === 'string') {
    if (name.startsWith('sqlite:') && name.length > 'sqlite:'.length) return openSqlite(name.slice('sqlite:'.length));
    if (/^postgres(?:ql)?:\/\//.test(name)) return openPostgres(name);
  }
  throw new BeckonError(
    'store_misconfigured',
    `Expected a store such as "sqlite:./beckon.db" or "postgres://user:password@host/database", got ${describe(name)}.`,
  );
}

// Any part of the text but a scheme before "://" may be a password. The name of a database file is none.
function describe(store: unknown): string {
  if (store === undefined) return 'nothing';
  if (typeof store !== 'string') return `a value of type ${typeof store}`;
  if (store === '') return 'an empty text';
  if (store === 'sqlite:') return '"sqlite:" without a file';
  if (/^[^@:?\s]+\.(?:db|sqlite3?)$/i.test(store)) return `${JSON.stringify(store)}: write "sqlite:${store}"`;
  const scheme = /^[a-z][a-z0-9+.-]*(?=:\/\/)/i.exec(store)?.[0];
  return scheme === undefined ? 'a text without one of these schemes' : `"${scheme}://…"`;
}

async function openSqlite(path: string): Promise<Driver> {
  const { openSqliteDriver } = await import('./store/sqlite/sqlite-driver.ts');
  return openSqliteDriver(path);
}

async function openPostgres(url: string): Promise<Driver> {
  const { openPostgresDriver } = await import('./store/postgres/postgres-driver.ts').catch((error: unknown) => {
    throw new BeckonError(
      'store_misconfigured',
      'A Postgres store needs the package "pg", which is not installed. Run: npm install pg',
      { cause: error },
    );
  });
  return openPostgresDriver(url);
}
