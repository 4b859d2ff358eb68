/** How many code points one text has: with four bytes each it fits into a request. */
const EACH = 0x20000;
const LINE = 32;

/**
 * Every code point of Unicode, halves of surrogate pairs too, in order, in texts of many short lines. `toWord` says
 * what each stands in: a character alone, or one between letters.
 */
export function writeCodePoints(toWord: (character: string) => string): string[] {
  return Array.from({ length: 0x110000 / EACH + 1 }, (_, index) => index * EACH)
    .filter((from) => from < 0x110000)
    .map((from) => writeRange(from, Math.min(from + EACH, 0x110000), toWord));
}

/** The same for some of them, from the first up to the one before the last. */
function writeRange(first: number, end: number, toWord: (character: string) => string): string {
  const words = Array.from({ length: end - first }, (_, index) => {
    const separator = (index + 1) % LINE === 0 ? '\n' : ' ';
    return `${toWord(String.fromCodePoint(first + index))}${separator}`;
  });
  return words.join('');
}

/** What a surface marked, in order: the code points that it spells. */
export function readMarks(shown: string): string {
  return Array.from(shown.matchAll(/\[(U\+[0-9A-F]{4,6}(?: ×\d+)?)\]/g), ([, mark]) => mark).join(' ');
}

/**
 * What has to be marked of characters that stand alone, in prose as in code, by Unicode's properties and not by what
 * Beckon thinks of them: all that is not drawn, without the signs of Arabic, Syriac and Kaithi that are.
 */
export function listUnseen(text: string): string {
  const unseen =
    /(?![\n\t\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\ufffc\u{13441}\u{13442}\u{16fe4}\u{1d159}]/gu;
  return Array.from(text.matchAll(unseen), ([character]) => {
    return `U+${Number(character.codePointAt(0)).toString(16).toUpperCase().padStart(4, '0')}`;
  }).join(' ');
}

/**
 * What no surface may show as it is, in code or in prose. Of each kind there is something that was missed once,
 * somewhere.
 */
export const TELLING = {
  control: '\u0000\u0007\b\u000b\u000c\r\u001b\u007f\u0085\u009b',
  direction: '\u061c\u200e\u200f\u202a\u202d\u202e\u2066\u2069',
  format: '\u00ad\u180e\u200b\u2060\u2064\u206f\ufeff\ufff9\u{13430}\u{1d173}',
  separator: '\u2028\u2029',
  tag: '\u{e0001}\u{e0020}\u{e0041}\u{e007f}\u{e0fff}',
  filler: '\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufffc\u{1d159}',
  half: '\ud800\udbff \udc00',
  private: '\ue000\uf8ff\u{f0000}\u{10fffd}',
  noncharacter: '\ufdd0\ufffe\uffff\u{1ffff}\u{10ffff}',
  variation: 'a\ufe00b\ufe0fc\u{e0100}d\u200de\u200cf',
} as const;
