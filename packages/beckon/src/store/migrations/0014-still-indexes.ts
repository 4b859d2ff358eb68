import type { Migration } from './index.ts';

/**
 * The indexes of a chat and of a session stay as they are when a request ends: every page that changes is written to
 * disk with the commit. What is pending has small indexes of its own, and what happened to the requests of a session is
 * found through these requests.
 */
export const stillIndexes: Migration = () => [
  'drop index interactions_chat',
  'drop index interactions_session',
  'create index interactions_chat on interactions (chat_id, seq)',
  'create index interactions_session on interactions (session_id, seq) where session_id is not null',
  `create index interactions_pending_chat on interactions (chat_id, seq) where status = 'pending'`,
  `create index interactions_pending_session on interactions (session_id, seq)
   where status = 'pending' and session_id is not null`,
  'drop index log_session',
  'create index log_session on log (session_id, seq) where interaction_id is null and session_id is not null',
];
