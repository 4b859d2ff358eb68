import type { Beckon } from './core/beckon.ts';
import type { Clock } from './core/clock.ts';
import { openStore } from './open-store.ts';
import { type Duration, toMilliseconds } from './protocol/duration.ts';
import { Timeout } from './protocol/interaction.ts';
import { DEFAULT_TIMEOUT_SECONDS } from './protocol/limits.ts';
import { parse } from './protocol/parse.ts';
import { LocalBeckon } from './runtime/local-beckon.ts';
import { newId } from './runtime/new-id.ts';
import { systemClock } from './runtime/system-clock.ts';

/** Settings of a Beckon in this process. */
export interface OpenBeckonOptions {
  /** Where to keep interactions: `sqlite:./beckon.db`, or `postgres://user:password@host/database` (needs the package `pg`). */
  store: string;
  /** How long an ask that names no timeout waits for its answer; `null` is for ever. Default 300 seconds. */
  timeout?: Duration | null;
  /**
   * Hears of failures in the background, such as a database that cannot be reached just now. Beckon goes on and tries again.
   * Default: ignored, because whoever calls a method meanwhile gets the same error.
   */
  onError?: (error: unknown) => void;
  /** Default: the clock of this machine. A test passes the `FakeClock` of `beckon/testing`. */
  clock?: Clock;
}

/** Opens the store, migrates it where needed, expires what fell due meanwhile, and gives Beckon in this process. */
export async function openBeckon(options: OpenBeckonOptions): Promise<Beckon> {
  const { timeout = DEFAULT_TIMEOUT_SECONDS } = options;
  const seconds = parse(Timeout, timeout, { what: 'timeout' });
  const beckon = new LocalBeckon({
    store: await openStore(options.store),
    clock: options.clock ?? systemClock,
    newId,
    timeoutMs: seconds === null ? null : toMilliseconds(seconds),
    onError: options.onError ?? (() => undefined),
  });
  await beckon.start();
  return beckon;
}
