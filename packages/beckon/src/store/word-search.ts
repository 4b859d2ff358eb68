import type { ListFilter } from '../protocol/list.ts';
import type { Engine, SqlValue } from './driver.ts';
import {
  type Asked,
  type Bind,
  needsFacts,
  type Rarest,
  toConditions,
  toFacts,
  toRareCondition,
  toTimeConditions,
} from './facts.ts';
import { cutWords } from './words.ts';

/** One engine's SQL for keeping and finding words. Words are letters and digits only, so they cannot be syntax. */
interface WordSearch {
  /** Adds or replaces words. `$1` is a JSON array of `{ seq, words }`. */
  readonly put: string;
  /** What a search reads from, instead of `interactions` alone. */
  readonly from: string;
  /** The same with the facts about each interaction, and with the facts alone. */
  readonly fromBoth: string;
  readonly fromFacts: string;
  /** The number of an interaction in `fromFacts`. */
  readonly factsKey: string;
  /** The column to order by. If cursor and order use it, the engine reads no more than it needs. */
  readonly key: string;
  /** The condition that the interaction has the words of a query. */
  matches(place: string): string;
  /** The query for all of the words; the last may be a prefix. */
  toQuery(words: readonly string[]): string;
}

export const WORD_SEARCH: Readonly<Record<Engine, WordSearch>> = {
  sqlite: {
    put: `insert or replace into interaction_words (rowid, words)
      select json_extract(value, '$.seq'), json_extract(value, '$.words') from json_each($1)`,
    // CROSS keeps SQLite from beginning with the interactions.
    from: 'interaction_words cross join interactions on interactions.seq = interaction_words.rowid',
    fromBoth: `interaction_words cross join interactions on interactions.seq = interaction_words.rowid
      cross join interaction_facts on interaction_facts.interaction_seq = interaction_words.rowid`,
    fromFacts: `interaction_words cross join interaction_facts
      on interaction_facts.interaction_seq = interaction_words.rowid`,
    factsKey: 'interaction_words.rowid',
    key: 'interaction_words.rowid',
    matches: (place) => `interaction_words match ${place}`,
    toQuery: (words) => `${words.map((word) => `"${word}"`).join(' ')}*`,
  },
  postgres: {
    put: `insert into interaction_words (interaction_seq, words)
      select seq, array_to_tsvector(string_to_array(words, ' '))
      from json_to_recordset($1::json) as added (seq bigint, words text)
      on conflict (interaction_seq) do update set words = excluded.words`,
    from: 'interaction_words join interactions on interactions.seq = interaction_words.interaction_seq',
    fromBoth: `interaction_words join interactions on interactions.seq = interaction_words.interaction_seq
      join interaction_facts on interaction_facts.interaction_seq = interaction_words.interaction_seq`,
    fromFacts: 'interaction_words join interaction_facts using (interaction_seq)',
    factsKey: 'interaction_facts.interaction_seq',
    key: 'interactions.seq',
    matches: (place) => `interaction_words.words @@ ${place}::tsquery`,
    toQuery: (words) => `${words.map((word) => `'${word}'`).join(' & ')}:*`,
  },
};

/** The statement for the newest `rows` interactions with the words of a filter; `null`: its text has no word. */
export function toSearchQuery(
  engine: Engine,
  filter: ListFilter,
  { asked, rarest, rows }: { asked: Asked | null; rarest: Rarest | null; rows: number },
): { sql: string; values: SqlValue[] } | null {
  const words = toWordQuery(engine, filter);
  if (words === null) return null;
  const { from, fromBoth, key, matches } = WORD_SEARCH[engine];
  const isWithFacts = needsFacts(filter);
  const values: SqlValue[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const conditions = [matches(bind(words)), ...toRareCondition(rarest, key, bind)];
  for (const [column, value] of [
    ['session_id', filter.sessionId],
    ['group_id', filter.groupId],
    ['chat_id', filter.chatId],
    ['kind', filter.kind],
    ['status', filter.status],
  ] as const)
    if (value !== undefined) conditions.push(`interactions.${column} = ${bind(value)}`);
  conditions.push(...toTimeConditions(asked, { key, column: 'interactions.created_at' }, bind));
  // Postgres weighs words and facts by its statistics; SQLite has none, and begins with the words.
  const leading = engine === 'postgres' ? 'any' : undefined;
  if (isWithFacts) conditions.push(...toConditions(toFacts(filter), leading, bind));
  if (filter.after !== undefined) conditions.push(`${key} < ${bind(Number(filter.after))}`);
  const sql = `select interactions.* from ${isWithFacts ? fromBoth : from} where ${conditions.join(' and ')} order by ${key} desc limit ${bind(rows)}`;
  return { sql, values };
}

/**
 * What to look for; `null`: the text has no word. Chat, session and project are among an interaction's words, so the
 * index finds a common word in a rare session without reading all the others.
 */
export function toWordQuery(
  engine: Engine,
  { text = '', chatId = '', sessionId = '', project = '' }: ListFilter,
): string | null {
  const words = [...cutWords(text)];
  if (words.length === 0) return null;
  return WORD_SEARCH[engine].toQuery([...cutWords(chatId), ...cutWords(sessionId), ...cutWords(project), ...words]);
}
