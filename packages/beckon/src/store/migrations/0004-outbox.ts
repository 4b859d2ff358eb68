import type { Migration } from './index.ts';

/** The hooks, and an outbox whose leases are on lanes: a lane is claimed with several entries at once. */
export const outbox: Migration = ({ bigint }) => [
  `create table hooks (
    seq ${bigint} primary key,
    id text not null,
    session_id text not null,
    interaction_id text not null,
    event_type text not null,
    at ${bigint} not null,
    data text not null
  )`,
  'create unique index hooks_id on hooks (id)',
  'drop table outbox',
  `create table outbox (
    seq ${bigint} primary key,
    destination text not null,
    lane text not null,
    status text not null,
    attempts ${bigint} not null,
    error text
  )`,
  'create index outbox_lane on outbox (destination, lane, status, seq)',
  // Only of dead letters: an index costs every hook in it.
  `create index outbox_dead on outbox (seq) where status = 'dead'`,
  `create table outbox_lanes (
    key text primary key,
    destination text not null,
    lane text not null,
    due_at ${bigint} not null,
    claim text,
    leased_until ${bigint} not null
  )`,
  'create index outbox_lanes_due on outbox_lanes (destination, due_at)',
  `create table outbox_pauses (
    destination text primary key,
    at ${bigint} not null,
    reason text not null,
    token_hash text
  )`,
];
