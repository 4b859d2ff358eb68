import * as z from 'zod/mini';
import type { Beckon } from './core/beckon.ts';
import type { Clock } from './core/clock.ts';
import { CONTEXT_LEVELS, type ContextLevel } from './core/context-level.ts';
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
  /**
   * Where to keep requests: `sqlite:./beckon.db`, or `postgres://user:password@host/database` (needs the package `pg`).
   */
  store: string;
  /**
   * How long a request without a timeout of its own waits for its answer; `null` never times out. Default 300 seconds.
   */
  timeout?: Duration | null;
  /**
   * How much of the context of a request is kept: all of it, a `summary` (place, title, the start of the message, the
   * names of files), or nothing. Default `full`.
   */
  context?: ContextLevel;
  /**
   * Hears of failures in the background, such as a database that cannot be reached. Beckon keeps trying.
   * Default: ignored, because calls made meanwhile fail with the same error.
   */
  onError?: (error: unknown) => void;
  /** Default: the clock of this machine. A test passes the `FakeClock` of `beckon/testing`. */
  clock?: Clock;
}

/**
 * Opens the store, migrates it if needed, expires what fell due while nothing ran, and gives Beckon in this process.
 */
export async function openBeckon(options: OpenBeckonOptions): Promise<Beckon> {
  // In JavaScript the options may be missing; the store then says what it needs.
  const { store, timeout = DEFAULT_TIMEOUT_SECONDS, onError = () => undefined } = (options ?? {}) as OpenBeckonOptions;
  const seconds = parse(Timeout, timeout, { what: 'timeout' });
  const contextLevel = parse(z.enum(CONTEXT_LEVELS), options?.context ?? 'full', { what: 'context' });
  const beckon = new LocalBeckon({
    store: await openStore(store, { onError }),
    clock: options.clock ?? systemClock,
    newId,
    contextLevel,
    timeoutMs: seconds === null ? null : toMilliseconds(seconds),
    onError,
  });
  await beckon.start();
  return beckon;
}
