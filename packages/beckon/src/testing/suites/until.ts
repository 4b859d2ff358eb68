import { vi } from 'vitest';

/** Checks again and again until `check` no longer throws. A busy machine may take its time. */
export function until<Result>(check: () => Result | Promise<Result>): Promise<Result> {
  return vi.waitFor(check, { timeout: 60_000, interval: 10 });
}
