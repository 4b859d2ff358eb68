import type { LogPage, SessionsPage, Statistics } from '../protocol/history.ts';

/** Looking back, beside the `Beckon` port: the inbox page has it, agents do not need it. */
export interface History {
  /** What happened to one interaction, after number `after`; all of it in one page, as a rule. Throws `interaction_not_found`. */
  interactionLog(id: string, options?: { after?: number | undefined; limit?: number | undefined }): Promise<LogPage>;
  /** What the log has about a session after number `after`. Empty for a session that nobody knows. */
  sessionLog(sessionId: string, options?: { after?: number | undefined; limit?: number | undefined }): Promise<LogPage>;
  /** Sessions that asked something, the newest first; `after` is the `next` of the page before. */
  sessions(options?: { after?: string | undefined; limit?: number | undefined }): Promise<SessionsPage>;
  /** Default: the last 30 days. */
  statistics(options?: { since?: string | undefined; until?: string | undefined }): Promise<Statistics>;
}
