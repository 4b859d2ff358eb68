import type { Clock } from '../core/clock.ts';

interface Timer {
  time: number;
  /** When it runs, in time that has passed: setting the clock does not move a timer. */
  dueAt: number;
  task: () => void;
}

/** A clock that stands still until a test moves it. */
export class FakeClock implements Clock {
  readonly #timers = new Set<Timer>();
  #now: number;
  #elapsed = 0;

  constructor(now: string) {
    this.#now = Date.parse(now);
  }

  now(): number {
    return this.#now;
  }

  elapsed(): number {
    return this.#elapsed;
  }

  at(time: number, task: () => void): () => void {
    const timer = { time, dueAt: this.#elapsed + time - this.#now, task };
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
    this.#elapsed += Date.parse(now) - this.#now;
    this.#now = Date.parse(now);
    this.#runDue();
  }

  /** Somebody sets the clock. No time passes. */
  setTo(now: string): void {
    this.#now = Date.parse(now);
  }

  #runDue(): void {
    for (const timer of this.#timers) {
      if (timer.dueAt <= this.#elapsed && this.#timers.delete(timer)) timer.task();
    }
  }
}
