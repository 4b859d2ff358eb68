import type { Migration } from './index.ts';

/** What was asked under an idempotency key, and who may only answer. */
export const consent: Migration = ({ bigint }) => [
  'alter table interactions add column digest text',
  ...['tokens', 'devices', 'login_codes'].map(
    (table) => `alter table ${table} add column answer_only ${bigint} not null default 0`,
  ),
];
