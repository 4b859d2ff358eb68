import { type Clock, toIso, toMs } from '../core/clock.ts';
import type { Store } from '../core/store.ts';

/** How many interactions expire in one step. */
const BATCH = 500;
/** The longest pause between two looks at the store: another process may have asked, and died since. */
const SWEEP_MS = 10_000;
/** A clock that is set back by less is not worth a thought. */
const SET_BACK_MS = 1000;
/** The pause after a failure. */
const RETRY_MS = 1000;

/** The time before the clock was set back. */
interface EarlierTime {
  /** What it was ahead of the time that has passed. */
  readonly offsetMs: number;
  /** The end of the log when that was noticed. */
  readonly lastSeq: number;
}

/**
 * Expires what is due. One timer serves all interactions of the store, and is set to the earliest deadline. It is `stopped`, or has a timer,
 * or is in a `tick`; a tick ends by setting the timer again. Where the clock of the machine is set back, deadlines would come later by as
 * much: what was asked in a time that is yet to come again expires by the time that has passed instead.
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

  /** Takes notice of a deadline that may be earlier than the one planned for. */
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
      const next = await this.#store.nextDeadline();
      this.#planFor(this.#clock.now() + SWEEP_MS);
      this.consider(next ?? undefined);
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
    // Set forward again, the clock shows the time of before.
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

  #planFor(time: number): void {
    if (this.#isStopped || time >= this.#plannedAt) return;
    this.#cancelTimer();
    this.#plannedAt = time;
    this.#cancelTimer = this.#clock.at(time, () => void this.#onTimer());
  }

  // A tick under way may have looked at the store before this deadline was there. Until the next one, nothing else is planned.
  async #onTimer(): Promise<void> {
    await this.#running;
    if (!this.#isStopped) await this.tick();
  }
}
