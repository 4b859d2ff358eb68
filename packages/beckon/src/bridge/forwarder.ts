import { type Clock, toIso } from '../core/clock.ts';
import type { ClaimedLane, Outbox, SendOutcome } from '../core/outbox.ts';
import { Backend, type BackendOptions, SEND_MS, type SendResult } from './backend.ts';
import { MOST_ATTEMPTS, toRetryMs } from './retry-schedule.ts';
import { isDeadWorker, toWorkerName } from './worker-name.ts';

/** What a forwarder is put together from. */
export interface ForwarderOptions {
  outbox: Outbox;
  backend: BackendOptions;
  clock: Clock;
  newId: () => string;
  /** Says what an operator should know. The token is never in it. */
  log: (level: 'info' | 'warn', message: string) => void;
  /** Counts attempts. */
  onAttempt?: (result: SendResult['result']) => void;
}

/** Lanes that are sent at the same time, each on a connection of its own. */
const MOST_LANES = 16;
/** Entries of a lane that are claimed, and settled, in one commit. */
const LANE_ENTRIES = 64;
/** A worker that dies holds its lanes up for so long. */
const LEASE_MS = 60_000;
/** Hooks that come shortly after each other are claimed together. */
const LINGER_MS = 20;
/** While hooks come in, answering them is first: so long is the rest after a batch. */
const REST_MS = 50;
/** How often to look for what another process put into the outbox, or resumed. */
const SWEEP_MS = 5000;
/** How long a stop waits for replies. */
const STOP_MS = 2000;

/**
 * Sends what waits in the outbox for one backend: a session's hooks one after another, sessions side by side. Any number of forwarders, in any
 * process, may serve the same backend; a lane has one of them at a time. An attempt whose reply is lost is made again, with the same
 * `Idempotency-Key`.
 */
export class Forwarder {
  readonly #options: ForwarderOptions;
  readonly #backend: Backend;
  readonly #worker: string;
  /** Each claim has a name of its own: after a lease has run out, what is left of it must not touch the next. */
  #claims = 0;
  /** Lanes that are sent or settled. */
  readonly #lanes = new Set<Promise<void>>();
  /** How many of them are sent. */
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

  /** Throws `invalid_input` for an address or a secret that cannot be used. */
  constructor(options: ForwarderOptions) {
    this.#options = options;
    this.#backend = new Backend(options.backend, MOST_LANES);
    this.#worker = toWorkerName(options.newId());
  }

  get destination(): string {
    return this.#backend.destination;
  }

  /** Begins to send, also what a process that died on this machine had in hand. A pause that an earlier token caused ends. */
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

  /** Says that something may wait. It is looked for after a moment, together with what comes until then. */
  wake(): void {
    this.#wokenAt = performance.now();
    if (!this.#isStopping) this.#planIn(LINGER_MS);
  }

  /** Sends everything that is due, and resolves when nothing is. */
  async tick(): Promise<void> {
    this.#ticks += 1;
    this.#look();
    while (this.#isClaiming || this.#lanes.size > 0) {
      await Promise.all([this.#claiming, ...this.#lanes]);
    }
    this.#ticks -= 1;
  }

  /** Waits a moment for the replies that are due, and lets go of the rest: whoever runs next sends it. */
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
        this.#options.log('warn', `The outbox cannot be read just now: ${(error as Error).message}`);
        this.#planIn(SWEEP_MS);
      }
    }
    // In the same turn as the last look at `#isWanted`, so that no wish is passed over.
    this.#isClaiming = false;
  }

  /** Says whether an attempt ends within the lease that begins now, by either clock: one of them may stand still while a machine sleeps. */
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
      // An attempt that outlives its lease could overtake the worker that has the lane by then.
      if (this.#isStopping || !hasTime()) break;
      const result = await this.#backend.send(entry.hook);
      if (result.result === 'failed' && this.#isStopping) break; // Broken off by the stop.
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
      // What comes next is claimed in the same commit.
      this.#look();
    }
    try {
      await settling;
    } catch (error) {
      // The lease runs out, and what has arrived is sent once more: the receiver drops repeats.
      log('warn', `What was sent cannot be noted just now: ${(error as Error).message}`);
    }
  }

  async #pause({ destination, lane }: ClaimedLane, error: string): Promise<void> {
    const { outbox, clock, log } = this.#options;
    const reason = `the backend refuses the token (${error})`;
    log(
      'warn',
      `No more hooks are sent to ${destination}: ${reason}. They are kept. Correct the token, then: beckon outbox resume`,
    );
    try {
      const tokenHash = this.#backend.hashToken(lane);
      await outbox.pause({ destination, reason, at: toIso(clock.now()), tokenHash });
    } catch (failure) {
      log('warn', `The pause cannot be noted just now: ${(failure as Error).message}`);
    }
  }

  // One line when a backend goes, one when it is back: not one for each attempt.
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
      // A longer rest than there is means that the clock was set back.
      const restMs = this.#restsUntil - clock.now();
      if (restMs > 0 && restMs <= REST_MS) this.#planIn(restMs);
      else this.#look();
    });
  }
}
