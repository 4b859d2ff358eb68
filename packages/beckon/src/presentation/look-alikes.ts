import type { Found, Place } from './hidden-characters.ts';

/** A word that is not plain ASCII. Escapes of JSON and shells are not part of a word: `\nПривет`. */
const WORD = /\\[bfnrt]|(?:(?<!\w)|(?<=\\[bfnrt]))\w*(?![\0-\x7f])[\p{L}\p{N}\p{M}][\p{L}\p{N}\p{M}_]*/gu;
const LATIN = /\p{Script=Latin}/u;

/** Letters that look like Latin ones, in scripts that share shapes with Latin. */
const GREEK_TWINS = 'ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹϺαγικνορτυχϲϳ';
const TWINS =
  `${GREEK_TWINS}АВСЕНІЈКМОРԚЅТХУҮѴԜӀԌасԁеһіјӏорԛѕԝхуүѵ` +
  'ՕՍՏԼօոսհցզքᎠᎡᎢᎥᎩᎪᎫᎬᎳᎷᎻᏀᏂᏃᏎᏏᏒᏔᏙᏚᏞᏟᏢᏦᏴⲀⲂⲈⲌⲎⲒⲔⲘⲚⲞⲟⲢⲣⲤⲥⲦⲨⲬ\ua4d0-\ua4f7';
const TWIN = new RegExp(`[${TWINS}]`, 'u');
/** Alphabets with look-alikes. Any other letter of theirs shows that a text is written in that alphabet. */
const ALPHABETS =
  '\\p{Script=Cyrillic}\\p{Script=Armenian}\\p{Script=Cherokee}\\p{Script=Lisu}\\p{Script=Coptic}\\p{Script=Deseret}';
const GENUINE = new RegExp(`(?![${TWINS}])[${ALPHABETS}\\p{Script=Greek}]`, 'u');

/**
 * What does not belong in a word with Latin letters. Greek letters without a Latin twin are units and variables: μs,
 * Δt. In code every script counts, except those that are written next to Latin without a space.
 */
const STRANGER: Record<Place, RegExp> = {
  prose: new RegExp(`[${ALPHABETS}${GREEK_TWINS}]`, 'gu'),
  code: new RegExp(
    `(?![\\p{Script=Latin}\\p{Script=Common}\\p{Script=Inherited}\\p{Script=Greek}\\p{Script=Han}\\p{Script=Hiragana}` +
      `\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Bopomofo}])[\\p{L}\\p{Nd}]|[${GREEK_TWINS}]`,
    'gu',
  ),
};

/** Phonetic and other Latin letters that nobody types in programs or paths: ɡ, ɑ, ſ, and small capitals. */
const ODD_LATIN = '[\\u017f\\u0250-\\u02af\\u1d00-\\u1dbf\\u2c60-\\u2c7f\\ua720-\\ua7ff\\uab30-\\uab6f]';
/** Signs that look like / : | ! * ~, and dashes that could begin an option. */
const SIGNS = '[⁄∕⧸∶ː˸։׃꞉ǀ∣׀ǃ∗⁎∼]|(?<![^\\s])[˗‐-―⁃−]+(?=[A-Za-z0-9])';
/** Styled forms of other characters: full width, bold, script, circled. Raised and circled numbers are harmless. */
const DRESS = '(?=\\p{Changes_When_NFKC_Casefolded})(?!\\p{No})[\\u0250-\\u{10ffff}]';
const ALONE = new RegExp(`(${ODD_LATIN}|${SIGNS})|${DRESS}`, 'gu');

/** Finds the look-alikes of a text. In prose a word of another script is just a word, whatever it looks like. */
export function findLookAlikes(text: string, place: Place): Found[] {
  const words = Array.from(text.matchAll(WORD));
  const strangers = words.flatMap(({ 0: word, index }) =>
    LATIN.test(word) ? toFound(word.matchAll(STRANGER[place]), index) : [],
  );
  if (place === 'prose') return strangers;
  const disguised = words.filter((word, at) => isDisguise(text, word[0], [words[at - 1], word, words[at + 1]]));
  const letters = disguised.flatMap(({ 0: word, index }) => toFound(word.matchAll(/\p{L}/gu), index));
  return [...strangers, ...letters, ...findAlone(text)];
}

/** Whether a word without Latin letters poses as a Latin one: `ѕѕһ`. A single letter may be a word of its script. */
function isDisguise(text: string, word: string, among: readonly (RegExpExecArray | undefined)[]): boolean {
  if (!TWIN.test(word) || LATIN.test(word)) return false;
  const letters = Array.from(word).filter((character) => /\p{L}/u.test(character));
  if (!letters.every((letter) => TWIN.test(letter) || isDressed(letter))) return false;
  const [before, self, after] = among;
  return letters.length > 1 || !(isInSentence(text, before, self) || isInSentence(text, self, after));
}

/** Whether two words are on one line, and one of them is clearly of another script. */
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
