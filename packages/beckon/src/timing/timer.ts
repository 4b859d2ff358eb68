/** The longest delay that a timer takes, about 25 days. Runtimes fire a longer one immediately. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Runs `task` once after `ms`, which may be years. Returns a function that stops it. A quiet timer lets the process
 * end.
 */
export function startTimer(ms: number, task: () => void, { isQuiet = false } = {}): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const start = (leftMs: number): void => {
    const nextMs = Math.min(leftMs, LONGEST_TIMER_MS);
    timer = setTimeout(() => (leftMs > nextMs ? start(leftMs - nextMs) : task()), nextMs);
    if (isQuiet) timer.unref();
  };
  start(ms);
  return () => clearTimeout(timer);
}
