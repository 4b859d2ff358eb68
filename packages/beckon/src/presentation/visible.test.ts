import { expect, test } from 'vitest';
import { countHidden, spell, splitHidden, toEditableJson, toJsonText, toVisible, toVisibleLine } from './visible.ts';

test.each([
  ['an escape sequence', 'a\u001b[2Jb', 'a[U+001B][2Jb'],
  ['a link', '\u001b]8;;http://x\u0007here', '[U+001B]]8;;http://x[U+0007]here'],
  ['a carriage return', 'safe\rrm -rf', 'safe[U+000D]rm -rf'],
  ['a backspace', 'no\b\byes', 'no[U+0008 ×2]yes'],
  ['a C1 control', 'a\u009b31mb', 'a[U+009B]31mb'],
  ['a turn of direction', 'user\u202etxt.exe', 'user[U+202E]txt.exe'],
  ['an isolate', '\u2066x\u2069', '[U+2066]x[U+2069]'],
  ['a space without width', 'a\u200bb\ufeff', 'a[U+200B]b[U+FEFF]'],
  ['a tag character', 'a\u{e0041}b', 'a[U+E0041]b'],
  ['a filler', 'a\u3164\u2800b', 'a[U+3164][U+2800]b'],
  ['half of a pair', 'a\ud800b\udc00', 'a[U+D800]b[U+DC00]'],
  ['a private use character', 'a\ue000b', 'a[U+E000]b'],
  ['a noncharacter', 'a\uffffb', 'a[U+FFFF]b'],
  ['a joiner that joins nothing', 'a\u200db', 'a[U+200D]b'],
  ['a second joiner', 'می\u200c\u200cخ', 'می\u200c[U+200C]خ'],
  ['a variation of a letter', 'a\ufe0fb\u{e0100}', 'a[U+FE0F]b[U+E0100]'],
  ['a second variation of an emoji', '☺\ufe0f\ufe0e', '☺\ufe0f[U+FE0E]'],
  ['a digit that is no keycap', '1\ufe0f', '1[U+FE0F]'],
  ['tags behind a flag that is none', '🏴\u{e0061}\u{e007f}', '🏴[U+E0061][U+E007F]'],
  ['a letter that poses as a Latin one', 'pаypal', 'pа[U+0430]ypal'],
  ['a pile of marks', `a${'\u0301'.repeat(9)}`, 'a[U+0301 ×9]'],
])('%s is made visible, in prose and in code', (_, text, shown) => {
  expect(toVisible(text)).toBe(shown);
  expect(countHidden(text, 'code')).toBeGreaterThan(0);
});

test.each([
  'plain',
  '',
  'two\nlines\tand a tab',
  'Grüße, 日本語，한국어',
  'Привет, с вами Ваѕһ',
  '👩‍👩‍👧 🏳️‍🌈 👩🏽‍🚀 1️⃣ ☺︎ ⚠️ 🇩🇪',
  '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
  'می‌خواهم، PDF‌ها، ۵‌تا، ۝',
  'क्‍ष नमस्ते, தமிழ், ശ്രീ, සිංහල ක්‍ෂ',
  'สวัสดี ខ្មែរ မြန်မာ བོད་',
  'שָׁלוֹם וְהPDF',
  '葛\u{e0100}飾区 ∩\ufe00 ᠠ\u180b',
  '10μs, Δt, 𝐛𝐨𝐥𝐝',
  'fiancé e\u0301te\u0301',
])('%j is shown as it is', (text) => {
  expect(toVisible(text)).toBe(text);
  expect(splitHidden(text, 'prose')).toEqual(text === '' ? [] : [text]);
});

test.each([
  ['a joiner of a script', 'می\u200cخ', 'می[U+200C]خ'],
  ['a joiner of an emoji', '👩\u200d👧', '👩[U+200D]👧'],
  ['a variation of an emoji', '⚠\ufe0f', '⚠[U+FE0F]'],
  ['spaces that are none to a shell', 'rm\u00a0-rf\u3000/', 'rm[U+00A0]-rf[U+3000]/'],
  ['a sign of a number', '\u0600', '[U+0600]'],
  ['a stroke through a sign', 'a=\u0338b', 'a=[U+0338]b'],
  ['a mark at the start', '\u0301x', '[U+0301]x'],
  ['a mark on a letter that has none', 'rm\u0338', 'rm[U+0338]'],
  ['a mark behind an escape', String.raw`x\n` + '\u0303', String.raw`x\n[U+0303]`],
  ['marks of two halves', 'r\u{1d165}', 'r[U+1D165]'],
  ['full width', 'ｒm', 'ｒ[U+FF52]m'],
  ['bold letters', '𝐫m', '𝐫[U+1D42B]m'],
  ['a ligature', 'ﬁnd', 'ﬁ[U+FB01]nd'],
  ['letters for phonetics', 'ɡit', 'ɡ[U+0261]it'],
  ['a Greek question mark', 'ls\u037e rm', 'ls\u037e[U+037E] rm'],
  ['another slash', '/etc∕x', '/etc∕[U+2215]x'],
  ['a dash that begins an option', 'rm –rf —force', 'rm –[U+2013]rf —[U+2014]force'],
  ['a letter of any script in a Latin word', 'aဝb', 'aဝ[U+101D]b'],
  ['a word that is made to look Latin', 'ѕѕһ x', 'ѕ[U+0455]ѕ[U+0455]һ[U+04BB] x'],
  ['the same of two alphabets and a dress', 'Αр𝐩', 'Α[U+0391]р[U+0440]𝐩[U+1D429]'],
  ['a letter alone', 'rm /а', 'rm /а[U+0430]'],
  ['a letter alone on its line', 'файл\nа', 'файл\nа[U+0430]'],
])('%s is marked in code', (_, text, shown) => {
  expect(toVisible(text, 'code')).toBe(shown);
});

test.each([
  'ls -la "$HOME"\n\techo done',
  'git commit -m "Привет, файл с данными"',
  'git commit -m "с данными"',
  String.raw`printf "\nПривет"`,
  'echo 日本語のfoo 한국어 📦',
  'cat Re\u0301sume\u0301-Vie\u0323\u0302t.pdf',
  'sleep 10μs # Δt, 5², H₂O, ①',
  'echo "a – b — c"',
])('%j is plain code', (text) => {
  expect(toVisible(text, 'code')).toBe(text);
});

test('a Windows line end is a line end', () => {
  expect(toVisible('a\r\nb')).toBe('a\nb');
});

test('a row of the same is one mark, and nothing of a text is lost', () => {
  expect(splitHidden(`a${'\u200b'.repeat(500)}b`, 'prose')).toHaveLength(3);
  expect(toVisible('\u200b'.repeat(500))).toBe('[U+200B ×500]');
  expect(countHidden('\u200b'.repeat(500), 'prose')).toBe(500);
  const text = 'x\u202ey\u200b\u200b\u200bраypal\u0007\ud800z\u0338\u0338ааа –f';
  const joined = splitHidden(text, 'code').map((piece) =>
    typeof piece === 'string' ? piece : piece.character.repeat(piece.count),
  );
  expect(joined.join('')).toBe(text);
});

test('a piece is spelled as text, behind a look-alike and instead of what is hidden', () => {
  expect(splitHidden('curl pаypal.com', 'code')).toEqual([
    'curl p',
    { character: 'а', code: 'U+0430', reason: 'look-alike', count: 1 },
    'ypal.com',
  ]);
  expect(splitHidden('aа\u200b', 'code').map(spell)).toEqual(['a', 'а[U+0430]', '[U+200B]']);
});

test.each(['Bаsh ѕѕһ аа', 'ｒm\u202e\u200b\u200b', 'rm –rf e\u0338'])('%j is marked once, however often', (text) => {
  for (const place of ['prose', 'code'] as const) {
    const once = toVisible(text, place);
    expect(toVisible(once, place)).toBe(once);
    expect(toVisibleLine(once)).toBe(once);
  }
});

test('one line has no breaks, and is cut with a mark', () => {
  expect(toVisibleLine('  a\n\tb  c ')).toBe('a b c');
  expect(toVisibleLine('\u00a0a\u00a0')).toBe('a');
  expect(toVisibleLine('abcdef', 4)).toBe('abc…');
  expect(toVisibleLine('👍👍👍👍', 3)).toBe('👍👍…');
  expect(toVisibleLine('abcd', 4)).toBe('abcd');
  expect(toVisibleLine(`ab${' '.repeat(500)}`, 4)).toBe('ab');
  expect(toVisibleLine(`ab${' '.repeat(500)}c`, 4)).toBe('ab…');
});

test('one line hides nothing that the text would show', () => {
  for (const text of ['\r', 'a\r', '\ufeffa', 'a\u2028b', '\va\f', 'a\u0085', 'a\ud800'])
    expect(toVisibleLine(text)).toBe(toVisible(text));
  expect(toVisibleLine('rm\u00a0 -rf\u2003', 99, 'code')).toBe('rm[U+00A0] -rf[U+2003]');
});

test('a cut leaves marks and pairs whole', () => {
  for (let chars = 1; chars < 40; chars += 1) {
    const line = toVisibleLine('ab\u202ecd\u{e0041}\u200b\u200b👍👍Bаsh', chars, 'code');
    expect(line.replaceAll(/\[U\+[0-9A-F]{4,5}(?: ×\d+)?\]/g, '')).not.toMatch(/[[\]+\ud800-\udfff]/u);
    expect(Array.from(line).length).toBeLessThanOrEqual(chars);
  }
  // The first cut, far behind the end of the line, falls between the halves of a pair.
  expect(toVisibleLine(`a${'👍'.repeat(400)}`, 20)).toBe(`a${'👍'.repeat(18)}…`);
  expect(toVisibleLine(`${'\u200b'.repeat(39)}👍👍`, 2)).toBe('…');
  expect(toVisibleLine(`a${' '.repeat(38)}👍👍`, 2)).toBe('a…');
});

test('JSON for an editor means the same as before', () => {
  const value = { command: 'a\u202eb\u200d\u{e0041}\nПривет', name: 'Grüße 👍', host: 'pаypal\ud800' };
  const text = toEditableJson(value);
  expect(text).toContain('a\\u202eb\\u200d\\udb40\\udc41\\nПривет');
  expect(text).toContain('p\\u0430ypal\\ud800');
  expect(text).toContain('Grüße 👍');
  expect(JSON.parse(text)).toEqual(value);
});

test('JSON as code is marked as everything else, whatever JSON would escape', () => {
  const value = { '\u001b': ['\b\f\r\n\t"\\', String.raw`\u001b`, '\ud800', '\nПривет'] };
  expect(toVisible(toJsonText(value), 'code')).toBe(
    String.raw`{"[U+001B]":["[U+0008][U+000C][U+000D]\n\t\"\\","\\u001b","[U+D800]","\nПривет"]}`,
  );
  expect(toJsonText({ a: 1 }, 2)).toBe('{\n  "a": 1\n}');
});
