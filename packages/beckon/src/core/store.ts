import type { Context } from '../protocol/context.ts';
import type { LogEvent, NewLogEvent } from '../protocol/events.ts';
import type { HistoryCounts, SessionsPage, Snooze } from '../protocol/history.ts';
import type { AnsweredBy, Interaction, Kind, Status } from '../protocol/interaction.ts';
import type { InteractionPage, ListFilter } from '../protocol/list.ts';
import type { Note } from '../protocol/note.ts';
import type { Effect, ListedRule, Rule } from '../protocol/rule.ts';
import type { TimePolicy } from '../protocol/time-policy.ts';
import type { AnswerResult, GroupResult } from './beckon.ts';
import type { NoticeOutbox } from './notice-outbox.ts';
import type { Hooks, Outbox } from './outbox.ts';
import type { StoredDestinations, StoredSecrets } from './stored-destinations.ts';
import type { StoredDevices, StoredMachineLogins, StoredTokens } from './stored-logins.ts';
import type { StoredPolicies, StoredTimers } from './time-policy.ts';

/** What one commit of this process changed: its events in order, and each interaction as it is after it. */
export interface Commit {
  /** How many steps shared it. */
  steps: number;
  events: readonly LogEvent[];
  interactions: readonly Interaction[];
  /** When the first of the timers is due that it set. */
  timerAt?: string | undefined;
}

/** An interaction to keep, with everything that surrounds it. */
export interface NewInteraction {
  interaction: Interaction;
  context?: Context | undefined;
  /** What is to happen while it waits; what it leaves out is as its chat or project says. */
  times?: TimePolicy | undefined;
  /** Its id was just made, so that no other interaction can have it, and nobody needs to look. */
  hasNewId?: boolean | undefined;
}

/** Several answers of one person, in one step. */
export interface AnswersInput {
  answers: readonly { id: string; answer: unknown }[];
  by: AnsweredBy;
  at: string;
}

/** How to end interactions without an answer. */
export interface EndInput {
  ids: readonly string[];
  as: 'expired' | 'cancelled' | 'superseded';
  reason?: string | undefined;
  at: string;
}

/** What a part of the log means for those who wait. */
export interface Changes {
  /** The number of the last event of the part. */
  lastSeq: number;
  /** The interactions to which something happened after they were asked, an id for each event. */
  ids: string[];
  /** The earliest deadline of what was asked. */
  expiresAt?: string;
}

/**
 * The only door to data. Each method is one whole step: it is on disk when its promise resolves, together with its log
 * events, or it has changed nothing. All processes on one database see one order of steps.
 */
export interface Store {
  readonly hooks: Hooks;
  readonly outbox: Outbox;
  readonly tokens: StoredTokens;
  readonly devices: StoredDevices;
  readonly machineLogins: StoredMachineLogins;
  readonly history: StoredHistory;
  readonly sessions: StoredSessions;
  readonly snoozes: StoredSnoozes;
  readonly rules: StoredRules;
  readonly destinations: StoredDestinations;
  readonly notices: NoticeOutbox;
  readonly secrets: StoredSecrets;
  readonly replies: StoredReplies;
  readonly attendance: StoredAttendance;
  readonly policies: StoredPolicies;
  readonly timers: StoredTimers;
  /**
   * Keeps a new interaction, or finds the one that asked the same with the same idempotency key. Throws `key_reused`
   * for a key that was used for something else, and `interaction_exists` for a taken id. A new approval is decided by
   * the rules of this moment, in the same commit: it is then already answered when this resolves. One that waits gets
   * its timers in the same commit.
   */
  ask(
    interaction: Interaction,
    context?: Context,
    times?: TimePolicy,
  ): Promise<{ interaction: Interaction; isNew: boolean }>;
  /** The same for several at once: all are kept or found, or none. */
  askGroup(asks: readonly NewInteraction[]): Promise<{ interaction: Interaction; isNew: boolean }[]>;
  /** Checks an answer against its request and settles it if it is the first. Throws `invalid_answer`. */
  recordAnswer(input: { id: string; answer: unknown; by: AnsweredBy; at: string }): Promise<AnswerResult>;
  /**
   * Records several answers, each judged by itself. Throws `invalid_answer`, and records none, if one does not fit, or
   * if several are allowed together and one of them is dangerous.
   */
  recordAnswers(input: AnswersInput): Promise<AnswerResult[]>;
  /** Records the answers to requests of one group: all or none. Throws like `recordAnswers`. */
  recordGroup(input: AnswersInput & { groupId: string }): Promise<GroupResult>;
  /** Ends those of the interactions that can still end this way, and returns them. */
  end(input: EndInput): Promise<Interaction[]>;
  /**
   * Adds a note about an interaction to the log. `false`, and adds nothing, where it is unknown or the note no longer
   * applies.
   */
  note(input: { id: string; note: Note; at: string }): Promise<boolean>;
  get(id: string): Promise<Interaction | null>;
  /** What surrounds an interaction; `null` if nothing is known. */
  getContext(id: string): Promise<Context | null>;
  /** Status and deadline of each interaction that exists: cheaper than `getMany`. */
  getStatuses(ids: readonly string[]): Promise<Map<string, Pick<Interaction, 'status' | 'expiresAt'>>>;
  getMany(ids: readonly string[]): Promise<Interaction[]>;
  list(filter: ListFilter): Promise<InteractionPage>;
  /**
   * Ids of pending interactions whose deadline has come, the oldest deadline first. `asked`: only of those that were
   * asked after a time, and not after a number of the log.
   */
  listDue(input: { at: string; limit: number; asked?: { after: string; upTo: number } }): Promise<string[]>;
  /** How many interactions are pending, by kind. */
  countPending(): Promise<Partial<Record<Kind, number>>>;
  /** The earliest deadline of all pending interactions. */
  nextDeadline(): Promise<string | null>;
  /** Adds a fact to the log. Returns `null`, and adds nothing, where it no longer applies to its interaction. */
  appendEvent(event: NewLogEvent): Promise<LogEvent | null>;
  /** Events after number `after`, in order and without gaps, up to what is committed. */
  readLog(input: { after: number; limit: number }): Promise<LogEvent[]>;
  /** The same in short, for who follows other processes: cheaper than `readLog`. `null`: there is nothing new. */
  readChanges(input: { after: number; limit: number }): Promise<Changes | null>;
  /** The number of the last committed event; 0 in an empty log. */
  lastSeq(): Promise<number>;
  /**
   * Calls `listener` after each commit of this process, before the promises of its steps resolve. What it throws
   * changes nothing for the steps and the other listeners.
   */
  onCommit(listener: (commit: Commit) => void): void;
  /**
   * Calls `onChange` when another process may have changed something, until the returned function is called. With a
   * `seq`, there is nothing new for who knows the log up to that number.
   */
  follow(onChange: (seq?: number) => void): () => void;
  /**
   * Resolves where the store can be written. Throws what writing fails with. Cheap enough to be called again and again.
   */
  checkWrites(): Promise<void>;
  /** Finishes the steps that were submitted, then lets go of the database. */
  close(): Promise<void>;
}

/** The messages of reply topics that were taken. A message is known by a key of its own. */
export interface StoredReplies {
  has(key: string): Promise<boolean>;
  /** Notes that a message was taken. `false`: it was noted before. */
  note(key: string, at: string): Promise<boolean>;
}

/** What happened to one interaction, or in one session. `chatId` leaves out what is not of that chat. */
export interface LogPart {
  of: { interactionId: string } | { sessionId: string };
  after: number;
  limit: number;
  chatId?: string | undefined;
}

/** A hook or a request of a session. `data` is the hook's JSON; `null`: it is large, so it is read by its id. */
export type ConversationPart = { seq: number } & (
  | { hook: { id: string; eventType: string; at: string; data: string | null } }
  | { interaction: Interaction }
);

/** A page in order, and hooks close to it that may belong to the same calls. */
export interface ConversationParts {
  page: ConversationPart[];
  near: ConversationPart[];
  /** Whether something is older. */
  hasMore: boolean;
}

/** How many interactions ended how, and how long people took. */
export interface Tally {
  counts: { day: string; kind: Kind; status: Status; count: number }[];
  /** Time from ask to answer, in milliseconds: exact to 0.1 s up to a minute, to 1 s above. In no order. */
  answerTimes: { ms: number; count: number }[];
}

/**
 * Looking back. Nothing of it is kept up to date while somebody asks: it is caught up with later, and before it is
 * needed.
 */
export interface StoredHistory {
  readLog(part: LogPart): Promise<LogEvent[]>;
  /** The newest hooks and requests of a session before a number of the log. Hooks belong to no chat. */
  readConversation(input: {
    sessionId: string;
    before: number;
    limit: number;
    chatId?: string | undefined;
  }): Promise<ConversationParts>;
  /** Sessions that asked something, the one with the newest interaction first. */
  listSessions(input: {
    after?: string | undefined;
    limit: number;
    chatId?: string | undefined;
  }): Promise<SessionsPage>;
  /** Counts the interactions that were asked from `since` on and before `until`. */
  tally(input: { since: string; until: string; chatId?: string | undefined }): Promise<Tally>;
  /** Counts what passes a filter, whose page is ignored. */
  count(filter: ListFilter): Promise<HistoryCounts>;
  /**
   * Takes the next part of the log, at most `events`, into the indexes of words, facts and sessions. `false`: nothing
   * was left to take.
   */
  catchUp(events?: number): Promise<boolean>;
}

/**
 * The agents that come back for their answers, instead of keeping a connection. A request is named by its idempotency
 * key. Times are those of the database, because processes may have different clocks.
 */
export interface StoredAttendance {
  /** Notes that the agent of these requests may now stay away for `forMs`. They may be asked right after this. */
  attend(input: { keys: readonly string[]; forMs: number }): Promise<void>;
  /** Gives every agent at least `forMs` from now on. */
  extend(forMs: number): Promise<void>;
  /**
   * Ends pending requests whose agents did not come back, as superseded, and forgets those agents. At most `limit`;
   * returns how many it forgot. Whoever comes back first is not forgotten, in whichever process.
   */
  endAbandoned(input: { limit: number; reason: string; at: string }): Promise<number>;
}

/** The titles that people gave to sessions. */
export interface StoredSessions {
  /**
   * Sets the title of a session, or removes it if it is empty, with `session.renamed` in one commit. `false`: no such
   * session, or none that asked in `chatId`.
   */
  rename(input: {
    sessionId: string;
    title: string;
    by: string;
    at: string;
    chatId?: string | undefined;
  }): Promise<boolean>;
  /** By session, at most `limit`, those edited last. `chatId` leaves out sessions that asked nothing there. */
  titles(input: { limit: number; chatId?: string | undefined }): Promise<Record<string, string>>;
}

/** What people put aside, each for themselves. */
export interface StoredSnoozes {
  /**
   * Puts a pending request aside, and forgets this person's snoozes that ended. `unknown`: no such request in `chatId`.
   * `settled`: it is no longer pending.
   */
  put(input: {
    who: string;
    interactionId: string;
    until: string;
    at: string;
    chatId?: string | undefined;
  }): Promise<'kept' | 'settled' | 'unknown'>;
  /** `false`: it was not put aside. */
  remove(input: { who: string; interactionId: string }): Promise<boolean>;
  /** Those that have not ended at `at`, of requests that are pending, the first to end first. */
  list(input: { who: string; at: string; chatId?: string | undefined }): Promise<Snooze[]>;
}

/** A request that a rule had something to say about. */
export interface RuleHit {
  ruleId: string;
  /** What it said; of a rule in `watch`, what it would have said. */
  effect: Effect;
  isWatch: boolean;
  at: string;
}

/** What a rule did. */
export interface RuleHits {
  /** By day in UTC, the oldest first, without days without a hit. */
  days: { day: string; hits: number }[];
  /** The newest requests first, as they are. */
  recent: (RuleHit & { interaction: Interaction })[];
}

/**
 * The rules. Each change is one commit with its event, and counts for every ask after it, in all processes. A rule
 * whose author, given by `authorId`, can no longer come in is not kept: `unauthorized`.
 */
export interface StoredRules {
  /** Keeps a rule, with `rule.added`. Throws `invalid_input` if there are too many. */
  add(rule: Rule): Promise<void>;
  /**
   * Replaces a rule, with `rule.changed` by its author. `stale`: it is no longer as `expected`, so nothing was changed.
   */
  put(input: { rule: Rule; expected: Rule; at: string }): Promise<'kept' | 'stale' | 'unknown'>;
  /** Removes a rule, with `rule.removed`. What it decided stays. `false`: there is none. */
  remove(input: { id: string; by: string; at: string }): Promise<boolean>;
  /** Stops those of the rules that are not stopped, with `rule.stopped`, and returns them as they are then. */
  stop(input: { ids: readonly string[]; why: string; by?: string | undefined; at: string }): Promise<Rule[]>;
  find(id: string): Promise<Rule | null>;
  /** In the order in which they were made, the newest first. `chatId`: only those of this chat alone. */
  list(input: {
    after?: string | undefined;
    limit: number;
    chatId?: string | undefined;
  }): Promise<{ items: ListedRule[]; next?: string }>;
  /** Every rule, the oldest first. */
  all(): Promise<Rule[]>;
  hits(input: { ruleId: string; limit: number }): Promise<RuleHits>;
  /** The rules that had something to say about a request, the one that decided first. Some may be gone. */
  rulesOf(interactionId: string): Promise<RuleHit[]>;
  /** Keeps the key of a suggestion that nobody wants. */
  dismiss(input: { key: string; who: string; at: string }): Promise<void>;
  /** The keys of the suggestions that nobody wants. */
  dismissed(): Promise<string[]>;
}
