import type { Engine } from './driver.ts';
import { cutWords } from './words.ts';

/** The SQL of one engine that keeps words and looks for them. Words are letters and digits alone, so they cannot be syntax. */
interface WordSearch {
  /** Puts words in, or in place of those that were there. `$1` is a JSON array of `{ seq, words }`. */
  readonly put: string;
  /** What a search reads from, in place of `interactions` alone. */
  readonly from: string;
  /** The column that orders what is found. The engine reads no more than it has to when cursor and order use it. */
  readonly key: string;
  /** The condition that the interaction has the words of a query. */
  matches(place: string): string;
  /** The query for all of the words, of which the last may be the beginning of one. */
  toQuery(words: readonly string[]): string;
}

/** The part of a filter that the index of words knows of. */
interface WordFilter {
  text: string;
  chatId?: string | undefined;
  sessionId?: string | undefined;
}

export const WORD_SEARCH: Readonly<Record<Engine, WordSearch>> = {
  sqlite: {
    put: `insert or replace into interaction_words (rowid, words)
      select json_extract(value, '$.seq'), json_extract(value, '$.words') from json_each($1)`,
    // CROSS keeps SQLite from beginning with the interactions.
    from: 'interaction_words cross join interactions on interactions.seq = interaction_words.rowid',
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
    key: 'interactions.seq',
    matches: (place) => `interaction_words.words @@ ${place}::tsquery`,
    toQuery: (words) => `${words.map((word) => `'${word}'`).join(' & ')}:*`,
  },
};

/**
 * What to look for; `null` where the text has no word at all, and so finds nothing. The chat and the session are among the words of
 * an interaction, so an index of words finds those of a common word in a rare session without looking at all the others.
 */
export function toWordQuery(engine: Engine, { text, chatId = '', sessionId = '' }: WordFilter): string | null {
  const words = [...cutWords(text)];
  if (words.length === 0) return null;
  return WORD_SEARCH[engine].toQuery([...cutWords(chatId), ...cutWords(sessionId), ...words]);
}
