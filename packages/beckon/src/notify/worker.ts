import { isDeadWorker, toWorkerName } from '../bridge/worker-name.ts';
import { type ClaimedNotices, DIGEST_LANE } from '../core/notice-outbox.ts';
import { SEND_MS } from './guarded-fetch.ts';
import { sendEvents } from './send-events.ts';
import { tellDigest } from './tell-digest.ts';
import { tellPerson } from './tell-person.ts';
import type { NotifyTools } from './tools.ts';

/** Lanes being sent at the same time. They mostly wait, so there may be many. */
const MOST_LANES = 256;
/** Of those, so many to destinations whose last attempt failed: those that hang must not hold up the others. */
const FAILING_LANES = 64;
/** Of one destination. */
const EACH = { person: 2, webhook: 8 };
/** How many lanes one commit claims. */
const CLAIM_LANES = 32;
/** Events of a webhook that one commit claims and settles. */
const LANE_ENTRIES = 64;
/** How long a worker that died blocks its lanes. */
const LEASE_MS = 60_000;
/** How often to look for what another process planned. */
const SWEEP_MS = 2000;
/** How long a stop waits for replies. */
const STOP_MS = 2000;

/**
 * Sends what is due to the destinations of people and programs. Any number of workers in any process may run on one
 * store, because each lane is held by one at a time. A reply that is lost costs at most one repeat, with the same id.
 */
export class NotifyWorker {
  readonly #tools: NotifyTools;
  readonly #worker: string;
  readonly #stopping = new AbortController();
  readonly #lanes = new Set<Promise<void>>();
  /** Destinations that were failing when they were last tried. */
  readonly #failing = new Set<string>();
  #failingLanes = 0;
  #claims = 0;
  #claiming: Promise<void> | undefined;
  #isWanted = false;
  #isStarted = false;
  #isStopping = false;
  #ticks = 0;
  #cancelTimer: () => void = () => undefined;
  #plannedFor = Number.POSITIVE_INFINITY;

  constructor(tools: NotifyTools, newId: () => string) {
    this.#tools = tools;
    this.#worker = toWorkerName(newId());
  }

  /** Begins to send, including what a dead process on this machine had claimed. */
  async start(): Promise<void> {
    const { notices } = this.#tools.store;
    for (const claim of await notices.listClaims()) if (isDeadWorker(claim)) await notices.freeClaim(claim);
    this.#isStarted = true;
    this.#look();
  }

  /** Says that something may be due. */
  wake(): void {
    if (this.#isStarted) this.#look();
  }

  /** Sends everything that is due, and resolves when nothing is. */
  async tick(): Promise<void> {
    this.#ticks += 1;
    this.#look();
    while (this.#claiming !== undefined || this.#lanes.size > 0) {
      await Promise.all([this.#claiming, ...this.#lanes]);
    }
    this.#ticks -= 1;
  }

  /** Waits a moment for replies, then breaks them off: the next worker sends what is left. */
  async stop(): Promise<void> {
    this.#isStarted = false;
    this.#isStopping = true;
    this.#cancelTimer();
    const { promise: enough, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, STOP_MS);
    await Promise.race([Promise.all([this.#claiming, ...this.#lanes]), enough]);
    clearTimeout(timer);
    this.#stopping.abort();
    await Promise.all([this.#claiming, ...this.#lanes]);
  }

  #look(): void {
    if (this.#isStopping) return;
    this.#isWanted = true;
    this.#claiming ??= this.#claimLanes().finally(() => {
      this.#claiming = undefined;
      // Somebody may have asked between the last look and here.
      if (this.#isWanted && this.#hasRoom()) this.#look();
    });
  }

  #hasRoom(): boolean {
    return this.#lanes.size < MOST_LANES;
  }

  async #claimLanes(): Promise<void> {
    const { store, clock, log } = this.#tools;
    while (this.#isWanted && this.#hasRoom() && !this.#isStopping) {
      this.#isWanted = false;
      const hasTime = this.#startLease();
      const room = Math.min(CLAIM_LANES, MOST_LANES - this.#lanes.size);
      try {
        const { isDue, nextInMs } = await store.notices.peek(clock.now());
        this.#planIn(Math.min(nextInMs ?? SWEEP_MS, SWEEP_MS));
        if (!isDue) continue;
        const lanes = await store.notices.claim({
          at: clock.now(),
          lanes: room,
          failing: Math.max(0, FAILING_LANES - this.#failingLanes),
          each: EACH,
          entries: LANE_ENTRIES,
          leaseMs: LEASE_MS,
          claim: `${this.#worker} ${(this.#claims += 1)}`,
        });
        for (const lane of lanes) this.#run(lane, hasTime);
        // None, although something is due: as much as may be sent at once is on its way.
        if (lanes.length > 0) this.#isWanted = true;
      } catch (error) {
        log('warn', `Cannot read what people are to be told right now: ${(error as Error).message}`);
        this.#planIn(SWEEP_MS);
      }
    }
  }

  #run(lane: ClaimedNotices, hasTime: () => boolean): void {
    const isFailing = lane.failures > 0;
    if (isFailing) this.#failingLanes += 1;
    const running = this.#send(lane, hasTime).finally(() => {
      this.#lanes.delete(running);
      if (isFailing) this.#failingLanes -= 1;
      // A place is free, and what it sent may be followed by more.
      if (this.#isStarted || this.#ticks > 0) this.#look();
    });
    this.#lanes.add(running);
  }

  async #send(lane: ClaimedNotices, hasTime: () => boolean): Promise<void> {
    const { senders, store, clock, log } = this.#tools;
    const { signal } = this.#stopping;
    const { kind } = lane.destination;
    const sender = senders[kind];
    try {
      if (sender === undefined) {
        // Another process may have one. This one looks again later.
        const untried = kind === 'webhook' ? [] : lane.entries.map(({ seq }) => seq);
        await store.notices.settle({ lane, at: clock.now(), done: [], untried, dueAt: clock.now() + LEASE_MS });
      } else if (kind === 'webhook') await sendEvents(lane, sender, this.#observed(lane), { signal, hasTime });
      else if (lane.lane === DIGEST_LANE) await tellDigest(lane, sender, this.#observed(lane), signal);
      else await tellPerson(lane, sender, this.#observed(lane), signal);
    } catch (error) {
      // The lease runs out, and it is sent again under the same id.
      log('warn', `Cannot record what was sent right now: ${(error as Error).message}`);
    }
  }

  /** Logs when a destination goes and when it is back, not every attempt. */
  #observed({ destination }: ClaimedNotices): NotifyTools {
    const { log, onAttempt } = this.#tools;
    const { id, kind, label, owner } = destination;
    const name = `${kind} ${JSON.stringify(label)} of ${owner} (${id})`;
    return {
      ...this.#tools,
      onAttempt: (attempted) => {
        onAttempt?.(attempted);
        const { result } = attempted;
        if (result === 'sent') {
          if (this.#failing.delete(id)) log('info', `Notices reach ${name} again.`);
        } else if (result === 'gone') log('info', `${name} no longer exists, so it was removed.`);
        else if (result === 'refused') log('warn', `${name} refuses notices. They wait until it is turned on again.`);
        else if (!this.#failing.has(id)) {
          this.#failing.add(id);
          log('warn', `Notices do not reach ${name}. See: beckon notify deliveries ${id}`);
        }
      },
    };
  }

  /** Tells whether another attempt fits into the lease that begins now. One clock may stop while a machine sleeps. */
  #startLease(): () => boolean {
    const { clock } = this.#tools;
    const startedAt = performance.now();
    const at = clock.elapsed();
    return () => Math.max(performance.now() - startedAt, clock.elapsed() - at) + SEND_MS <= LEASE_MS;
  }

  #planIn(ms: number): void {
    if (!this.#isStarted) return;
    const { clock } = this.#tools;
    const at = clock.elapsed() + ms;
    if (at >= this.#plannedFor) return;
    this.#cancelTimer();
    this.#plannedFor = at;
    this.#cancelTimer = clock.at(clock.now() + ms, () => {
      this.#plannedFor = Number.POSITIVE_INFINITY;
      this.#look();
    });
  }
}
