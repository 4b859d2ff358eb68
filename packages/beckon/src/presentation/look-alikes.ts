import type { Found, Place } from './hidden-characters.ts';

/** A word that is not plain ASCII. The escapes of JSON and of shells are none, and do not belong to one: `\nПривет`. */
const WORD = /\\[bfnrt]|(?:(?<!\w)|(?<=\\[bfnrt]))\w*(?![\0-\x7f])[\p{L}\p{N}\p{M}][\p{L}\p{N}\p{M}_]*/gu;
const LATIN = /\p{Script=Latin}/u;

/** Letters that are read as a Latin one, in scripts that share shapes with it. */
const GREEK_TWINS = 'ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹϺαγικνορτυχϲϳ';
const TWINS =
  `${GREEK_TWINS}АВСЕНІЈКМОРԚЅТХУҮѴԜӀԌасԁеһіјӏорԛѕԝхуүѵ` +
  'ՕՍՏԼօոսհցզքᎠᎡᎢᎥᎩᎪᎫᎬᎳᎷᎻᏀᏂᏃᏎᏏᏒᏔᏙᏚᏞᏟᏢᏦᏴⲀⲂⲈⲌⲎⲒⲔⲘⲚⲞⲟⲢⲣⲤⲥⲦⲨⲬ\ua4d0-\ua4f7';
const TWIN = new RegExp(`[${TWINS}]`, 'u');
/** Alphabets with twins. A letter of them that is none shows that a text is written in that alphabet. */
const ALPHABETS =
  '\\p{Script=Cyrillic}\\p{Script=Armenian}\\p{Script=Cherokee}\\p{Script=Lisu}\\p{Script=Coptic}\\p{Script=Deseret}';
const GENUINE = new RegExp(`(?![${TWINS}])[${ALPHABETS}\\p{Script=Greek}]`, 'u');

/**
 * What does not belong into a word with Latin letters. Greek letters that look like no other are units and variables: μs, Δt. In code every
 * script counts, except those that are written without spaces between words and Latin.
 */
const STRANGER: Record<Place, RegExp> = {
  prose: new RegExp(`[${ALPHABETS}${GREEK_TWINS}]`, 'gu'),
  code: new RegExp(
    `(?![\\p{Script=Latin}\\p{Script=Common}\\p{Script=Inherited}\\p{Script=Greek}\\p{Script=Han}\\p{Script=Hiragana}` +
      `\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Bopomofo}])[\\p{L}\\p{Nd}]|[${GREEK_TWINS}]`,
    'gu',
  ),
};

/** Latin letters for phonetics, and others that nobody types: ɡ, ɑ, ſ, and small capitals. No language writes programs or paths in them. */
const ODD_LATIN = '[\\u017f\\u0250-\\u02af\\u1d00-\\u1dbf\\u2c60-\\u2c7f\\ua720-\\ua7ff\\uab30-\\uab6f]';
/** Signs that are read as / : | ! * ~, and dashes that begin an option. */
const SIGNS = '[⁄∕⧸∶ː˸։׃꞉ǀ∣׀ǃ∗⁎∼]|(?<![^\\s])[˗‐-―⁃−]+(?=[A-Za-z0-9])';
/** What may be another character in a dress: full width, bold, script, in a circle. Raised and circled numbers are read as such. */
const DRESS = '(?=\\p{Changes_When_NFKC_Casefolded})(?!\\p{No})[\\u0250-\\u{10ffff}]';
const ALONE = new RegExp(`(${ODD_LATIN}|${SIGNS})|${DRESS}`, 'gu');

/** Finds the characters of a text that are taken for others. In prose a word of another script is a word, whatever it looks like. */
export function findLookAlikes(text: string, place: Place): Found[] {
  const words = Array.from(text.matchAll(WORD));
  const strangers = words.flatMap(({ 0: word, index }) =>
    LATIN.test(word) ? toFound(word.matchAll(STRANGER[place]), index) : [],
  );
  if (place === 'prose') return strangers;
  const disguised = words.filter((_, at) => isDisguise(text, words, at));
  const letters = disguised.flatMap(({ 0: word, index }) => toFound(word.matchAll(/\p{L}/gu), index));
  return [...strangers, ...letters, ...findAlone(text)];
}

/** Whether a word without a Latin letter is made to be read as a Latin one: `ѕѕһ`. A single letter may be a word among others of its script. */
function isDisguise(text: string, words: readonly RegExpExecArray[], at: number): boolean {
  const [word = ''] = words[at] ?? [];
  if (!TWIN.test(word) || LATIN.test(word)) return false;
  const letters = word.match(/\p{L}/gu) ?? [];
  if (!letters.every((letter) => TWIN.test(letter) || isDressed(letter))) return false;
  return letters.length > 1 || ![at - 1, at].some((before) => isInSentence(text, words[before], words[before + 1]));
}

/** Whether two words stand on one line, and one of them is plainly of another script. */
function isInSentence(text: string, before: RegExpExecArray | undefined, after: RegExpExecArray | undefined): boolean {
  if (before === undefined || after === undefined) return false;
  const isOneLine = !text.slice(before.index, after.index).includes('\n');
  return isOneLine && (GENUINE.test(before[0]) || GENUINE.test(after[0]));
}

function findAlone(text: string): Found[] {
  const found = Array.from(text.matchAll(ALONE)).filter(({ 0: sign, 1: odd }) => odd !== undefined || isDressed(sign));
  return toFound(found, 0);
}

function toFound(matches: Iterable<RegExpExecArray>, start: number): Found[] {
  return Array.from(matches).flatMap(({ 0: match, index }) => {
    let at = start + index;
    return Array.from(match, (character): Found => {
      at += character.length;
      return { at: at - character.length, character, reason: 'look-alike' };
    });
  });
}

// Ligatures are several letters at once: ﬁ.
function isDressed(character: string): boolean {
  return (/\p{L}/u.test(character) ? /^(?:[!-~]|[A-Za-z]+)$/ : /^[!-~]$/).test(character.normalize('NFKC'));
}
