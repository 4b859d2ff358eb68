/** The pause after the first failure. Each further one doubles it. */
const FIRST_MS = 100;
/** No pause grows beyond this, so that a server which is back is found within seconds. */
const LONGEST_MS = 5000;

/**
 * How long to pause after so many failures in a row. A random part keeps a thousand clients that lost the same server from coming
 * back at one moment. What the server asked for (`Retry-After`) comes on top.
 */
export function toPauseMs(failures: number, retryAfterMs = 0): number {
  const growing = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures, 10));
  return retryAfterMs + growing * (0.5 + Math.random() / 2);
}

/** Resolves after `ms`. Rejects with the signal's reason when it aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const finish = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      if (signal.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(finish, ms);
    if (signal.aborted) finish();
    else signal.addEventListener('abort', finish, { once: true });
  });
}
