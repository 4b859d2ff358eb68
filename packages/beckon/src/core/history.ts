import type { LogPage, SessionsPage, Statistics } from '../protocol/history.ts';

/** Looking back. It is not part of `Beckon`, because the inbox page needs it and agents do not. */
export interface History {
  /** What happened to one interaction after number `after`, usually in one page. Throws `interaction_not_found`. */
  interactionLog(id: string, options?: { after?: number | undefined; limit?: number | undefined }): Promise<LogPage>;
  /** What the log has about a session after number `after`. Empty for an unknown session. */
  sessionLog(sessionId: string, options?: { after?: number | undefined; limit?: number | undefined }): Promise<LogPage>;
  /** Sessions that asked something, the newest first; `after` is the `next` of the previous page. */
  sessions(options?: { after?: string | undefined; limit?: number | undefined }): Promise<SessionsPage>;
  /** Default: the last 30 days. */
  statistics(options?: { since?: string | undefined; until?: string | undefined }): Promise<Statistics>;
}
