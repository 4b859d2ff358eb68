import type { Migration } from './index.ts';

/** The tokens of agents and people. */
export const tokens: Migration = ({ bigint }) => [
  `create table tokens (
    id text primary key,
    name text not null,
    role text not null,
    chat_id text,
    hash text not null,
    created_at ${bigint} not null
  )`,
  'create unique index tokens_name on tokens (name)',
];
