import type { Migration } from './index.ts';

/**
 * Rules, what they decided, and the suggestions that nobody wants. `log_head` has the number of the last change of a
 * rule beside the log's own, so that an ask learns without a query of its own whether the rules it knows still hold.
 */
export const rules: Migration = ({ bigint }) => [
  `create table rules (
    id text primary key,
    seq ${bigint} not null,
    body text not null,
    author text not null,
    author_id text,
    chat_id text,
    created_at ${bigint} not null,
    until ${bigint},
    stopped_at ${bigint},
    stopped_why text
  )`,
  'create unique index rules_seq on rules (seq)',
  'create index rules_author on rules (author) where author_id is not null and stopped_at is null',
  // Written by the asks that a rule has something to say about, and by no other.
  `create table rule_hits (
    rule_id text not null,
    interaction_seq ${bigint} not null,
    position ${bigint} not null,
    effect text not null,
    is_watch ${bigint} not null,
    at ${bigint} not null,
    primary key (interaction_seq, position)
  )`,
  'create index rule_hits_rule on rule_hits (rule_id, interaction_seq, at)',
  `create table rule_dismissals (
    key text primary key,
    who text not null,
    at ${bigint} not null
  )`,
  `alter table log_head add column rules_seq ${bigint} not null default 0`,
  'alter table tokens add column owner text',
];
