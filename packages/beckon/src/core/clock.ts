/** Time, passed in so that tests decide what time it is. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
  /** Milliseconds of a monotonic clock, which nobody can set. */
  elapsed(): number;
  /** Runs `task` once at the given time, or as soon as possible after it. The returned function cancels it. */
  at(time: number, task: () => void): () => void;
}

/** Milliseconds as the ISO 8601 text that interactions and events carry. Such texts sort by time. */
export const toIso = remember((time: number) => new Date(time).toISOString());

/** The counterpart of `toIso`. */
export const toMs = remember((iso: string) => Date.parse(iso));

/** Caches the last results: what happens together carries the same few times. */
function remember<Key, Value>(convert: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    let value = known.get(key);
    if (value === undefined) {
      if (known.size >= 64) known.clear();
      value = convert(key);
      known.set(key, value);
    }
    return value;
  };
}
