/** Where a text stands: in code everything that cannot be seen or is taken for something else counts, in prose less. */
export type Place = 'prose' | 'code';

/** A character that must not work unseen, and how often it stands there in a row. */
interface Mark {
  character: string;
  code: string;
  reason: 'hidden' | 'look-alike';
  count: number;
}

/** A piece of a text: shown as it is, or marked. */
export type Piece = string | Mark;

/**
 * What changes how other text is shown, or is not shown at all: control characters, marks that turn the direction of text, spaces
 * without width, tags, fillers, and halves of surrogate pairs. A tab and a line break are text.
 */
const HIDDEN =
  '(?![\\n\\t])\\p{Cc}|[\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u200e\\u200f\\u2028-\\u202e' +
  '\\u2060-\\u206f\\u2800\\u3164\\ufeff\\uffa0\\ufff0-\\ufffb\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]|\\p{Surrogate}';
/** What scripts and emoji need, and code does not: joiners, and spaces that are no spaces to a shell. */
const HIDDEN_IN_CODE = `${HIDDEN}|[\\u00a0\\u1680\\u2000-\\u200a\\u200c\\u200d\\u202f\\u205f\\u3000\\ufe00-\\ufe0f]`;
/** Latin letters of full width, and mathematical ones: they are read as the plain letter and mean another. */
const DRESSED_UP = '[\\uff01-\\uff5e\\u{1d400}-\\u{1d7ff}]';

const PATTERNS: Record<Place, RegExp> = {
  prose: new RegExp(HIDDEN, 'gu'),
  code: new RegExp(`${HIDDEN_IN_CODE}|${DRESSED_UP}`, 'gu'),
};
const WORD = /[\p{L}\p{N}\p{M}_]+/gu;
const LATIN = /\p{Script=Latin}/u;
const TWIN = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Lisu}]/gu;
const ANY_TWIN = new RegExp(TWIN, 'u');

/** Splits a text so that what would be unseen, or taken for another letter, can be marked. */
export function splitHidden(text: string, place: Place): Piece[] {
  const plain = text.includes('\r') ? text.replaceAll('\r\n', '\n') : text;
  const found = [...findHidden(plain, place), ...findTwins(plain)].toSorted((one, other) => one.at - other.at);
  const pieces: Piece[] = [];
  let end = 0;
  for (const { at, character, reason } of found) {
    if (at < end) continue;
    if (at > end) pieces.push(plain.slice(end, at));
    const last = pieces.at(-1);
    if (typeof last === 'object' && last.character === character) last.count += 1;
    else pieces.push({ character, code: toCode(character), reason, count: 1 });
    end = at + character.length;
  }
  if (end < plain.length) pieces.push(plain.slice(end));
  return pieces;
}

/** The same as plain text, for places that hold no marks: names, labels, titles. Look-alikes stay as they are. */
export function toVisible(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(PATTERNS.prose, (character) => `[${toCode(character)}]`);
}

/** The same on one line of at most `chars` characters. */
export function toVisibleLine(text: string, chars = 200): string {
  // A cut in front of the work: a megabyte must not be walked through for one line.
  const start = text.slice(0, chars * 20).trim();
  const characters = Array.from(toVisible(start.replaceAll(/\s+/g, ' ')));
  if (characters.length <= chars && start.length === text.trim().length) return characters.join('');
  return `${characters.slice(0, chars - 1).join('')}…`;
}

/** How many characters of a text `splitHidden` marks. */
export function countHidden(text: string, place: Place): number {
  return splitHidden(text, place).reduce((sum, piece) => (typeof piece === 'string' ? sum : sum + piece.count), 0);
}

/** JSON for an editor: what would be unseen is written as an escape, which means the same. */
export function toEditableJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(PATTERNS.code, (character) =>
    Array.from({ length: character.length }, (_, index) => {
      return `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
    }).join(''),
  );
}

interface Found {
  at: number;
  character: string;
  reason: 'hidden' | 'look-alike';
}

function findHidden(text: string, place: Place): Found[] {
  return Array.from(text.matchAll(PATTERNS[place]), (match) => ({
    at: match.index,
    character: match[0],
    reason: new RegExp(DRESSED_UP, 'u').test(match[0]) ? 'look-alike' : 'hidden',
  }));
}

// A word in one script is a word; a word that mixes Latin with its twins is made to be misread.
function findTwins(text: string): Found[] {
  if (!ANY_TWIN.test(text)) return [];
  return Array.from(text.matchAll(WORD)).flatMap((word) => {
    if (!LATIN.test(word[0]) || !ANY_TWIN.test(word[0])) return [];
    return Array.from(word[0].matchAll(TWIN), (match) => ({
      at: word.index + match.index,
      character: match[0],
      reason: 'look-alike' as const,
    }));
  });
}

function toCode(character: string): string {
  return `U+${Number(character.codePointAt(0)).toString(16).toUpperCase().padStart(4, '0')}`;
}
