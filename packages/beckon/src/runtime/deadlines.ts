import { type Clock, toIso, toMs } from '../core/clock.ts';
import type { Store } from '../core/store.ts';

/** How many interactions expire in one step. */
const BATCH = 500;
/** The longest pause between two checks of the store: another process may have asked and died since. */
const SWEEP_MS = 10_000;
/** Smaller set-backs of the clock are ignored. */
const SET_BACK_MS = 1000;
/** Clocks of different machines may differ by so much: what was set later was set before a clock was set back. */
const SKEW_MS = 60_000;
/** The pause after a failure. */
const RETRY_MS = 1000;

/** The time before the clock was set back. */
interface EarlierTime {
  /** How far it was ahead of the elapsed time. */
  readonly offsetMs: number;
  /** The end of the log when that was noticed. */
  readonly lastSeq: number;
}

/**
 * Expires what is due, and reminds people of what waits or passes it on when its time policy says so. One timer, set
 * to the earliest of all, serves all interactions of the store. It is `stopped`,
 * has a timer, or is in a `tick`, which ends by setting the timer again. Setting the machine's clock back would delay
 * deadlines, so what was asked before that expires by elapsed time instead.
 */
export class Deadlines {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #onError: (error: unknown) => void;
  #offsetMs = Number.NEGATIVE_INFINITY;
  #earlier: EarlierTime[] = [];
  #plannedAt = Number.POSITIVE_INFINITY;
  #cancelTimer: () => void = () => undefined;
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(options: { store: Store; clock: Clock; onError: (error: unknown) => void }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#onError = options.onError;
  }

  /** Considers a deadline that may be earlier than the planned one. */
  consider(expiresAt: string | undefined): void {
    if (expiresAt !== undefined) this.#planFor(toMs(expiresAt));
  }

  /** Expires everything that is due now and plans for the next deadline. Calls during a tick share it. */
  tick(): Promise<void> {
    this.#running ??= this.#tick().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Ends the timer and waits for a tick in progress. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelTimer();
    await this.#running;
  }

  async #tick(): Promise<void> {
    this.#cancelTimer();
    this.#plannedAt = Number.POSITIVE_INFINITY;
    try {
      await this.#noticeSetBack();
      const now = (): number => this.#clock.now();
      await this.#expireDue(now);
      for (const { offsetMs, lastSeq } of this.#earlier)
        await this.#expireDue(
          () => this.#clock.elapsed() + offsetMs,
          () => ({ after: toIso(now()), upTo: lastSeq }),
        );
      await this.#fireTimers();
      const next = [await this.#store.nextDeadline(), await this.#store.timers.nextAt()];
      this.#planFor(this.#clock.now() + SWEEP_MS);
      for (const at of next) this.consider(at ?? undefined);
    } catch (error) {
      if (this.#isStopped) return;
      this.#onError(error);
      this.#planFor(this.#clock.now() + RETRY_MS);
    }
  }

  async #noticeSetBack(): Promise<void> {
    const before = this.#offsetMs;
    const offsetMs = this.#clock.now() - this.#clock.elapsed();
    if (offsetMs < before - SET_BACK_MS) this.#earlier.push({ offsetMs: before, lastSeq: await this.#store.lastSeq() });
    this.#offsetMs = offsetMs;
    // Also at the start: nobody knows what the clock did before.
    if (before === Number.NEGATIVE_INFINITY || offsetMs < before - SET_BACK_MS) {
      const now = this.#clock.now();
      await this.#store.timers.mend({ at: toIso(now), setAfter: toIso(now + SKEW_MS) });
    }
    // The clock was set forward again, to the earlier time.
    this.#earlier = this.#earlier.filter((earlier) => earlier.offsetMs > offsetMs);
  }

  /** Expires what is due at a time; with `asked`, only what was asked then. */
  async #expireDue(time: () => number, asked?: () => { after: string; upTo: number }): Promise<void> {
    for (;;) {
      const at = toIso(time());
      const ids = await this.#store.listDue({ at, limit: BATCH, ...(asked !== undefined && { asked: asked() }) });
      if (ids.length > 0) await this.#store.end({ ids, as: 'expired', at });
      if (ids.length < BATCH || this.#isStopped) return;
    }
  }

  async #fireTimers(): Promise<void> {
    for (;;) {
      const fired = await this.#store.timers.fire({ at: toIso(this.#clock.now()), limit: BATCH });
      if (fired < BATCH || this.#isStopped) return;
    }
  }

  #planFor(time: number): void {
    if (this.#isStopped || time >= this.#plannedAt) return;
    this.#cancelTimer();
    this.#plannedAt = time;
    this.#cancelTimer = this.#clock.at(time, () => void this.#onTimer());
  }

  // A tick in progress may have read the store before this deadline existed. Nothing else is planned until the next
  // one.
  async #onTimer(): Promise<void> {
    await this.#running;
    if (!this.#isStopped) await this.tick();
  }
}
