/** Pauses before a send is tried again. */
const PAUSES_MS = [200, 600];

/** Tries up to three times. Rejects where that takes longer than `limitMs`, and then tries no more. */
export function withRetries(limitMs: number, attempt: () => Promise<void>): Promise<void> {
  let isOver = false;
  const tryAll = async (): Promise<void> => {
    for (const pauseMs of PAUSES_MS) {
      try {
        return await attempt();
      } catch (error) {
        if (isOver) throw error;
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
        if (isOver) throw error;
      }
    }
    return attempt();
  };
  return withinLimit(limitMs, tryAll(), () => {
    isOver = true;
  });
}

/** Rejects where the work takes too long. `onEnd` is called in either case. */
export function withinLimit(limitMs: number, work: Promise<void>, onEnd?: () => void): Promise<void> {
  // One promise and one timer, no more: this is around everything that people are shown.
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      onEnd?.();
      settle();
    };
    const timer = setTimeout(() => end(() => reject(new Error(`It took longer than ${limitMs / 1000} s`))), limitMs);
    work.then(
      () => end(resolve),
      (error: unknown) => end(() => reject(error)),
    );
  });
}
