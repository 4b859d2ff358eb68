/** How much to measure. */
export interface Effort {
  /** How often each contender has its turn. */
  rounds: number;
  /** How long a turn takes: a whole number, because the load generator counts in seconds. */
  sliceSeconds: number;
  /** Round trips that are under way at once. */
  roundTrips: number;
  /** Waits that are held at once. */
  waits: number;
  /** How many fresh processes hold them. */
  processes: number;
  /** Connections that are opened at once. */
  connections: number;
  /** Readers of the event stream. */
  readers: number;
  /** How many events they get, one after another. */
  events: number;
}

/** What the targets refer to. */
export const FULL: Effort = {
  rounds: 9,
  sliceSeconds: 2,
  roundTrips: 1000,
  waits: 10_000,
  processes: 3,
  connections: 1000,
  readers: 1000,
  events: 51,
};

/** Enough to see that everything works; the figures say little. */
export const QUICK: Effort = {
  rounds: 3,
  sliceSeconds: 1,
  roundTrips: 200,
  waits: 1000,
  processes: 1,
  connections: 1000,
  readers: 100,
  events: 11,
};

/** Connections of the load generator, as the target says. */
export const CONNECTIONS = 64;
