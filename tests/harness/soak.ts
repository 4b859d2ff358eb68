import { onTestFailed } from 'vitest';
import { chooseSeed } from './random.ts';

/**
 * How often a test repeats something. `npm run soak` multiplies it with BECKON_SOAK, or `soaked` if that is where it
 * starts.
 */
export function repeat(count: number, soaked = count): number {
  return Math.ceil((process.env['BECKON_SOAK'] === undefined ? count : soaked) * getSoakFactor());
}

/** How long a test with `repeat` in it may take, in milliseconds. */
export function soakTimeout(ms: number): number {
  return ms * Math.max(1, getSoakFactor());
}

/** The seed of the running test. If the test fails, the run prints it. */
export function useSeed(): number {
  const seed = chooseSeed();
  onTestFailed(() => console.log(`Repeat with BECKON_SEED=${seed}`));
  return seed;
}

function getSoakFactor(): number {
  return Number(process.env['BECKON_SOAK'] ?? 1);
}
