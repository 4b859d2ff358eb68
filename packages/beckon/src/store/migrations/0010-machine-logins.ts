import type { Migration } from './index.ts';

/** Machines that wait to be let in, which tokens are theirs, and when each token was last used. */
export const machineLogins: Migration = ({ bigint }) => [
  `create table machine_logins (
    id text primary key,
    hash text not null,
    code text not null,
    machine text not null,
    user_name text not null,
    agents text not null,
    address text not null,
    address_group text not null,
    created_at ${bigint} not null,
    expires_at ${bigint} not null,
    status text not null,
    decided_by text
  )`,
  'create unique index machine_logins_hash on machine_logins (hash)',
  'create unique index machine_logins_code on machine_logins (code)',
  'alter table tokens add column machine text',
  `alter table tokens add column last_used_at ${bigint}`,
];
