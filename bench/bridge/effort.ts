/** How much to measure. */
export interface Effort {
  /** How often each contender has its turn. */
  rounds: number;
  sliceSeconds: number;
  /** Hooks in the outbox that is drained, and how often it is. */
  drained: number;
  drains: number;
  /** How often a hook command is run. */
  commands: number;
}

/** What the targets refer to. */
export const FULL: Effort = { rounds: 9, sliceSeconds: 2, drained: 20_000, drains: 5, commands: 60 };

/** Enough to see that everything works; the figures say little. */
export const QUICK: Effort = { rounds: 3, sliceSeconds: 1, drained: 3000, drains: 1, commands: 10 };
