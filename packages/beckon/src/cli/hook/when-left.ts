/** How often to look whether the process that started this one still runs. */
const LOOK_MS = 2000;

/**
 * Calls back once when the client no longer waits for this process: it ends hooks with a signal, and if it was killed
 * itself, this process gets another parent. The returned function stops that.
 */
export function whenLeft(onLeft: () => void): () => void {
  const parent = process.ppid;
  const leave = (): void => {
    stop();
    // Another signal must not end this process before it is done.
    for (const signal of SIGNALS) process.on(signal, () => undefined);
    onLeft();
  };
  const timer = setInterval(() => {
    if (process.ppid !== parent) leave();
  }, LOOK_MS);
  timer.unref();
  const stop = (): void => {
    clearInterval(timer);
    for (const signal of SIGNALS) process.off(signal, leave);
  };
  for (const signal of SIGNALS) process.on(signal, leave);
  return stop;
}

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
