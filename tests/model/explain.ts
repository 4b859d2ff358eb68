import { isDeepStrictEqual } from 'node:util';
import type { LogEvent } from '../../packages/beckon/src/index.ts';
import { type Action, expire, type Heard, type State, step } from './model.ts';

/** A call that has ended, and what its caller heard. */
interface Call {
  readonly action: Action;
  readonly heard: Heard;
}

/** What was observed from one moment of rest to the next. */
export interface Observation {
  /** Calls that were under way at the same time. */
  readonly calls: readonly Call[];
  /** The log from its start. */
  readonly log: readonly LogEvent[];
  /** The latest time at which something can have expired by itself. */
  readonly now: string;
}

interface Progress extends Call {
  readonly seen?: readonly string[];
}

/**
 * Looks for an order in which each step was made alone, and which gives everything that was heard and logged. Returns
 * the state after it, or `null` where there is none: then two callers were told things that cannot both be true.
 */
export function explain(state: State, { calls, log, now }: Observation): State | null {
  return search(state, calls);

  function search(current: State, left: readonly Progress[]): State | null {
    if (!fits(current)) return null;
    if (left.length === 0 && current.log.length === log.length) return current;
    for (const [index, progress] of left.entries()) {
      const { state: next, heard, seen } = step(current, progress.action, progress.seen, progress.heard);
      if (heard !== undefined && !isDeepStrictEqual(toJson(heard), toJson(progress.heard))) continue;
      const others = left.filter((_, other) => other !== index);
      const found = search(next, heard === undefined ? [...others, { ...progress, ...(seen && { seen }) }] : others);
      if (found !== null) return found;
    }
    const next = log[current.log.length];
    if (next?.type !== 'interaction.expired' || next.at > now) return null;
    const expired = expire(current, next.interactionId, next.at);
    return expired === null ? null : search(expired, left);
  }

  // Everything up to the length before was compared in an earlier search.
  function fits(current: State): boolean {
    for (let index = state.log.length; index < current.log.length; index += 1) {
      if (!isDeepStrictEqual(toJson(current.log[index]), log[index])) return false;
    }
    return true;
  }
}

/** A value as it looks after a journey through JSON: fields that are undefined are gone. */
export function toJson(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
