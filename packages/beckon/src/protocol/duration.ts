import * as z from 'zod/mini';
import { LIMITS } from './limits.ts';
import { must } from './parse.ts';

const UNIT_SECONDS: Record<string, number> = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400 };

/** A number of seconds, or a text such as `'30s'`, `'5m'`, `'12h'`, `'1.5d'` or `'250ms'`. */
export const Duration = z.union([z.number(), z.string()]).check(
  must(`seconds from 0 to ${LIMITS.durationSeconds}, or a text such as "30s", "5m" or "12h"`, (duration) => {
    const seconds = toSeconds(duration);
    return seconds >= 0 && seconds <= LIMITS.durationSeconds;
  }),
);
export type Duration = z.infer<typeof Duration>;

/** Converts a duration that was parsed by the schema above to whole milliseconds. */
export function toMilliseconds(duration: Duration): number {
  return Math.round(toSeconds(duration) * 1000);
}

function toSeconds(duration: Duration): number {
  if (typeof duration === 'number') return duration;
  const match = /^(\d+(?:\.\d+)?) ?(ms|s|m|h|d)$/.exec(duration);
  return Number(match?.[1]) * (UNIT_SECONDS[String(match?.[2])] ?? Number.NaN);
}
