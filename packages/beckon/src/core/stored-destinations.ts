import type { DestinationRecord } from './notify.ts';

/** How many entries of the outbox a destination has. */
export interface DestinationCounts {
  waiting: number;
  dead: number;
}

/** Where people and programs are told. A destination hears of what happens after it was added. */
export interface StoredDestinations {
  /**
   * Keeps a destination, and returns it. A browser that is known by its `address` or `device` keeps the one it has,
   * with the new secret; under another address it must be proven again. One of somebody else's is removed, because a
   * browser tells only whoever is logged in. Throws
   * `invalid_input` if its owner has too many, and `unauthorized` if nobody can come in under the owner's name.
   */
  add(record: DestinationRecord): Promise<DestinationRecord>;
  find(id: string): Promise<DestinationRecord | null>;
  /** In the order in which they were added; `owner`: only theirs. */
  list(filter?: { owner?: string | undefined }): Promise<DestinationRecord[]>;
  /** By id. Destinations without entries are left out. */
  counts(): Promise<ReadonlyMap<string, DestinationCounts>>;
  /**
   * Changes a destination as `change` says, which sees it as it is and must not throw. What changes of `when` or
   * `isOn` counts for what waits as well. `null`: there is none.
   */
  change(id: string, change: (record: DestinationRecord) => DestinationRecord): Promise<DestinationRecord | null>;
  /** Removes a destination with everything that waits for it. `false`: there is none. */
  remove(id: string): Promise<boolean>;
}

/** Secrets of this Beckon that all its processes share, such as a key that signs. */
export interface StoredSecrets {
  find(name: string): Promise<string | null>;
  /** Keeps a secret unless there is one, and returns the one that counts: processes that start together agree. */
  keep(input: { name: string; value: string; at: string }): Promise<string>;
}
