import { type Clock, toIso } from '../core/clock.ts';
import type { ClaimedLane, Outbox, SendOutcome } from '../core/outbox.ts';
import { Backend, type BackendOptions, SEND_MS, type SendResult } from './backend.ts';
import { MOST_ATTEMPTS, toRetryMs } from './retry-schedule.ts';
import { isDeadWorker, toWorkerName } from './worker-name.ts';

/** What a forwarder needs. */
export interface ForwarderOptions {
  outbox: Outbox;
  backend: BackendOptions;
  clock: Clock;
  newId: () => string;
  /** Reports what an operator should know. Never contains the token. */
  log: (level: 'info' | 'warn', message: string) => void;
  /** Counts attempts. */
  onAttempt?: (result: SendResult['result']) => void;
}

/** Lanes sent at the same time, each on its own connection. */
const MOST_LANES = 16;
/** Entries of a lane that one commit claims and settles. */
const LANE_ENTRIES = 64;
/** How long a worker that died blocks its lanes. */
const LEASE_MS = 60_000;
/** Hooks that arrive within this time are claimed together. */
const LINGER_MS = 20;
/** The rest after a batch while hooks come in: answering them goes first. */
const REST_MS = 50;
/** How often to look for entries that another process added or resumed. */
const SWEEP_MS = 5000;
/** How long a stop waits for replies. */
const STOP_MS = 2000;

/**
 * Sends the entries of the outbox to one backend: the hooks of a session one after another, sessions in parallel. Any
 * number of forwarders in any process may serve the same backend, because each lane is held by one at a time. If a
 * reply is lost, the hook is sent again with the same `Idempotency-Key`.
 */
export class Forwarder {
  readonly #options: ForwarderOptions;
  readonly #backend: Backend;
  readonly #worker: string;
  /** Numbers the claims: what remains of one whose lease ran out must not touch the next. */
  #claims = 0;
  /** Lanes being sent or settled. */
  readonly #lanes = new Set<Promise<void>>();
  /** The number of lanes being sent. */
  #sending = 0;
  #claiming: Promise<void> = Promise.resolve();
  #isClaiming = false;
  #isWanted = false;
  #isStopping = false;
  #isFailing = false;
  #wokenAt = Number.NEGATIVE_INFINITY;
  #restsUntil = Number.NEGATIVE_INFINITY;
  #ticks = 0;
  #cancelTimer: () => void = () => undefined;
  #plannedAt = Number.POSITIVE_INFINITY;

  /** Throws `invalid_input` for an unusable address or secret. */
  constructor(options: ForwarderOptions) {
    this.#options = options;
    this.#backend = new Backend(options.backend, MOST_LANES);
    this.#worker = toWorkerName(options.newId());
  }

  get destination(): string {
    return this.#backend.destination;
  }

  /**
   * Begins to send, including what a dead process on this machine had claimed. Ends a pause caused by an earlier token.
   */
  async start(): Promise<void> {
    const { outbox, log } = this.#options;
    const { destination } = this.#backend;
    for (const claim of await outbox.listClaims(destination)) {
      if (isDeadWorker(claim)) await outbox.freeClaim({ destination, claim });
    }
    if (await outbox.resumeForToken({ destination, tokenHash: this.#backend.hashToken() })) {
      log('info', `The token for ${destination} has changed: sending hooks again.`);
    }
    this.#look();
  }

  /**
   * Says that an entry may be waiting. The forwarder looks after a moment, so entries that arrive together are claimed
   * together.
   */
  wake(): void {
    this.#wokenAt = performance.now();
    if (!this.#isStopping) this.#planIn(LINGER_MS);
  }

  /** Sends everything that is due, and resolves when nothing is left. */
  async tick(): Promise<void> {
    this.#ticks += 1;
    this.#look();
    while (this.#isClaiming || this.#lanes.size > 0) {
      await Promise.all([this.#claiming, ...this.#lanes]);
    }
    this.#ticks -= 1;
  }

  /** Waits a moment for outstanding replies, then gives up the rest: the next forwarder sends it. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#cancelTimer();
    const timer = setTimeout(() => void this.#backend.close(), STOP_MS);
    await Promise.all([this.#claiming, ...this.#lanes]);
    clearTimeout(timer);
    await this.#backend.close();
  }

  #look(): void {
    this.#isWanted = true;
    if (this.#isClaiming) return;
    this.#isClaiming = true;
    this.#claiming = this.#claimLanes();
  }

  async #claimLanes(): Promise<void> {
    while (this.#isWanted && !this.#isStopping && this.#sending < MOST_LANES) {
      this.#isWanted = false;
      const room = MOST_LANES - this.#sending;
      const hasTime = this.#startLease();
      try {
        const { lanes, nextInMs } = await this.#options.outbox.claim({
          destination: this.destination,
          lanes: room,
          entries: LANE_ENTRIES,
          leaseMs: LEASE_MS,
          claim: `${this.#worker} ${(this.#claims += 1)}`,
        });
        for (const lane of lanes) this.#run(lane, hasTime);
        if (lanes.length === room) this.#isWanted = true;
        this.#planIn(Math.min(nextInMs ?? SWEEP_MS, SWEEP_MS));
      } catch (error) {
        this.#options.log('warn', `Cannot read the outbox right now: ${(error as Error).message}`);
        this.#planIn(SWEEP_MS);
      }
    }
    // In the same turn as the last check of `#isWanted`, so no request to look is missed.
    this.#isClaiming = false;
  }

  /**
   * Tells whether another attempt fits into the lease that begins now. Checks two clocks: one may stop while a machine
   * sleeps.
   */
  #startLease(): () => boolean {
    const { clock } = this.#options;
    const startedAt = performance.now();
    const at = clock.now();
    return () => Math.max(performance.now() - startedAt, clock.now() - at) + SEND_MS <= LEASE_MS;
  }

  #run(lane: ClaimedLane, hasTime: () => boolean): void {
    this.#sending += 1;
    const running = this.#sendLane(lane, hasTime).finally(() => this.#lanes.delete(running));
    this.#lanes.add(running);
  }

  async #sendLane(lane: ClaimedLane, hasTime: () => boolean): Promise<void> {
    const startedAt = performance.now();
    const outcomes: SendOutcome[] = [];
    let delayMs = 0;
    for (const entry of lane.entries) {
      // An attempt that outlives its lease could overtake the worker that holds the lane by then.
      if (this.#isStopping || !hasTime()) break;
      const result = await this.#backend.send(entry.hook);
      if (result.result === 'failed' && this.#isStopping) break; // The stop aborted it.
      this.#note(result);
      if (result.result === 'refused') {
        await this.#pause(lane, result.error);
        delayMs = SWEEP_MS;
        break;
      }
      if (result.result === 'failed' && entry.attempts + 1 < MOST_ATTEMPTS) {
        outcomes.push({ entry, result: 'failed', error: result.error });
        delayMs = toRetryMs(entry.attempts + 1, Math.random(), result.retryAfterMs);
        break;
      }
      outcomes.push(
        result.result === 'forwarded' ? { entry, result: 'forwarded' } : { entry, result: 'dead', error: result.error },
      );
    }
    await this.#settle(lane, { outcomes, delayMs, startedAt });
  }

  async #settle(
    lane: ClaimedLane,
    { outcomes, delayMs, startedAt }: { outcomes: readonly SendOutcome[]; delayMs: number; startedAt: number },
  ): Promise<void> {
    const { outbox, clock, log } = this.#options;
    const settling = outbox.settle({ lane, outcomes, delayMs, at: toIso(clock.now()) });
    this.#sending -= 1;
    if (this.#ticks === 0 && this.#wokenAt > startedAt) {
      this.#restsUntil = clock.now() + REST_MS;
      this.#planIn(REST_MS);
    } else {
      // The same commit claims what comes next.
      this.#look();
    }
    try {
      await settling;
    } catch (error) {
      // The lease runs out and the hooks are sent again: the receiver drops repeats.
      log('warn', `Cannot record what was sent right now: ${(error as Error).message}`);
    }
  }

  async #pause({ destination, lane }: ClaimedLane, error: string): Promise<void> {
    const { outbox, clock, log } = this.#options;
    const reason = `the backend refuses the token (${error})`;
    log(
      'warn',
      `Hooks are no longer sent to ${destination}: ${reason}. They are kept. Correct the token, then run: beckon outbox resume`,
    );
    try {
      const tokenHash = this.#backend.hashToken(lane);
      await outbox.pause({ destination, reason, at: toIso(clock.now()), tokenHash });
    } catch (failure) {
      log('warn', `Cannot record the pause right now: ${(failure as Error).message}`);
    }
  }

  // Logs when a backend goes and when it is back, not every attempt.
  #note(result: SendResult): void {
    const { log, onAttempt } = this.#options;
    onAttempt?.(result.result);
    if (result.result === 'failed' && !this.#isFailing) {
      log('warn', `Hooks do not reach ${this.destination} (${result.error}). They are kept and sent again.`);
      this.#isFailing = true;
    } else if (result.result === 'forwarded' && this.#isFailing) {
      log('info', `Hooks reach ${this.destination} again.`);
      this.#isFailing = false;
    } else if (result.result === 'dead') {
      log('warn', `${this.destination} will never accept a hook (${result.error}). See: beckon outbox list --dead`);
    }
  }

  #planIn(ms: number): void {
    if (this.#isStopping) return;
    const { clock } = this.#options;
    const at = clock.now() + ms;
    if (at >= this.#plannedAt) return;
    this.#cancelTimer();
    this.#plannedAt = at;
    this.#cancelTimer = clock.at(at, () => {
      this.#plannedAt = Number.POSITIVE_INFINITY;
      // If the rest is longer than it can be, the clock was set back.
      const restMs = this.#restsUntil - clock.now();
      if (restMs > 0 && restMs <= REST_MS) this.#planIn(restMs);
      else this.#look();
    });
  }
}
