/** How much to measure. */
export interface Effort {
  /** How often each contender is started, with empty data, and has its turns. */
  rounds: number;
  /** How long a turn takes. */
  sliceMs: number;
  /** How long the agents run before the first turn of a round, because compilers warm up. */
  warmUpMs: number;
  /** Whether docs/benchmarks.md and its plot are written. */
  isForPage: boolean;
}

/** How many agents ask at once. */
export const LOADS = [1, 64, 1000] as const;

/** What the page has. `BENCH_ROUNDS` says how often. */
export const FULL: Effort = {
  rounds: Number(process.env['BENCH_ROUNDS'] ?? 3),
  sliceMs: 2000,
  warmUpMs: 2500,
  isForPage: true,
};

/** Enough to see that everything works; the figures say little. */
export const QUICK: Effort = { rounds: 1, sliceMs: 250, warmUpMs: 250, isForPage: false };
