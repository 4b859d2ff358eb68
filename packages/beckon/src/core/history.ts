import type { LogPage, SessionsPage, Statistics } from '../protocol/history.ts';

/** Looking back, beside the `Beckon` port: the inbox page has it, agents do not need it. */
export interface History {
  /** The whole log of one interaction. Throws `interaction_not_found`. */
  interactionLog(id: string): Promise<LogPage>;
  /** What the log has about a session after number `after`. Empty for a session that nobody knows. */
  sessionLog(sessionId: string, options?: { after?: number; limit?: number }): Promise<LogPage>;
  /** Sessions that asked something, the newest first; `after` is the `next` of the page before. */
  sessions(options?: { after?: string; limit?: number }): Promise<SessionsPage>;
  /** Default: the last 30 days. */
  statistics(options?: { since?: string; until?: string }): Promise<Statistics>;
}
