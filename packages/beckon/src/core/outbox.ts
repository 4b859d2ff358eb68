import { BeckonError } from '../protocol/errors.ts';
import type { NewLogEvent } from '../protocol/events.ts';
import type { Page } from '../protocol/list.ts';
import type { Destination, OutboxDetail, OutboxEntry } from '../protocol/outbox.ts';
import { type HookRecord, toWrappedEvent } from './hooks.ts';

/** The hooks that were received. They are kept as long as the log, so a repeat is known however late it comes. */
export interface Hooks {
  /**
   * Keeps a hook with its `hook.received` and further `events`, and, with a `destination`, its place in the outbox: one commit. `false`:
   * it was kept before, nothing changed. Throws `key_reused` where the id belongs to another hook.
   */
  keep(input: { hook: HookRecord; destination?: string; events?: readonly NewLogEvent[] }): Promise<boolean>;
  find(id: string): Promise<HookRecord | null>;
}

/** The first entries of a lane. The caller alone may send them until its lease runs out, one after another. */
export interface ClaimedLane {
  destination: string;
  /** The session. */
  lane: string;
  claim: string;
  entries: readonly ClaimedEntry[];
}

/** A hook that is to be sent. */
export interface ClaimedEntry {
  /** Its number in the log. */
  seq: number;
  hook: HookRecord;
  /** How often it was sent in vain. */
  attempts: number;
}

/** What came of sending an entry. `failed`: it may arrive later. `dead`: never, as it is. */
export type SendOutcome = { entry: ClaimedEntry } & (
  | { result: 'forwarded' }
  | { result: 'failed' | 'dead'; error: string }
);

/** The durable queue behind the bridge. Leases and delays are measured by the database's clock. */
export interface Outbox extends OutboxAdmin {
  /**
   * Takes up to `lanes` lanes to a backend that nobody has and that are due, each with up to `entries` entries. Nothing of a backend that is
   * paused. `nextInMs` says when another lane falls due; `null`: none is left.
   */
  claim(input: {
    destination: string;
    lanes: number;
    entries: number;
    leaseMs: number;
    claim: string;
  }): Promise<{ lanes: ClaimedLane[]; nextInMs: number | null }>;
  /**
   * Gives a lane back, with what came of its first entries, in order, and their log events. It can be claimed again after `delayMs`. `false`,
   * and nothing changed: the lease ran out and somebody else took it.
   */
  settle(input: { lane: ClaimedLane; outcomes: readonly SendOutcome[]; delayMs: number; at: string }): Promise<boolean>;
  /** Who has lanes to a backend: the names that `claim` was called with. */
  listClaims(destination: string): Promise<string[]>;
  /** Takes lanes away from a worker that is known to be dead, before its leases run out. */
  freeClaim(input: { destination: string; claim: string }): Promise<void>;
  /** Ends a pause that a refused token began, where the token is another one now. */
  resumeForToken(input: { destination: string; tokenHash: string }): Promise<boolean>;
}

/** What people do with the outbox. In process it is the store's, elsewhere that of a daemon. */
export interface OutboxAdmin {
  /** In the order in which the hooks came; `after` is the `next` of the page before. */
  list(filter: OutboxFilter): Promise<Page<OutboxEntry>>;
  find(id: string): Promise<(OutboxEntry & { hook: HookRecord }) | null>;
  /** Every backend for which something waits, lies dead, or is paused. */
  destinations(): Promise<Destination[]>;
  /** Sends entries again as soon as possible, to `destination` where one is given. Returns how many. */
  retry(input: { target: OutboxTarget; destination?: string }): Promise<number>;
  /** Gives entries up for good; those that waited get a `hook.dead` on the log. Returns how many. */
  drop(input: { target: OutboxTarget; at: string }): Promise<number>;
  /** Sends nothing to a backend until it is resumed. `tokenHash` is that of the token which was refused. `false`: it was paused before. */
  pause(input: { destination: string; reason: string; at: string; tokenHash?: string }): Promise<boolean>;
  /** `false`: it was not paused. */
  resume(destination: string): Promise<boolean>;
}

export interface OutboxFilter {
  status?: OutboxEntry['status'] | undefined;
  sessionId?: string | undefined;
  after?: string | undefined;
  limit?: number | undefined;
}

/** One entry, or every dead letter. */
export type OutboxTarget = { id: string } | 'dead';

/** An entry with the event as it is sent, for people to look at. */
export function toOutboxDetail({ hook, ...entry }: OutboxEntry & { hook: HookRecord }): OutboxDetail {
  return { ...entry, event: JSON.parse(toWrappedEvent(hook)) };
}

/** What to say where no entry has the id. */
export function toMissingEntry(id: string): BeckonError {
  return new BeckonError(
    'hook_not_found',
    `No hook with id ${JSON.stringify(id)} in the outbox. It may have been forwarded.`,
  );
}
