import type { Migration } from './index.ts';

/**
 * What sorting and looking back need: titles of sessions, what a person put aside, and facts about each request. The
 * facts are taken from the log later, like the words, so the log is read again from its beginning.
 */
export const triage: Migration = ({ bigint }) => [
  `create table sessions (
    session_id text primary key,
    title text not null,
    title_by text not null,
    at ${bigint} not null
  )`,
  'create index sessions_at on sessions (at)',
  `create table snoozes (
    who text not null,
    interaction_id text not null,
    until ${bigint} not null,
    primary key (who, interaction_id)
  )`,
  `create table interaction_facts (
    interaction_seq ${bigint} primary key,
    chat_id text not null,
    kind text not null,
    decision text not null,
    person text,
    project text,
    created_at ${bigint} not null
  )`,
  // No ask writes them: they are filled together with the words.
  'create index interaction_facts_decision on interaction_facts (decision, interaction_seq)',
  'create index interaction_facts_chat on interaction_facts (chat_id, interaction_seq)',
  'create index interaction_facts_person on interaction_facts (person, interaction_seq) where person is not null',
  'create index interaction_facts_project on interaction_facts (project, interaction_seq) where project is not null',
  ...['title', 'project', 'branch', 'agent', 'machine'].map(
    (column) => `alter table session_chats add column ${column} text`,
  ),
  'update history_head set seq = 0',
];
