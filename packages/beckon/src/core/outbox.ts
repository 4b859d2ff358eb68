import { BeckonError } from '../protocol/errors.ts';
import type { NewLogEvent } from '../protocol/events.ts';
import type { Page } from '../protocol/list.ts';
import type { OutboxBackend, OutboxDetail, OutboxEntry } from '../protocol/outbox.ts';
import { type HookRecord, toWrappedEvent } from './hooks.ts';

/** The hooks that were received. They are kept as long as the log, so a repeat is recognized however late it comes. */
export interface Hooks {
  /**
   * Keeps a hook with its `hook.received`, further `events` and, with a `destination`, its place in the outbox, in one
   * commit. `false`: it was kept before, and nothing changed. Throws `key_reused` if the id belongs to another hook.
   */
  keep(input: { hook: HookRecord; destination?: string; events?: readonly NewLogEvent[] }): Promise<boolean>;
  find(id: string): Promise<HookRecord | null>;
}

/** The first entries of a lane. Until the lease runs out only the caller may send them, one after another. */
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
  /** Number of failed attempts. */
  attempts: number;
}

/** What became of an entry. `failed`: it may arrive later. `dead`: it never will. */
export type SendOutcome = { entry: ClaimedEntry } & (
  | { result: 'forwarded' }
  | { result: 'failed' | 'dead'; error: string }
);

/** The durable queue behind the bridge. Leases and delays are measured by the database's clock. */
export interface Outbox extends OutboxAdmin {
  /**
   * Claims up to `lanes` free lanes to a backend that are due, each with up to `entries` entries; none if the backend
   * is paused. `nextInMs` says when another lane falls due; `null`: none is left.
   */
  claim(input: {
    destination: string;
    lanes: number;
    entries: number;
    leaseMs: number;
    claim: string;
  }): Promise<{ lanes: ClaimedLane[]; nextInMs: number | null }>;
  /**
   * Releases a lane with what became of its first entries, in order, and logs it. The lane can be claimed again after
   * `delayMs`. `false`: the lease ran out and somebody else claimed the lane, so nothing changed.
   */
  settle(input: { lane: ClaimedLane; outcomes: readonly SendOutcome[]; delayMs: number; at: string }): Promise<boolean>;
  /** Who holds lanes to a backend: the names that `claim` was called with. */
  listClaims(destination: string): Promise<string[]>;
  /** Releases the lanes of a worker known to be dead, before its leases run out. */
  freeClaim(input: { destination: string; claim: string }): Promise<void>;
  /** Ends a pause that a refused token caused, if the token is another one now. */
  resumeForToken(input: { destination: string; tokenHash: string }): Promise<boolean>;
}

/** What people do with the outbox: of the store in this process, or of a daemon. */
export interface OutboxAdmin {
  /** In the order in which the hooks came; `after` is the `next` of the previous page. */
  list(filter: OutboxFilter): Promise<Page<OutboxEntry>>;
  find(id: string): Promise<(OutboxEntry & { hook: HookRecord }) | null>;
  /** Every backend that has waiting entries or dead letters, or is paused. */
  backends(): Promise<OutboxBackend[]>;
  /** Sends entries again as soon as possible, to `destination` if given. Returns how many. */
  retry(input: { target: OutboxTarget; destination?: string }): Promise<number>;
  /** Drops entries for good; those that waited get a `hook.dead` on the log. Returns how many. */
  drop(input: { target: OutboxTarget; at: string }): Promise<number>;
  /**
   * Sends nothing to a backend until it is resumed. `tokenHash` is of the refused token. `false`: it was already
   * paused.
   */
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

/** An entry with the event as it is sent. */
export function toOutboxDetail({ hook, ...entry }: OutboxEntry & { hook: HookRecord }): OutboxDetail {
  return { ...entry, event: JSON.parse(toWrappedEvent(hook)) };
}

/** The error for an id that no entry has. */
export function toMissingEntry(id: string): BeckonError {
  return new BeckonError(
    'hook_not_found',
    `No hook with id ${JSON.stringify(id)} in the outbox. It may have been forwarded.`,
  );
}
