import type { Migration } from './index.ts';

/**
 * What looking back and logging in need. Asking must not pay for it: the indexes on the log leave out
 * `interaction.requested`, and the words and sessions are taken from the log later, up to the number in `history_head`.
 */
export const inbox: Migration = ({ engine, bigint }) => [
  `create index log_interaction on log (interaction_id, seq)
   where type <> 'interaction.requested' and interaction_id is not null`,
  `create index log_session on log (session_id, seq)
   where type <> 'interaction.requested' and session_id is not null`,
  `create table history_head (
    id ${bigint} primary key,
    seq ${bigint} not null
  )`,
  'insert into history_head (id, seq) values (1, 0)',
  ...WORDS[engine],
  `create table session_chats (
    session_id text not null,
    chat_id text not null,
    newest_seq ${bigint} not null,
    primary key (session_id, chat_id)
  )`,
  'create index session_chats_newest on session_chats (newest_seq)',
  'create index session_chats_chat on session_chats (chat_id, newest_seq)',
  `create table devices (
    id text primary key,
    name text not null,
    role text not null,
    chat_id text,
    hash text not null,
    label text not null,
    created_at ${bigint} not null,
    last_seen_at ${bigint} not null
  )`,
  `create table login_codes (
    hash text primary key,
    name text not null,
    role text not null,
    chat_id text,
    expires_at ${bigint} not null
  )`,
];

// The words are cut by Beckon, the same way for both engines, so the tokenizer only splits at spaces. The text is not
// kept twice.
const WORDS = {
  sqlite: [
    `create virtual table interaction_words using fts5 (words, content = '', contentless_delete = 1, tokenize = 'ascii', detail = none)`,
  ],
  postgres: [
    'create table interaction_words (interaction_seq bigint primary key, words tsvector not null)',
    'create index interaction_words_words on interaction_words using gin (words)',
  ],
} as const;
