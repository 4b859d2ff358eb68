import type { Clock } from '../core/clock.ts';

interface Timer {
  time: number;
  task: () => void;
}

/** A clock that stands still until a test moves it. */
export class FakeClock implements Clock {
  readonly #timers = new Set<Timer>();
  #now: number;

  constructor(now: string) {
    this.#now = Date.parse(now);
  }

  now(): number {
    return this.#now;
  }

  at(time: number, task: () => void): () => void {
    const timer = { time, task };
    this.#timers.add(timer);
    if (time <= this.#now) setImmediate(() => this.#runDue());
    return () => void this.#timers.delete(timer);
  }

  /** When the timers that are set will run, as ISO 8601. */
  get planned(): string[] {
    return [...this.#timers].map(({ time }) => new Date(time).toISOString());
  }

  /** Moves time and starts the tasks that are due by then. */
  moveTo(now: string): void {
    this.#now = Date.parse(now);
    this.#runDue();
  }

  #runDue(): void {
    for (const timer of this.#timers) {
      if (timer.time <= this.#now && this.#timers.delete(timer)) timer.task();
    }
  }
}
