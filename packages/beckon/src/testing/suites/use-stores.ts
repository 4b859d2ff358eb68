import type { Store } from '../../core/store.ts';
import { useEach } from './use-each.ts';

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
  const current = useEach<{ database: StoreDatabase; store: Store }>(async (runTest) => {
    const database = await create();
    try {
      await runTest({ database, store: await database.open() });
    } finally {
      await database.dispose();
    }
  });
  return {
    get store() {
      return current().store;
    },
    open: () => current().database.open(),
  };
}
