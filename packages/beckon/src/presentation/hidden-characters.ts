/** Where a text is shown. In code everything hidden or misleading is marked, in prose less. */
export type Place = 'prose' | 'code';

/** A character that must be marked, and its position. */
export interface Found {
  at: number;
  character: string;
  reason: 'hidden' | 'look-alike';
}

/**
 * Characters that change how other text is shown, or are not shown themselves: control and format characters, direction
 * marks, line separators, tags, fillers, everything Unicode says to ignore, halves of surrogate pairs, private use
 * characters (their look depends on the font) and noncharacters. Tabs and line breaks are text. Unassigned characters
 * are not included: they draw a box, and browsers and Node disagree on which they are.
 */
const HIDDEN = [
  '(?![\\n\\t])\\p{Cc}',
  '[\\p{Cf}\\p{Cs}\\p{Co}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\p{Noncharacter_Code_Point}]',
  // Characters that draw nothing, although Unicode does not say so: blanks of Braille, hieroglyphs, Khitan, notes,
  // objects.
  '[\\u2800\\ufffc\\u{13441}\\u{13442}\\u{16fe4}\\u{1d159}]',
].join('|');

/** Spaces that a shell does not treat as spaces. */
const OTHER_SPACE = '(?! )\\p{Zs}';

/** Scripts whose letters join: in them, a joiner or non-joiner is part of the spelling. */
const JOINED = toLetters(
  'Adlam Arabic Balinese Bengali Chakma Devanagari Grantha Gujarati Gurmukhi Hanifi_Rohingya Javanese Kannada Khmer Malayalam ' +
    'Mandaic Mongolian Myanmar Nko Oriya Phags_Pa Sinhala Sogdian Syriac Tamil Telugu Tibetan',
);
const TAGS_OF_FLAGS = ['gbeng', 'gbsct', 'gbwls'].map((region) => `\\u{1f3f4}${toTags(region)}\\u{e007f}`);

/** What scripts and emoji need, only in its place: elsewhere, or twice, the same characters are hidden text. */
const NEEDED = [
  ...TAGS_OF_FLAGS,
  `(?<=${JOINED})[\\u200c\\u200d]`,
  // Between a word or a number of another script and its ending: PDF with a Persian plural.
  `(?<=[\\p{L}\\p{N}])\\u200c(?=${JOINED})`,
  '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})',
  '(?<=\\p{Extended_Pictographic})[\\ufe0e\\ufe0f]',
  '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
  '(?<=\\p{Script=Han})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]',
  '(?<=[\\p{Sm}\\p{Script=Myanmar}\\p{Script=Phags_Pa}])\\ufe00',
  '(?<=\\p{Script=Mongolian})[\\u180b-\\u180f]',
  // Signs that begin a number or end a verse. They count as format characters, but draw something.
  '[\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u{110bd}\\u{110cd}]',
].join('|');

/** No script puts so many marks on one letter. They would cover the lines around it. */
const PILE = '\\p{M}{9,}';
/** A mark on nothing, or on a character that takes none: it strikes out or changes what precedes it. */
const STRAY = '(?<=^|[^\\p{L}\\p{M}])\\p{M}+|(?<=[A-Za-z])\\p{M}+';

// What is kept matches first, outside the groups.
const PATTERNS: Record<Place, RegExp> = {
  prose: new RegExp(`${NEEDED}|(${HIDDEN})|(${PILE})`, 'gu'),
  code: new RegExp(`(${HIDDEN}|${OTHER_SPACE})|(${PILE}|${STRAY})`, 'gu'),
};

/** Finds the hidden characters of a text, in order. */
export function findHidden(text: string, place: Place): Found[] {
  return Array.from(text.matchAll(PATTERNS[place])).flatMap(({ 0: match, 1: hidden, 2: marks, index }): Found[] => {
    if (hidden !== undefined) return [{ at: index, character: match, reason: 'hidden' }];
    if (marks === undefined || isAccent(text.slice(Math.max(0, index - 2), index), marks)) return [];
    let at = index;
    return Array.from(marks, (character) => {
      at += character.length;
      return { at: at - character.length, character, reason: 'hidden' };
    });
  });
}

// A letter and its accent may be separate characters, as in file names on a Mac. The n of an escape (\n) is no letter.
function isAccent(before: string, marks: string): boolean {
  return !before.startsWith('\\') && /^\p{L}$/u.test(`${before.slice(-1)}${marks}`.normalize('NFC'));
}

function toLetters(scripts: string): string {
  const names = scripts.split(' ').map((name) => `\\p{Script_Extensions=${name}}`);
  return `(?=[\\p{L}\\p{M}\\p{N}])[${names.join('')}]`;
}

function toTags(letters: string): string {
  return Array.from(letters, (letter) => `\\u{${(0xe0000 + letter.charCodeAt(0)).toString(16)}}`).join('');
}
