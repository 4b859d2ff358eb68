import { BeckonError } from './protocol/errors.ts';
import { checkForm } from './runtime/form-schema.ts';
import type { Driver } from './store/driver.ts';
import { openSqlStore, type SqlStore, type SqlStoreOptions } from './store/sql-store.ts';
import { openSqliteDriver } from './store/sqlite/sqlite-driver.ts';

/** Opens the store that a text such as `sqlite:./beckon.db` or `postgres://…` names, and migrates it if needed. */
export async function openStore(store: string, options: Pick<SqlStoreOptions, 'onError'> = {}): Promise<SqlStore> {
  return openSqlStore(await openDriver(store), { checkForm, ...options });
}

/** Opens the engine alone, without migrating. */
export async function openDriver(store: string): Promise<Driver> {
  if (store.startsWith('sqlite:') && store.length > 'sqlite:'.length) {
    return openSqliteDriver(store.slice('sqlite:'.length));
  }
  if (/^postgres(?:ql)?:\/\//.test(store)) {
    return openPostgres(store);
  }
  // Any part of the text may be a password, so none is repeated.
  throw new BeckonError(
    'store_misconfigured',
    'Expected a store such as "sqlite:./beckon.db" or "postgres://user:password@host/database", got another text.',
  );
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
