/** How much to measure. */
export interface Effort {
  /** How often each contender has its turn. */
  rounds: number;
  /** How long a turn takes. */
  sliceMs: number;
}

/** What the targets refer to. */
export const FULL: Effort = { rounds: 9, sliceMs: 2000 };

/** Enough to see that everything works; the figures say little. */
export const QUICK: Effort = { rounds: 3, sliceMs: 500 };
