import type { Migration } from './index.ts';

/**
 * Which messages of reply topics were taken, so that each counts once, whoever reads it. A login code may belong to a
 * request: it then works only while that request waits.
 */
export const replies: Migration = ({ bigint }) => [
  `create table replies (
    key text primary key,
    at ${bigint} not null
  )`,
  'create index replies_at on replies (at)',
  'alter table login_codes add column interaction_id text',
];
