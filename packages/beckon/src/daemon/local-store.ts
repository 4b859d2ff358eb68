import { dirname } from 'node:path';
import type { Store } from '../core/store.ts';
import { makePrivateFolder } from '../machine/private-file.ts';
import { openStore } from '../open-store.ts';
import { BeckonError } from '../protocol/errors.ts';
import { loadConfig, toSqlitePath } from './config.ts';
import { findDaemon, toStatePath } from './daemon-state.ts';

/** The store that a command works on: the one that is set, else the running daemon's, else the default. */
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

/** Opens the store beside a daemon that may run on it, and closes it afterwards. */
export async function withStore<Result>(
  options: { store?: string },
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = await openLocalStore(await findStore(options), 'Choose another database with --store.');
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Opens a store, after creating the folder of a database file. An error about that folder ends with `next`. */
export async function openLocalStore(name: string, next: string): Promise<Store> {
  const path = toSqlitePath(name);
  if (path !== null) makePrivateFolder(dirname(path), next);
  return openStore(name);
}
