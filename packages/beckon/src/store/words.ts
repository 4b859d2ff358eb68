import type { Json } from '../protocol/json.ts';

/** Longer words are cut: nobody types that much of one. */
const WORD_CHARACTERS = 64;
/** An interaction with more distinct words, or more characters in them, is found by the first ones only. */
const MOST_WORDS = 20_000;
const MOST_CHARACTERS = 200_000;

// In scripts that are written without spaces, each character is a word.
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{N}\p{M}])+/gu;

/** The words of a text in order, in lower case and without accents, as they are kept and searched. */
export function* cutWords(text: string): Generator<string> {
  const plain = text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase();
  for (const [word] of plain.matchAll(WORD)) {
    yield word.length <= WORD_CHARACTERS ? word : Array.from(word).slice(0, WORD_CHARACTERS).join('');
  }
}

/** The distinct words of some texts. */
export function toWords(texts: Iterable<string>): string[] {
  const words = new Set<string>();
  let characters = 0;
  for (const text of texts) {
    for (const word of cutWords(text)) {
      if (words.has(word)) continue;
      characters += word.length;
      if (words.size >= MOST_WORDS || characters > MOST_CHARACTERS) return [...words];
      words.add(word);
    }
  }
  return [...words];
}

/** Every text and number inside a JSON value, without the names of fields. */
export function* findTexts(value: Json | undefined): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'number') yield String(value);
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) yield* findTexts(inner);
}
