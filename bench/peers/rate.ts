import { median } from '../figure.ts';
import type { Load, Measured } from './measure.ts';

/** Round trips a second: the middle of the rounds. */
export function rateOf({ turns }: Measured, load: Load): number {
  return median(turns[load].map(({ perSecond }) => perSecond));
}
