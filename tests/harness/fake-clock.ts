import type { Clock } from '../../packages/beckon/src/core/clock.ts';
import { within } from './within.ts';

interface Timer {
  readonly time: number;
  readonly task: () => void;
}

/** A time that moves only when the test says so, for any number of runtimes. Each runtime has its own timers. */
export class FakeTime {
  #now: number;
  readonly #clocks = new Set<NodeClock>();

  constructor(now: number) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  /** A clock for one runtime. */
  addClock(): NodeClock {
    const clock = new NodeClock(this);
    this.#clocks.add(clock);
    return clock;
  }

  /** The runtime of this clock is dead: its timers never run again. */
  removeClock(clock: NodeClock): void {
    this.#clocks.delete(clock);
  }

  /** Time passes, but the timers are late. */
  skip(ms: number): void {
    this.#now += ms;
  }

  /** Runs the timers that are due, and does not wait for what they start. */
  fire(): void {
    for (const clock of this.#clocks) clock.fire();
  }

  /** Runs timers until every runtime has planned its next one for later. */
  async settle(): Promise<void> {
    for (const clock of this.#clocks) await within('a runtime to plan its next timer', clock.settle());
  }
}

export class NodeClock implements Clock {
  readonly #time: FakeTime;
  readonly #timers = new Set<Timer>();
  #onPlanned: () => void = () => undefined;

  constructor(time: FakeTime) {
    this.#time = time;
  }

  now(): number {
    return this.#time.now();
  }

  elapsed(): number {
    return this.#time.now();
  }

  at(time: number, task: () => void): () => void {
    const timer = { time, task };
    this.#timers.add(timer);
    this.#onPlanned();
    if (time <= this.now()) setImmediate(() => this.fire());
    return () => void this.#timers.delete(timer);
  }

  fire(): void {
    for (const timer of this.#timers) {
      if (timer.time <= this.now() && this.#timers.delete(timer)) timer.task();
    }
  }

  async settle(): Promise<void> {
    for (;;) {
      this.fire();
      if (this.#timers.size > 0 && [...this.#timers].every(({ time }) => time > this.now())) return;
      if (this.#timers.size > 0) continue;
      await new Promise<void>((resolve) => {
        this.#onPlanned = resolve;
      });
    }
  }
}
