import type { LogEvent, NewLogEvent } from '../protocol/events.ts';
import type { Interaction } from '../protocol/interaction.ts';
import type { Role } from '../protocol/token.ts';
import type { DestinationRecord } from './notify.ts';

/**
 * What an entry is about. `event` is an event of the log for a webhook, `settled` closes a copy, `digest` stands for
 * many; the others tell of a request.
 */
export type EntryWhat = 'asked' | 'reminded' | 'escalated' | 'expiring' | 'settled' | 'digest' | 'event';

/** The lane of the digest. No interaction can have this id. */
export const DIGEST_LANE = '*';

/** An entry to add to the outbox. */
export interface PlannedEntry {
  /** The number of the event that it is about. */
  seq: number;
  destination: string;
  /** The interaction; for webhooks what keeps its order, after a `#`; `DIGEST_LANE` for a digest. */
  lane: string;
  what: EntryWhat;
  /** When its lane is due, in milliseconds of the process's clock. */
  dueAt: number;
}

/** What the planner decides about a part of the log. */
export interface Plan {
  /** The number that was planned up to, as the planner read it. */
  from: number;
  /** The number that is planned up to with this. */
  upTo: number;
  at: number;
  entries: readonly PlannedEntry[];
  /** Requests that ended, by the number of the event. */
  settled: readonly { seq: number; interactionId: string }[];
}

/** A way in under a name: what the person who uses it may see. */
export interface WayIn {
  name: string;
  role: Role;
  chatId?: string;
}

/** What the planner needs to know besides the log. */
export interface PlannerView {
  plannedTo: number;
  /** Those that are on and proven. */
  destinations: readonly PlannedDestination[];
  waysIn: readonly WayIn[];
  /** Waiting lanes by destination, of people. */
  lanes: ReadonlyMap<string, number>;
}

/** A destination as the planner sees it. */
export interface PlannedDestination {
  record: DestinationRecord;
  /** Only events after this number concern it. */
  afterSeq: number;
  /** The part of the log that is to be sent to it again. */
  replay?: { from: number; to: number };
}

/** An entry that is to be sent. */
export interface NoticeEntry {
  seq: number;
  what: EntryWhat;
  /** Attempts before this one: those that began, even if nobody noted how they ended. */
  attempts: number;
  /** When it was planned, in milliseconds. */
  plannedAt: number;
}

/** A lane to one destination that only the caller may serve until the lease runs out. */
export interface ClaimedNotices {
  destination: DestinationRecord;
  /** Failed attempts at the destination in a row, whatever they were about. */
  failures: number;
  failingSince?: number;
  lane: string;
  claim: string;
  /** In the order of the log. */
  entries: readonly NoticeEntry[];
}

/** What the worker needs to know besides the lane and its request. Times are milliseconds. */
export interface NoticeFacts {
  /** How the owner can come in. */
  waysIn: readonly WayIn[];
  /** Until when a page of the owner is in sight: for every chat, or for one. */
  inSight: readonly { until: number; chatId?: string }[];
  /** Until when the owner put the request aside. */
  snoozedUntil?: number;
  /** Whether a copy of the request, or of a digest, is open at the destination. */
  isOpen: boolean;
  /** Requests that it was told of since `since`, one by one. */
  recent: number;
  /** Lanes that would tell it of a request now, this one included. */
  due: number;
  /** When the last digest was sent. */
  digestAt: number;
  /** Whether one is waiting to be sent. */
  hasDigest: boolean;
}

/** What became of a claimed lane. */
export interface NoticeSettlement {
  lane: ClaimedNotices;
  at: number;
  /** Entries that are done with. */
  done: readonly number[];
  /** Entries that will never arrive. */
  dead?: readonly { seq: number; error: string }[];
  /** Entries that may arrive later. */
  failed?: readonly { seq: number; error: string }[];
  /** Entries that were not tried, so the attempt that began with the claim does not count. */
  untried?: readonly number[];
  /** An entry that goes on as something else: the notice before the request expires, or what closes a digest. */
  becomes?: { seq: number; what: 'expiring' | 'settled' };
  /** What was sent. `lane`: a copy for it is open now. */
  sent?: readonly { seq: number; what: EntryWhat; lane?: string }[];
  /** The copies of this lane are closed now. */
  isClosed?: boolean;
  /** When the lane is due again, if something is left in it. */
  dueAt: number;
  /** How the destination is. Absent: nothing was sent, so nothing is known. */
  health?: { isWell: true } | { isWell: false; error: string; until: number; isPaused?: boolean };
  /** Everything that was planned before this is given up: the destination has failed for too long. */
  giveUpBefore?: number;
  /** For the log. */
  events?: readonly NewLogEvent[];
}

/** One notice as people see it in a list. */
export interface DeliveryRecord {
  seq: number;
  what: EntryWhat;
  status: 'waiting' | 'dead' | 'sent';
  eventType: string;
  interactionId?: string;
  /** When it was planned, or sent. */
  at: number;
  attempts: number;
  error?: string;
  /** For what waits: when the next attempt is due. */
  dueAt?: number;
}

/**
 * The side of the outbox that tells people and programs. Delays are measured by the process's clock, leases by the
 * database's.
 */
export interface NoticeOutbox {
  /** `null`: nobody is to be told anything. */
  view(): Promise<PlannerView | null>;
  /** Adds entries and moves the number, in one commit. `false`: another process has planned this part. */
  plan(plan: Plan): Promise<boolean>;
  /** Whether one of the requests is told somewhere, or is about to be. */
  isTold(interactionIds: readonly string[]): Promise<boolean>;
  /** Adds entries of a part that is sent again. `false`: another process did. */
  replayPart(input: {
    destination: string;
    from: number;
    upTo: number;
    at: number;
    entries: readonly PlannedEntry[];
  }): Promise<boolean>;
  /** Whether a lane is due, and when the next one falls due; `null`: none does. Reads only. */
  peek(at: number): Promise<{ isDue: boolean; nextInMs: number | null }>;
  /**
   * Claims due lanes over all destinations, at most `each` of one at a time, or one where the last attempt failed;
   * those that work come first. Counts an attempt for each claimed entry that is not an event.
   */
  claim(input: {
    at: number;
    lanes: number;
    /** How many of those may go to destinations whose last attempt failed. */
    failing: number;
    each: { person: number; webhook: number };
    entries: number;
    leaseMs: number;
    claim: string;
  }): Promise<ClaimedNotices[]>;
  facts(input: { lane: ClaimedNotices; at: number; since: number }): Promise<NoticeFacts>;
  /** The events with these numbers, in order. */
  events(seqs: readonly number[]): Promise<LogEvent[]>;
  /**
   * How many requests are pending, and the newest of them, at most `limit`. Chats and kinds that are not given are all
   * of them.
   */
  pending(input: {
    chats?: readonly string[] | undefined;
    kinds?: readonly string[] | undefined;
    limit: number;
  }): Promise<{ count: number; newest: Interaction[] }>;
  /** Records what became of a lane. `false`: the lease ran out and somebody else claimed it, so nothing changed. */
  settle(settlement: NoticeSettlement): Promise<boolean>;
  /**
   * Puts the lane, and every other one that would tell the destination of a request by now, into its digest, which is
   * due at `dueAt` unless one waits already. Returns how many requests; 0: the lease ran out.
   */
  fold(input: { lane: ClaimedNotices; at: number; dueAt: number }): Promise<number>;
  /** Removes a destination that no longer exists, with what waits for it, and adds `events` to the log. */
  forget(input: { lane: ClaimedNotices; events: readonly NewLogEvent[] }): Promise<void>;
  /** Who holds lanes: the names that `claim` was called with. */
  listClaims(): Promise<string[]>;
  /** Releases the lanes of a worker known to be dead, before its leases run out. */
  freeClaim(claim: string): Promise<void>;
  /** Destinations with lanes that were planned after `at`: the clock was set back since. */
  misdated(at: number): Promise<string[]>;
  /** The lanes to a destination that nobody holds, and what waits in them. */
  waitingLanes(destination: string): Promise<{ lane: string; entries: NoticeEntry[] }[]>;
  /** Sets when lanes are due, except those that somebody holds. */
  moveLanes(input: {
    destination: string;
    at: number;
    lanes: readonly { lane: string; dueAt: number }[];
  }): Promise<void>;
  /** What waits, what is dead, and what was sent last, the newest first. */
  deliveries(input: { destination: string; limit: number; before?: number | undefined }): Promise<DeliveryRecord[]>;
  /** Sends dead letters again. Returns how many. */
  reviveDead(input: { destination: string; at: number }): Promise<number>;
  /** Sends the events after a number again. Returns how many will be looked at. */
  replayAfter(input: { destination: string; after: number; at: number }): Promise<number>;
  /** Sends one event again, in its lane. `false`: no such event. */
  replayOne(input: { destination: string; entry: PlannedEntry; at: number }): Promise<boolean>;
}
