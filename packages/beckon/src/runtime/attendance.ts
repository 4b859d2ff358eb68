import { type AgentAttendance, NOT_BACK } from '../core/agent-hooks.ts';
import { type Clock, toIso } from '../core/clock.ts';
import type { Store } from '../core/store.ts';

/**
 * How long an agent may stay away until its requests end. The hook command gives up after five minutes, so whoever is
 * away for longer is gone, and an outage that the command outlasts ends nothing.
 */
const AWAY_MS = 360_000;

/** How many requests end in one step. */
const BATCH = 500;
/** How often to look for agents that are gone. */
const LOOK_MS = 10_000;
/** After so long without a look nobody could come back here: this process, its machine or its database was away. */
const MISSED_MS = 60_000;

/** What attendance needs. */
export interface AttendanceOptions {
  store: Pick<Store, 'attendance'>;
  clock: Clock;
  /** Hears of failures. The next look tries again. */
  onError: (error: unknown) => void;
  awayMs?: number;
}

/**
 * Ends requests whose agents do not come back for the answer. One timer serves all of them, and the store keeps until
 * when each may stay away, so this survives a restart, and an agent may come back through another process. It is
 * `stopped`, has a timer, or is in a `look`, which ends by setting the timer again.
 */
export class Attendance implements AgentAttendance {
  readonly #options: Required<AttendanceOptions>;
  /** When this process last looked; `undefined` until it has. */
  #lookedAt: number | undefined;
  #cancelTimer: () => void = () => undefined;
  #looking: Promise<void> | undefined;
  #isStopped = false;

  constructor(options: AttendanceOptions) {
    this.#options = { awayMs: AWAY_MS, ...options };
  }

  attend(keys: readonly string[], holdMs: number): Promise<void> {
    const { store, awayMs } = this.#options;
    return store.attendance.attend({ keys, forMs: holdMs + awayMs });
  }

  /** Begins to look. Everybody has the whole time from here on: while nothing ran, nobody could come back. */
  async start(): Promise<void> {
    await this.look();
  }

  /** Ends what nobody came back for. Calls during a look share it. Never rejects. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** Ends the timer and waits for a look in progress. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelTimer();
    await this.#looking;
  }

  async #look(): Promise<void> {
    const { clock, onError } = this.#options;
    this.#cancelTimer();
    try {
      await this.#end(clock.now());
      this.#lookedAt = clock.now();
    } catch (error) {
      if (!this.#isStopped) onError(error);
    }
    if (!this.#isStopped) this.#cancelTimer = clock.at(clock.now() + LOOK_MS, () => void this.look());
  }

  async #end(now: number): Promise<void> {
    const { store, awayMs } = this.#options;
    if (this.#lookedAt === undefined || now - this.#lookedAt > MISSED_MS) {
      await store.attendance.extend(awayMs);
      return;
    }
    const part = { limit: BATCH, reason: NOT_BACK, at: toIso(now) };
    while (!this.#isStopped && (await store.attendance.endAbandoned(part)) === BATCH);
  }
}
