import type { Migration } from './index.ts';

/** Digests of what was asked under a key, answer-only tokens and devices, and a row for checking whether writes fit. */
export const consent: Migration = ({ bigint }) => [
  'alter table interactions add column digest text',
  ...['tokens', 'devices', 'login_codes'].map(
    (table) => `alter table ${table} add column answer_only ${bigint} not null default 0`,
  ),
  `create table write_room (id ${bigint} primary key, filling text not null)`,
  `insert into write_room (id, filling) values (1, '')`,
];
