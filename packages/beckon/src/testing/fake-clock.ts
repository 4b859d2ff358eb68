import type { Clock } from '../core/clock.ts';

interface Timer {
  readonly time: number;
  /** When it runs, in time that has passed: setting the clock does not move a timer. */
  readonly dueAt: number;
  readonly task: () => void;
}

/** A clock that stands still until a test moves it. Pass it to `openBeckon`. */
export class FakeClock implements Clock {
  readonly #timers = new Set<Timer>();
  #time: { now: number; elapsed: number };
  #onPlanned: () => void = () => undefined;

  /** `now` is an ISO 8601 text, or milliseconds since 1970. */
  constructor(now: string | number = '2026-01-01T00:00:00.000Z') {
    this.#time = { now: toMs(now), elapsed: 0 };
  }

  /** Another clock on the same time with timers of its own, as a second process has. */
  createTwin(): FakeClock {
    const twin = new FakeClock();
    twin.#time = this.#time;
    return twin;
  }

  now(): number {
    return this.#time.now;
  }

  elapsed(): number {
    return this.#time.elapsed;
  }

  at(time: number, task: () => void): () => void {
    const timer = { time, dueAt: this.#time.elapsed + time - this.#time.now, task };
    this.#timers.add(timer);
    this.#onPlanned();
    if (time <= this.#time.now) setImmediate(() => this.runDue());
    return () => void this.#timers.delete(timer);
  }

  /** When the timers that are set will run, as ISO 8601. */
  get planned(): string[] {
    return [...this.#timers].map(({ time }) => new Date(time).toISOString());
  }

  /** Moves time forward and starts the tasks that are due by then. */
  advance(ms: number): void {
    this.skip(ms);
    this.runDue();
  }

  /** Moves time to an instant and starts the tasks that are due by then. */
  moveTo(now: string): void {
    this.advance(toMs(now) - this.#time.now);
  }

  /** Somebody sets the clock. No time passes. */
  setTo(now: string): void {
    this.#time.now = toMs(now);
  }

  /** Time passes, but the timers are late. */
  skip(ms: number): void {
    this.#time.now += ms;
    this.#time.elapsed += ms;
  }

  /** Starts the tasks that are due, and does not wait for them. */
  runDue(): void {
    for (const timer of this.#timers) {
      if (timer.dueAt <= this.#time.elapsed && this.#timers.delete(timer)) timer.task();
    }
  }

  /** Runs timers until the next one is planned for later. */
  async settle(): Promise<void> {
    for (;;) {
      this.runDue();
      const timers = [...this.#timers];
      if (timers.length > 0 && timers.every(({ dueAt }) => dueAt > this.#time.elapsed)) return;
      if (timers.length > 0) continue;
      await new Promise<void>((resolve) => {
        this.#onPlanned = resolve;
      });
    }
  }
}

function toMs(time: string | number): number {
  return typeof time === 'number' ? time : Date.parse(time);
}
