/** How much to measure. */
export interface Effort {
  /** Asks of which somebody is told, one after another, for each way to tell. */
  asks: number;
  /** Destinations of one Beckon. */
  destinations: number;
  /** How many of them hang. */
  hanging: number;
}

export const FULL: Effort = { asks: 200, destinations: 1000, hanging: 50 };

/** Enough to see that everything works; the figures say little. */
export const QUICK: Effort = { asks: 20, destinations: 100, hanging: 5 };
