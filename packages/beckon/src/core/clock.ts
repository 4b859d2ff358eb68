/** Time, passed in so that tests decide what time it is. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
  /** Runs `task` once at the given time, or as soon as possible after it. The returned function takes it back. */
  at(time: number, task: () => void): () => void;
}

/** Milliseconds as the ISO 8601 text that interactions and events carry. Such texts sort by time. */
export function toIso(time: number): string {
  return new Date(time).toISOString();
}
