import type { Clock } from '../core/clock.ts';
import type { PlannedDestination, PlannerView } from '../core/notice-outbox.ts';
import type { Store } from '../core/store.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { toDueAt } from './due-time.ts';
import { wantsEvent } from './match.ts';
import { toEventLane } from './notice-names.ts';
import { findNeeded, planEvents } from './plan-events.ts';

/** What the planner needs. */
export interface PlannerOptions {
  store: Pick<Store, 'notices' | 'destinations' | 'readLog' | 'getMany' | 'onCommit'>;
  clock: Clock;
  /** Called after entries were added. */
  onPlanned: () => void;
  /** Hears of failures. The planner tries again. */
  onError: (error: unknown) => void;
}

/** Events that are planned in one commit. */
const BATCH_EVENTS = 200;
/** Events that come within this time are planned together. */
export const LINGER_MS = 10;
/** How often to look for what other processes wrote, and for what was changed in the destinations. */
const SWEEP_MS = 2000;
/** The number in the store may be behind by so many events that concern nobody. */
const MOST_SKIPPED = 1000;
/** A lane that was planned further ahead than this was planned before the clock was set back. */
const AHEAD_MS = 60_000;

/**
 * Follows the log, and adds to the outbox what destinations are to be told. Any number of planners in any process may
 * run on one store: a number in it says how far the log is planned, and each part is planned once. While there is no
 * destination, it does nothing.
 */
export class Planner {
  readonly #options: PlannerOptions;
  #cancelTimer: () => void = () => undefined;
  #plannedFor = Number.POSITIVE_INFINITY;
  #working: Promise<void> | undefined;
  #isWanted = false;
  #isStopped = true;
  /** Nobody is to be told anything: only a sweep looks whether that has changed. */
  #isIdle = false;
  /** Up to here nothing concerns anybody, whatever the number in the store says. */
  #position = 0;
  /** How far the clock was ahead of the one that nobody can set. */
  #aheadMs = Number.POSITIVE_INFINITY;

  constructor(options: PlannerOptions) {
    this.#options = options;
    options.store.onCommit(() => this.wake());
  }

  start(): void {
    this.#isStopped = false;
    this.#planIn(0);
  }

  /** Says that the log may be longer. Without a destination that is no news. */
  wake(): void {
    if (!this.#isIdle) this.#planIn(LINGER_MS);
  }

  /** Says that somebody may be there to be told. */
  look(): void {
    this.#isIdle = false;
    this.wake();
  }

  /** Plans everything that is in the log by now. */
  async tick(): Promise<void> {
    this.#isWanted = true;
    this.#working ??= this.#work();
    await this.#working;
  }

  /** Waits for the part in hand. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelTimer();
    await this.#working;
  }

  /** Decides again when the requests that wait for a destination are due, because its settings changed. */
  async replan(destination: string): Promise<void> {
    const { store, clock, onPlanned } = this.#options;
    const record = await store.destinations.find(destination);
    if (record === null) return;
    const at = clock.now();
    const waiting = await store.notices.waitingLanes(destination);
    const ids = waiting.map(({ lane }) => lane);
    const interactions = new Map((await store.getMany(ids)).map((interaction) => [interaction.id, interaction]));
    const lanes = waiting.map(({ lane, entries }) => {
      const interaction = interactions.get(lane);
      const whats = entries.map(({ what }) => what);
      return { lane, dueAt: (interaction && toDueAt(interaction, record.when, { whats, at })) ?? at };
    });
    await store.notices.moveLanes({ destination, at, lanes });
    onPlanned();
  }

  async #work(): Promise<void> {
    try {
      // Whoever wakes it while it reads may have written what it did not see.
      while (this.#isWanted) {
        this.#isWanted = false;
        while (await this.#planPart());
      }
    } catch (error) {
      this.#options.onError(error);
    } finally {
      this.#working = undefined;
    }
    this.#planIn(SWEEP_MS);
  }

  /** Plans the next part of the log, and of what is sent again. `false`: nothing was left of either. */
  async #planPart(): Promise<boolean> {
    const view = await this.#options.store.notices.view();
    this.#isIdle = view === null;
    if (view === null) return false;
    await this.#mendClock();
    // Side by side: nobody who is needed now waits until a long log was sent again.
    const isPlanned = await this.#logPart(view);
    const isReplayed = await this.#replayPart(view);
    return isPlanned || isReplayed;
  }

  /** The next part of the log. `false`: nothing was left. */
  async #logPart(view: PlannerView): Promise<boolean> {
    const { store, clock } = this.#options;
    const after = Math.max(view.plannedTo, this.#position);
    const events = await store.readLog({ after, limit: BATCH_EVENTS });
    if (events.length === 0) return false;
    const interactions = toMap(await store.getMany(findNeeded(events, view)));
    const at = clock.now();
    const { upTo, entries, settled } = planEvents(events, view, { interactions, at });
    const isForNobody = entries.length === 0 && !(await this.#isTold(settled));
    if (isForNobody && upTo - view.plannedTo < MOST_SKIPPED) {
      this.#position = upTo;
      return true;
    }
    const isOurs = await store.notices.plan({ from: view.plannedTo, upTo, at, entries, settled });
    if (isOurs && !isForNobody) this.#options.onPlanned();
    return true;
  }

  async #isTold(settled: readonly { interactionId: string }[]): Promise<boolean> {
    if (settled.length === 0) return false;
    return this.#options.store.notices.isTold(settled.map(({ interactionId }) => interactionId));
  }

  /** The next part of the log that a webhook wants again. `false`: no webhook does. */
  async #replayPart({ destinations }: PlannerView): Promise<boolean> {
    const wanted = destinations.find(({ replay }) => replay !== undefined);
    if (wanted?.replay === undefined) return false;
    const { store, clock, onPlanned } = this.#options;
    const { record, replay } = wanted as PlannedDestination & { replay: { from: number; to: number } };
    const events = (await store.readLog({ after: replay.from, limit: BATCH_EVENTS })).filter(
      ({ seq }) => seq <= replay.to,
    );
    const ids = events.flatMap((event) => ('interactionId' in event ? [event.interactionId] : []));
    const interactions = toMap(await store.getMany([...new Set(ids)]));
    const at = clock.now();
    const entries = events
      .filter((event) =>
        wantsEvent(record, event, 'interactionId' in event ? interactions.get(event.interactionId) : undefined),
      )
      .map((event) => ({
        seq: event.seq,
        destination: record.id,
        lane: toEventLane(event),
        what: 'event' as const,
        dueAt: at,
      }));
    const upTo = events.at(-1)?.seq ?? replay.to;
    await store.notices.replayPart({ destination: record.id, from: replay.from, upTo, at, entries });
    onPlanned();
    return true;
  }

  /** Looks at the start, and whenever the clock was set back. */
  async #mendClock(): Promise<void> {
    const { store, clock } = this.#options;
    const aheadMs = clock.now() - clock.elapsed();
    const isSetBack = aheadMs < this.#aheadMs - AHEAD_MS;
    this.#aheadMs = aheadMs;
    if (!isSetBack) return;
    for (const destination of await store.notices.misdated(clock.now() + AHEAD_MS)) await this.replan(destination);
  }

  #planIn(ms: number): void {
    if (this.#isStopped) return;
    const { clock } = this.#options;
    const at = clock.elapsed() + ms;
    if (at >= this.#plannedFor) return;
    this.#cancelTimer();
    this.#plannedFor = at;
    this.#cancelTimer = clock.at(clock.now() + ms, () => {
      this.#plannedFor = Number.POSITIVE_INFINITY;
      void this.tick();
    });
  }
}

function toMap(interactions: readonly Interaction[]): Map<string, Interaction> {
  return new Map(interactions.map((interaction) => [interaction.id, interaction]));
}
