import type { Migration } from './index.ts';

/** Requests whose agent comes back for the answer, by idempotency key, and how long it may take to. */
export const attendance: Migration = ({ bigint }) => [
  `create table attendance (
    key text primary key,
    until ${bigint} not null
  )`,
  'create index attendance_until on attendance (until)',
];
