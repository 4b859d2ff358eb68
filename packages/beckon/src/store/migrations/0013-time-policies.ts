import type { Migration } from './index.ts';

/** What is to happen to requests that wait, and the time policies of chats and projects. */
export const timePolicies: Migration = ({ bigint }) => [
  `create table timers (
    interaction_id text not null,
    position ${bigint} not null,
    what text not null,
    target text,
    due_at ${bigint} not null,
    set_at ${bigint} not null,
    primary key (interaction_id, position)
  )`,
  'create index timers_due on timers (due_at)',
  `create table time_policies (
    scope text not null,
    name text not null,
    body text not null,
    set_by text not null,
    set_at ${bigint} not null,
    primary key (scope, name)
  )`,
  `alter table log_head add column policies_seq ${bigint} not null default 0`,
];
