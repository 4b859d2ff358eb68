import { afterEach, beforeEach } from 'vitest';
import type { Store } from '../core/store.ts';

/** A database of its own, empty at first. */
export interface StoreDatabase {
  /** Opens one more store on it, as another process would. */
  open(): Promise<Store>;
  /** Closes every store that is still open and removes the database. */
  dispose(): Promise<void>;
}

/** Makes an empty database. */
export type CreateStoreDatabase = () => Promise<StoreDatabase>;

/** For each test around it a new database with one open store. */
export function useStores(create: CreateStoreDatabase): { readonly store: Store; open(): Promise<Store> } {
  let database: StoreDatabase;
  let store: Store;
  beforeEach(async () => {
    database = await create();
    store = await database.open();
  });
  afterEach(() => database.dispose());
  return {
    get store() {
      return store;
    },
    open: () => database.open(),
  };
}
