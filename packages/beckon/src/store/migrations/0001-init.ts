import type { Migration } from './index.ts';

/** The interactions, the log with its last number, and the outbox. */
export const init: Migration = ({ bigint }) => [
  `create table log_head (
    id ${bigint} primary key,
    seq ${bigint} not null
  )`,
  'insert into log_head (id, seq) values (1, 0)',
  `create table log (
    seq ${bigint} primary key,
    type text not null,
    at ${bigint} not null,
    interaction_id text,
    chat_id text,
    session_id text,
    data text not null
  )`,
  `create table interactions (
    seq ${bigint} primary key,
    id text not null,
    idempotency_key text,
    chat_id text not null,
    session_id text,
    group_id text,
    kind text not null,
    status text not null,
    awaiting_feedback ${bigint} not null,
    created_at ${bigint} not null,
    expires_at ${bigint},
    settled_at ${bigint},
    body text not null,
    outcome text
  )`,
  'create unique index interactions_id on interactions (id)',
  'create unique index interactions_key on interactions (idempotency_key) where idempotency_key is not null',
  // Each index costs every ask; `list-query.ts` needs only these.
  'create index interactions_chat on interactions (chat_id, status, seq)',
  'create index interactions_session on interactions (session_id, status, seq) where session_id is not null',
  'create index interactions_status on interactions (status, kind, seq)',
  // With the status in front, SQLite prefers it to the index on the status and kind, which would have to be sorted.
  `create index interactions_deadline on interactions (status, expires_at)
   where status = 'pending' and expires_at is not null`,
  `create table outbox (
    seq ${bigint} primary key,
    id text not null,
    lane text not null,
    payload text not null,
    status text not null,
    attempts ${bigint} not null,
    due_at ${bigint} not null,
    claim text,
    leased_until ${bigint} not null,
    error text
  )`,
  'create unique index outbox_id on outbox (id)',
  'create index outbox_lane on outbox (lane, status, seq)',
  'create index outbox_due on outbox (status, due_at)',
];
