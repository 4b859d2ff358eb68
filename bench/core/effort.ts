/** How much to measure. */
export interface Effort {
  /** How often each contender has its turn. */
  rounds: number;
  /** How long a turn takes. */
  sliceMs: number;
  /** Pending interactions in the large store. */
  pending: number;
  /** Waits that are open at once. */
  waiters: number;
  /** How often each operation on the small and the large store is timed. */
  repetitions: number;
  /** How many fresh processes look at each store. */
  processes: number;
}

/** What the targets refer to. */
export const FULL: Effort = {
  rounds: 7,
  sliceMs: 1000,
  pending: 1_000_000,
  waiters: 100_000,
  repetitions: 301,
  processes: 5,
};

/** Enough to see that everything works; the figures say little. */
export const QUICK: Effort = {
  rounds: 3,
  sliceMs: 250,
  pending: 20_000,
  waiters: 10_000,
  repetitions: 51,
  processes: 3,
};

/** Pending interactions in the store that the large one is compared with. */
export const FEW_PENDING = 1000;
