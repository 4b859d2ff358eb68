import type { Duration } from '../protocol/duration.ts';
import type {
  ConversationPage,
  HistoryCounts,
  LogPage,
  SessionsPage,
  Snooze,
  Statistics,
} from '../protocol/history.ts';
import type { AllFilter } from './list-all.ts';

/**
 * Looking back, and keeping what one sees in order. It is not part of `Beckon`, because the inbox page needs it and
 * agents do not.
 */
export interface History {
  /** What happened to one interaction after number `after`, usually in one page. Throws `interaction_not_found`. */
  interactionLog(id: string, options?: { after?: number | undefined; limit?: number | undefined }): Promise<LogPage>;
  /** What the log has about a session after number `after`. Empty for an unknown session. */
  sessionLog(sessionId: string, options?: { after?: number | undefined; limit?: number | undefined }): Promise<LogPage>;
  /**
   * What was said and done in a session, from its hooks and requests: the newest 100 entries, or those before number
   * `before`, in order. Empty for an unknown session.
   */
  conversation(
    sessionId: string,
    options?: { before?: number | undefined; limit?: number | undefined },
  ): Promise<ConversationPage>;
  /** Sessions that asked something, the newest first; `after` is the `next` of the previous page. */
  sessions(options?: { after?: string | undefined; limit?: number | undefined }): Promise<SessionsPage>;
  /** How many requests pass a filter, by decision, person and project: at most 50 of each. */
  counts(filter?: AllFilter): Promise<HistoryCounts>;
  /** The titles that people gave to sessions, by session: the 1,000 edited last. */
  titles(): Promise<Record<string, string>>;
  /** Gives a session a title; an empty one brings back that of its agent. Throws `session_not_found`. */
  rename(sessionId: string, title: string): Promise<void>;
  /** What the caller put aside and is still pending, the first to come back first. */
  snoozes(): Promise<Snooze[]>;
  /**
   * Hides a request from the caller until a time (ISO 8601, or how long from now), on all their devices. Everybody else
   * still sees it. `null`: it is no longer pending. Throws `interaction_not_found`.
   */
  snooze(id: string, until: Duration): Promise<Snooze | null>;
  /** Shows a request again. `false`: it was not put aside. */
  unsnooze(id: string): Promise<boolean>;
  /** Default: the last 30 days. */
  statistics(options?: { since?: string | undefined; until?: string | undefined }): Promise<Statistics>;
}
