import { dirname } from 'node:path';
import type { Store } from '../core/store.ts';
import { makePrivateFolder } from '../machine/private-file.ts';
import { openStore } from '../open-store.ts';
import { BeckonError } from '../protocol/errors.ts';
import { loadConfig, toSqlitePath } from './config.ts';
import { findDaemon, toStatePath } from './daemon-state.ts';

/** The store that a command works on: the one that is set, else that of the running daemon, else the default. */
export async function findStore(options: { store?: string }): Promise<string> {
  const { store, home } = loadConfig({ flags: { store: options.store } });
  if (store.from !== 'default') return store.value;
  const found = await findDaemon(toStatePath(home.value));
  if (found === null || found.liveness === 'gone') return store.value;
  if (found.state.store.startsWith('sqlite:')) return found.state.store;
  throw new BeckonError(
    'store_misconfigured',
    `Beckon runs on ${found.state.store}. Name that store: --store or BECKON_STORE.`,
  );
}

/** Opens the store beside a daemon that may run on it, and closes it again. */
export async function withStore<Result>(
  options: { store?: string },
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const name = await findStore(options);
  const path = toSqlitePath(name);
  if (path !== null) makePrivateFolder(dirname(path), 'Choose another database with --store.');
  const store = await openStore(name);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
