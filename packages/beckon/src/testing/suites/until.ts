import { vi } from 'vitest';

/** How long a test of a suite may take: longer than vitest's default, because a busy machine takes its time. */
export const TEST_TIMEOUT_MS = 120_000;

/** Checks again and again until `check` no longer throws. */
export function until<Result>(check: () => Result | Promise<Result>): Promise<Result> {
  return vi.waitFor(check, { timeout: TEST_TIMEOUT_MS / 2, interval: 10 });
}
