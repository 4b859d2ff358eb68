import type { Migration } from './index.ts';

/**
 * Being told: destinations of people and programs, their entries in the outbox beside those of backends, and the
 * notices that were sent. An event of the log may go to several destinations, so the outbox has both in its key.
 */
export const notify: Migration = ({ engine, bigint }) => [
  'alter table outbox rename to outbox_before',
  `create table outbox (
    seq ${bigint} not null,
    destination text not null,
    lane text not null,
    status text not null,
    attempts ${bigint} not null,
    error text,
    what text,
    planned_at ${bigint},
    primary key (seq, destination)
  ) ${engine === 'sqlite' ? 'without rowid' : ''}`,
  `insert into outbox (seq, destination, lane, status, attempts, error)
   select seq, destination, lane, status, attempts, error from outbox_before`,
  'drop table outbox_before',
  'create index outbox_lane on outbox (destination, lane, status, seq)',
  `create index outbox_dead on outbox (seq) where status = 'dead'`,
  // Lanes of backends have 0, and are in none of the indexes below: no hook pays for them.
  `alter table outbox_lanes add column is_notice ${bigint} not null default 0`,
  `alter table outbox_lanes add column set_at ${bigint} not null default 0`,
  'create index outbox_lanes_notice on outbox_lanes (lane) where is_notice = 1',
  'create index outbox_lanes_held on outbox_lanes (destination, leased_until) where is_notice = 1 and claim is not null',
  `create table destinations (
    id text primary key,
    owner text not null,
    kind text not null,
    chat_id text,
    device_id text,
    address text,
    body text not null,
    secret text not null,
    is_on ${bigint} not null,
    created_at ${bigint} not null,
    proven_at ${bigint},
    paused_at ${bigint},
    problem text,
    last_sent_at ${bigint},
    after_seq ${bigint} not null,
    failures ${bigint} not null,
    failing_since ${bigint},
    backoff_until ${bigint} not null,
    digest_at ${bigint} not null,
    replay_seq ${bigint},
    replay_to ${bigint}
  )`,
  'create index destinations_owner on destinations (owner)',
  'create index destinations_device on destinations (device_id) where device_id is not null',
  `create table notices (
    destination text not null,
    seq ${bigint} not null,
    what text not null,
    interaction_id text,
    sent_at ${bigint} not null,
    is_open ${bigint} not null,
    primary key (destination, seq, what)
  )`,
  'create index notices_sent on notices (destination, sent_at)',
  'create index notices_open on notices (interaction_id) where is_open = 1',
  `create table notify_head (id ${bigint} primary key, seq ${bigint} not null)`,
  'insert into notify_head (id, seq) values (1, 0)',
  `create table secrets (
    name text primary key,
    value text not null,
    created_at ${bigint} not null
  )`,
  `alter table devices add column in_sight_until ${bigint} not null default 0`,
];
