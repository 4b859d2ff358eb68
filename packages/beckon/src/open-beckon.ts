import { v7 as uuidv7 } from 'uuid';
import type { Beckon } from './core/beckon.ts';
import { type Duration, toMilliseconds } from './protocol/duration.ts';
import { BeckonError } from './protocol/errors.ts';
import { Timeout } from './protocol/interaction.ts';
import { DEFAULT_TIMEOUT_SECONDS } from './protocol/limits.ts';
import { parse } from './protocol/parse.ts';
import { checkForm } from './runtime/form-schema.ts';
import { LocalBeckon } from './runtime/local-beckon.ts';
import { systemClock } from './runtime/system-clock.ts';
import type { Driver } from './store/driver.ts';
import { openSqlStore } from './store/sql-store.ts';
import { openSqliteDriver } from './store/sqlite/sqlite-driver.ts';

/** Settings of a Beckon in this process. */
export interface OpenBeckonOptions {
  /** Where to keep interactions: `sqlite:./beckon.db`, or `postgres://user:password@host/database` (needs the package `pg`). */
  store: string;
  /** How long an ask that names no timeout waits for its answer; `null` is for ever. Default 300 seconds. */
  timeout?: Duration | null;
  /**
   * Hears of failures in the background, such as a database that cannot be reached just now. Beckon goes on and tries again.
   * Default: ignored, because whoever calls a method meanwhile gets the same error.
   */
  onError?: (error: unknown) => void;
}

/** Opens the store, migrates it where needed, expires what fell due meanwhile, and gives Beckon in this process. */
export async function openBeckon(options: OpenBeckonOptions): Promise<Beckon> {
  const { timeout = DEFAULT_TIMEOUT_SECONDS } = options;
  const seconds = parse(Timeout, timeout, { what: 'timeout' });
  const beckon = new LocalBeckon({
    store: await openSqlStore(await openDriver(options.store), { checkForm }),
    clock: systemClock,
    newId: () => `int_${uuidv7()}`,
    timeoutMs: seconds === null ? null : toMilliseconds(seconds),
    onError: options.onError ?? (() => undefined),
  });
  await beckon.start();
  return beckon;
}

async function openDriver(store: string): Promise<Driver> {
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
