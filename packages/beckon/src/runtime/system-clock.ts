import type { Clock } from '../core/clock.ts';
import { LONGEST_TIMER_MS } from '../timing/timer.ts';

/** The clock of this machine. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  at(time, task) {
    const delayMs = Math.min(Math.max(0, time - Date.now()), LONGEST_TIMER_MS);
    const timer = setTimeout(task, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
