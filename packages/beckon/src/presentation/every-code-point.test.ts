import { expect, test } from 'vitest';
import { type Place, splitHidden } from './visible.ts';

/** The characters that are marked where each stands on a line of its own, between two texts. */
function collectMarked(place: Place, before = '', after = ' '): ReadonlySet<string> {
  const marked = new Set<string>();
  for (let first = 0; first < 0x110000; first += 0x1000) {
    const lines = Array.from(
      { length: 0x1000 },
      (_, index) => `${before}${String.fromCodePoint(first + index)}${after}`,
    );
    for (const piece of splitHidden(lines.join('\n'), place))
      if (typeof piece === 'object') marked.add(piece.character);
  }
  return marked;
}

/** Runs of code points for which something holds: `2028-2029`. */
function findRuns(holds: (character: string) => boolean): string[] {
  const runs: { from: number; to: number }[] = [];
  for (let code = 0; code < 0x110000; code += 1) {
    if (!holds(String.fromCodePoint(code))) continue;
    const last = runs.at(-1);
    if (last?.to === code - 1) last.to = code;
    else runs.push({ from: code, to: code });
  }
  return runs.map(({ from, to }) => (from === to ? hex(from) : `${hex(from)}-${hex(to)}`));
}

function hex(code: number): string {
  return code.toString(16).toUpperCase().padStart(4, '0');
}

/** What draws nothing, turns text round or is no text, as Unicode's own properties have it. */
const UNSEEN =
  /\p{Cc}|\p{Cf}|\p{Cs}|\p{Co}|\p{Zl}|\p{Zp}|\p{Default_Ignorable_Code_Point}|\p{Noncharacter_Code_Point}|\p{Bidi_Control}/u;
const FILLERS = ['2800', 'FFFC', '13441-13442', '16FE4', '1D159'];
/** Signs of Arabic, Syriac and Kaithi that count as format characters and draw something. */
const DRAWN_SIGNS = ['0600-0605', '06DD', '070F', '0890-0891', '08E2', '110BD', '110CD'];

test('alone in prose, exactly what Unicode calls unseen is marked', () => {
  const marked = collectMarked('prose');
  const expected = (character: string): boolean => UNSEEN.test(character) && !/[\n\t]/.test(character);
  expect(findRuns((character) => expected(character) && !marked.has(character))).toEqual(DRAWN_SIGNS);
  expect(findRuns((character) => marked.has(character) && !expected(character))).toEqual(FILLERS);
});

test('in code the same is marked, and every mark, space and dress that is no plain character, but no character of whole sentences', () => {
  const marked = collectMarked('code');
  expect(findRuns((character) => UNSEEN.test(character) && !marked.has(character))).toEqual(['0009-000A']);
  expect(findRuns((character) => /\p{M}|(?! )\p{Zs}/u.test(character) && !marked.has(character))).toEqual([]);
  const isDressed = (character: string): boolean =>
    /^[!-~]$/.test(character.normalize('NFKC')) && !/[\0-\u024f]|\p{No}/u.test(character);
  expect(findRuns((character) => isDressed(character) && !marked.has(character))).toEqual([]);
  const whole =
    /[\n\t -~]|(?!\p{Default_Ignorable_Code_Point}|\p{Changes_When_NFKC_Casefolded})(?:(?=\p{L})[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}\p{Script=Thai}]|\p{Emoji_Presentation})/u;
  expect(findRuns((character) => whole.test(character) && marked.has(character))).toEqual([]);
});

test('between Latin letters nothing is needed: prose marks joiners and variations, code marks every letter of another alphabet', () => {
  const inProse = collectMarked('prose', 'a', 'b');
  const inCode = collectMarked('code', 'a', 'b');
  const needless = /[\u200c\u200d]|\p{Variation_Selector}/u;
  expect(findRuns((character) => needless.test(character) && !inProse.has(character))).toEqual([]);
  const strange =
    /(?=\p{L})[\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Lisu}\p{Script=Coptic}\p{Script=Deseret}]/u;
  expect(findRuns((character) => strange.test(character) && !inProse.has(character))).toEqual([]);
  const stranger =
    /(?![\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}\p{Script=Greek}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}])\p{L}/u;
  expect(findRuns((character) => stranger.test(character) && !inCode.has(character))).toEqual([]);
});
