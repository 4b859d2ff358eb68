import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ContextFile } from '../protocol/context.ts';
import type { JsonObject } from '../protocol/json.ts';
import { type DiffLine, toLines, toRaw } from './diff-line.ts';
import { compare, type FileDiff, toFileDiffs, toOtherFields } from './file-diff.ts';

const PATH = '/shop/total.ts';

function file(text: string, path = PATH): ContextFile {
  const lines = toLines(text).length;
  return { path, sha256: hash(text), lines, before: text === '' ? [] : [{ line: 1, text }] };
}

function pieces(whole: string, ...ranges: (readonly [number, number])[]): ContextFile {
  const all = whole.split('\n');
  const before = ranges.map(([from, to]) => ({ line: from, text: all.slice(from - 1, to).join('\n') }));
  return { path: PATH, sha256: hash(whole), lines: toLines(whole).length, before };
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function only(tool: string, input: JsonObject, ...files: ContextFile[]): FileDiff {
  const diffs = toFileDiffs({ tool, input }, files);
  expect(diffs).toHaveLength(1);
  return diffs[0] as FileDiff;
}

function edit(before: string, after: string, more: JsonObject = {}): JsonObject {
  return { file_path: PATH, old_string: before, new_string: after, ...more };
}

/** A diff as text: `12 13 same`, `12 -gone`, `13 +{new} word`. */
function draw(lines: readonly DiffLine[]): string[] {
  return lines.map(({ kind, before, after, text, words, end }) => {
    const marked = words?.map((word) => (word.changed ? `{${word.text}}` : word.text)).join('') ?? text;
    const sign = { same: ' ', added: '+', removed: '-' }[kind];
    return `${[before, after].filter((number) => number !== undefined).join(' ')} ${sign}${marked}${end ? ` <${end}>` : ''}`;
  });
}

function drawAll({ hunks }: FileDiff): string[] {
  return hunks.flatMap(({ lines }) => draw(lines));
}

/** What a side of known lines says. */
function toSide(lines: readonly DiffLine[], other: DiffLine['kind']): string {
  return lines
    .filter(({ kind }) => kind !== other)
    .map(toRaw)
    .join('');
}

function allLines({ hunks }: Pick<FileDiff, 'hunks'>): DiffLine[] {
  return hunks.flatMap(({ above, lines, below }) => [...above, ...lines, ...below]);
}

const NUMBERED = Array.from({ length: 200 }, (_, index) => `line ${index + 1}`)
  .join('\n')
  .concat('\n');

test('an edit of a known file has the line numbers of the file and ten lines around it', () => {
  const diff = only('Edit', edit('line 100\n', 'line 1000\n'), file(NUMBERED));
  expect(diff).toMatchObject({ path: PATH, state: 'edited', added: 1, removed: 1, notes: [], isOnlySpace: false });
  expect(diff.hunks).toHaveLength(1);
  const [hunk] = diff.hunks;
  expect(hunk?.isPlaced).toBe(true);
  expect(draw(hunk?.lines ?? [])[0]).toBe('90 90  line 90');
  expect(draw(hunk?.lines ?? []).slice(10, 12)).toEqual(['100 -line {100}', '100 +line {1000}']);
  expect(draw(hunk?.lines ?? []).at(-1)).toBe('110 110  line 110');
  expect([hunk?.above.length, hunk?.below.length]).toEqual([89, 90]);
});

test('an edit of a file of which a part is known is placed by the numbers of the part', () => {
  const diff = only('Edit', edit('line 100', 'x\ny'), pieces(NUMBERED, [40, 160]));
  expect(draw(diff.hunks[0]?.lines ?? []).slice(10, 14)).toEqual([
    '100 -line 100',
    '100 +x',
    '101 +y',
    '101 102  line 101',
  ]);
  expect(allLines(only('Edit', edit('line 200', 'end'), pieces(NUMBERED, [140, 200]))).at(-1)?.end).toBeUndefined();
  expect(diff.hunks[0]?.above[0]?.before).toBe(40);
  expect(diff.hunks[0]?.below.at(-1)?.before).toBe(160);
});

test('changes far from each other are two hunks, and the lines between them are above the second', () => {
  const edits = [
    { old_string: 'line 20\n', new_string: '' },
    { old_string: 'line 150\n', new_string: 'line 150\nline 150 and a half\n' },
  ];
  const diff = only('MultiEdit', { file_path: PATH, edits }, file(NUMBERED));
  expect(diff.hunks.map(({ above, below }) => [above.length, below.length])).toEqual([
    [9, 0],
    [110, 40],
  ]);
  expect(draw(diff.hunks[1]?.lines ?? []).slice(9, 11)).toEqual(['150 149  line 150', '150 +line 150 and a half']);
});

test('the edits of one call build on each other', () => {
  const edits = [
    { old_string: 'a', new_string: 'b' },
    { old_string: 'b', new_string: 'c' },
  ];
  expect(drawAll(only('MultiEdit', { file_path: PATH, edits }, file('a\n')))).toEqual(['1 -a', '1 +c']);
});

test('without the file, an edit is shown by itself and its state is unknown', () => {
  const diff = only('Edit', edit('const a = 1;', 'const a = 2;'));
  expect(diff).toMatchObject({ state: 'unknown before', notes: [] });
  expect(diff.hunks[0]?.isPlaced).toBe(false);
  expect(drawAll(diff)).toEqual(['1 -const a = {1};', '1 +const a = {2};']);
});

test('a text that is not in the file is shown without a place, with a remark', () => {
  const diff = only('Edit', edit('nowhere', 'somewhere'), file(NUMBERED));
  expect(diff.notes).toEqual([expect.stringContaining('is not in the file')]);
  expect(diff.hunks[0]?.isPlaced).toBe(false);
});

test('a text that is not in the known part may be elsewhere', () => {
  const diff = only('Edit', edit('line 3\n', ''), pieces(NUMBERED, [40, 160]));
  expect(diff.notes).toEqual([expect.stringContaining('not in the part of the file')]);
});

test('a text that occurs several times is not placed; the remark names the lines', () => {
  const diff = only('Edit', edit('same', 'other'), file('same\nx\nsame\n'));
  expect(diff.notes).toEqual([expect.stringContaining('occurs 2 times (lines 1, 3)')]);
  expect(diff.hunks[0]?.isPlaced).toBe(false);
});

test('replace_all changes every occurrence, and says how many', () => {
  const all = edit('same', 'other', { replace_all: true });
  const diff = only('Edit', all, file('same\nx\nsame\n'));
  expect(drawAll(diff)).toEqual(['1 -same', '1 +other', '2 2  x', '3 -same', '3 +other']);
  expect(diff.notes).toEqual(['Replaces every occurrence: there are 2.']);
  expect(only('Edit', all).notes).toEqual([expect.stringContaining('not known')]);
  expect(only('Edit', all, pieces(`same\n${NUMBERED}`, [1, 20])).notes).toEqual([
    expect.stringContaining('perhaps more'),
  ]);
});

test('an edit of a file that is not there says so', () => {
  const diff = only('Edit', edit('a', 'b'), { path: PATH, sha256: null });
  expect(diff).toMatchObject({ state: 'edited', notes: [expect.stringContaining('no such file')] });
});

test('a new file is new, an existing one is overwritten and compared, an unknown one is unknown', () => {
  const input = { file_path: PATH, content: 'a\nc\n' };
  expect(only('Write', input, { path: PATH, sha256: null })).toMatchObject({ state: 'new', added: 2, notes: [] });
  const overwritten = only('Write', input, file('a\nb\n'));
  expect(overwritten.state).toBe('overwritten');
  expect(drawAll(overwritten)).toEqual(['1 1  a', '2 -b', '2 +c']);
  const unknown = only('Write', input);
  expect(unknown).toMatchObject({ state: 'unknown before', added: 2, notes: [expect.stringContaining('not known')] });
});

test('a file whose content did not come along is overwritten, with the reason', () => {
  const binary = only(
    'Write',
    { file_path: PATH, content: 'x' },
    { path: PATH, sha256: hash(''), why: 'binary\u202e' },
  );
  expect(binary.state).toBe('overwritten');
  expect(binary.notes).toEqual(['What the file holds now is not shown here: binary[U+202E].']);
  const part = only('Write', { file_path: PATH, content: 'x' }, pieces(NUMBERED, [1, 20]));
  expect(part.notes).toEqual([expect.stringContaining('Only a part')]);
});

test('an edit with an empty old text creates a file; one that exists is overwritten, with a remark', () => {
  expect(only('Edit', edit('', 'a\n'), { path: PATH, sha256: null })).toMatchObject({ state: 'new', added: 1 });
  expect(only('Edit', edit('', 'a\n'), file('')).notes).toEqual([]);
  expect(only('Edit', edit('', 'a\n'), file('b\n'))).toMatchObject({
    state: 'overwritten',
    notes: [expect.stringContaining('already exists')],
  });
});

test('edits after one that creates the file change what it creates', () => {
  const edits = [
    { old_string: '', new_string: 'one\ntwo\n' },
    { old_string: 'two', new_string: 'three' },
  ];
  const diff = only('MultiEdit', { file_path: PATH, edits }, { path: PATH, sha256: null });
  expect(drawAll(diff)).toEqual(['1 +one', '2 +three']);
});

test('line ends are part of a line, and a missing one at the end is marked', () => {
  const diff = only('Write', { file_path: PATH, content: 'a\nb' }, file('a\r\nb\n'));
  expect(drawAll(diff)).toEqual(['1 -a <crlf>', '2 -b', '1 +a', '2 +b <none>']);
  expect(diff.isOnlySpace).toBe(true);
});

test('an edit in a file with CRLF finds its text and keeps the line ends', () => {
  const diff = only('Edit', edit('a\nb', 'a\nc'), file('a\r\nb\r\n'));
  expect(drawAll(diff)).toEqual(['1 1  a <crlf>', '2 -b <crlf>', '2 +c <crlf>']);
  expect(diff.notes).toEqual([expect.stringContaining('CRLF')]);
});

test('a change of spaces alone is known as one, with the spaces marked', () => {
  const diff = only('Edit', edit('  a = b', '\ta = b'), file('  a = b\n'));
  expect(diff.isOnlySpace).toBe(true);
  expect(drawAll(diff)).toEqual(['1 -{  }a = b', '1 +{\t}a = b']);
});

test('a fragment that ends in the middle of a line says nothing about the end of its file', () => {
  expect(drawAll(only('Edit', edit('a', 'b')))).toEqual(['1 -a', '1 +b']);
  expect(drawAll(only('Edit', edit('a\n', 'a')))).toEqual(['1 -a', '1 +a <none>']);
});

test('an edit that changes nothing has no hunk', () => {
  expect(only('Edit', edit('a', 'a'), file('a\n'))).toMatchObject({
    hunks: [],
    added: 0,
    removed: 0,
    isOnlySpace: false,
  });
});

test('a path of a patch is found in the folder of the context, if only one fits', () => {
  const patch = '*** Begin Patch\n*** Update File: src/a.ts\n@@\n-a\n+b\n*** End Patch';
  const run = (...files: ContextFile[]): FileDiff => only('apply_patch', { command: patch }, ...files);
  expect(run(file('a\n', '/x/src/a.ts'))).toMatchObject({ path: 'src/a.ts', state: 'edited' });
  expect(run(file('a\n', '/x/src/a.ts'), file('a\n', '/y/src/a.ts')).state).toBe('unknown before');
});

test('a notebook’s cell is compared with what it holds', () => {
  const cells = [
    { cell_type: 'code', id: 'c1', source: ['import os\n', 'print(1)'] },
    { cell_type: 'code', id: 'c2', source: 'x = 1' },
  ];
  const notebook = file(JSON.stringify({ cells }), '/n.ipynb');
  const run = (input: JsonObject, ...files: ContextFile[]): FileDiff =>
    only('NotebookEdit', { notebook_path: '/n.ipynb', ...input }, ...files);
  const replaced = run({ cell_id: 'c1', new_source: 'import os\nprint(2)' }, notebook);
  expect(replaced).toMatchObject({ state: 'edited', notes: [] });
  expect(replaced.hunks[0]?.title).toBe('Cell c1');
  expect(drawAll(replaced)).toEqual(['1 1  import os', '2 -print({1})', '2 +print({2})']);
  expect(drawAll(run({ cell_id: 'cell-1', new_source: 'x = 2' }, notebook))).toEqual(['1 -x = {1}', '1 +x = {2}']);
  expect(drawAll(run({ new_source: '', edit_mode: 'delete', cell_id: 'c2' }, notebook))).toEqual(['1 -x = 1']);
  const inserted = run({ cell_id: 'c2', edit_mode: 'insert', new_source: 'y' }, notebook);
  expect(inserted.hunks[0]?.title).toBe('New cell after c2');
  expect(run({ edit_mode: 'insert', new_source: 'y' }).hunks[0]?.title).toBe('New cell at the beginning');
  expect(run({ cell_id: 'c9', new_source: 'y' }, notebook).notes).toEqual([expect.stringContaining('no such cell')]);
  expect(run({ cell_id: 'c1', new_source: 'y' }).notes).toEqual([expect.stringContaining('not known')]);
  const part = { path: '/n.ipynb', sha256: hash(''), before: [{ line: 1, text: 'x = 1' }] };
  expect(drawAll(run({ cell_id: 'c1', new_source: 'x = 2' }, part))).toEqual(['1 -x = {1}', '1 +x = {2}']);
  expect(run({ cell_id: 'c1', new_source: 'y' }, file('{', '/n.ipynb')).notes).toEqual([
    expect.stringContaining('not known'),
  ]);
});

test('what a diff does not say is kept', () => {
  expect(toOtherFields({ tool: 'Write', input: { file_path: '/a', content: '', mode: '0777' } })).toEqual({
    mode: '0777',
  });
  const edits = [{ old_string: 'a', new_string: 'b', also: 'run' }];
  expect(toOtherFields({ tool: 'MultiEdit', input: { file_path: '/a', edits } })).toEqual({ edits });
  const cell = { notebook_path: '/n', new_source: '', cell_type: 'code' };
  expect(toOtherFields({ tool: 'NotebookEdit', input: cell })).toEqual({ cell_type: 'code' });
  expect(toOtherFields({ tool: 'Bash', input: { command: 'ls' } })).toEqual({ command: 'ls' });
});

test.each([
  ['another tool', 'Bash', { file_path: '/a', content: '' }],
  ['no path', 'Write', { content: '' }],
  ['a path that is inherited', 'Write', Object.create({ file_path: '/a', content: '' }) as JsonObject],
  ['content that is no text', 'Write', { file_path: '/a', content: { toString: 'x' } }],
  ['a flag that is no flag', 'Edit', { file_path: '/a', old_string: 'a', new_string: 'b', replace_all: 'no' }],
  ['an edit that is no object', 'MultiEdit', { file_path: '/a', edits: ['x'] }],
  ['no edits', 'MultiEdit', { file_path: '/a', edits: [] }],
  ['an unknown mode', 'NotebookEdit', { notebook_path: '/a', new_source: '', edit_mode: 'burn' }],
  ['a patch that is none', 'apply_patch', { command: 'rm -rf /' }],
  ['no patch', 'apply_patch', {}],
])('%s is not drawn as a diff', (_, tool, input) => {
  expect(toFileDiffs({ tool, input })).toEqual([]);
});

test('pieces that overlap or are empty are left out', () => {
  const lying: ContextFile = {
    path: PATH,
    sha256: hash(''),
    lines: 9,
    before: [
      { line: 3, text: 'c\nd' },
      { line: 4, text: 'again d' },
      { line: 9, text: '' },
      { line: 8, text: 'h' },
    ],
  };
  const diff = only('Edit', edit('h', 'H'), lying);
  expect(allLines(diff).map(({ text }) => text)).toEqual(['h', 'H']);
  expect(only('Edit', edit('again', 'x'), lying).notes).toHaveLength(1);
});

test('a file whose secrets are masked says so, and does not pretend to know that a text is missing', () => {
  const masked = file('key = …(masked)\nport = 80\n');
  expect(only('Edit', edit('80', '81'), masked).notes).toEqual([expect.stringContaining('may look changed')]);
  expect(only('Edit', edit('key = abc', 'key = def'), masked).notes[0]).toContain('was not found');
});

test('a path that leads to another file says which', () => {
  const link = { ...file('a\n'), target: '/etc/hosts' };
  expect(only('Edit', edit('a', 'b'), link).notes).toEqual([expect.stringContaining('changes is /etc/hosts.')]);
});

test('a replacement that would fill the memory is not carried out', () => {
  const text = 'a'.repeat(60_000);
  const diff = only('Edit', edit('a', 'b'.repeat(100_000), { replace_all: true }), file(text));
  expect(diff.notes).toEqual([expect.stringContaining('too large')]);
});

test('texts that have nothing in common are one replacing the other, without a search for what they share', () => {
  const lines = (word: string): string => Array.from({ length: 20_000 }, (_, at) => `${word}${at % 7}${at}\n`).join('');
  const diff = only('Write', { file_path: PATH, content: lines('b') }, file(lines('a')));
  expect(diff).toMatchObject({ added: 20_000, removed: 20_000 });
});

test('a thousand hostile edits share the time of one', () => {
  const word = (letter: string, at: number): string =>
    Array.from({ length: 300 }, (_, n) => `${letter}${n}${at}`).join('\n');
  const edits = Array.from({ length: 300 }, (_, at) => ({ old_string: word('a', at), new_string: word('b', at) }));
  const diff = only('MultiEdit', { file_path: PATH, edits });
  expect(diff).toMatchObject({ added: 90_000, removed: 90_000 });
});

const fragment = fc.array(fc.constantFrom('a', 'b', ' ', '\t', '\n', '\r\n', 'word ', 'é', '{', '\r'), {
  maxLength: 40,
});

test('the lines of a diff are the text before on one side and the text after on the other', () => {
  fc.assert(
    fc.property(fragment, fragment, (one, other) => {
      const [before, after] = [one.join(''), other.join('')];
      fc.pre(before !== after);
      const lines = allLines(compare(before, after));
      expect(toSide(lines, 'added')).toBe(before);
      expect(toSide(lines, 'removed')).toBe(after);
      for (const { text, words } of lines) expect(words?.map((word) => word.text).join('') ?? text).toBe(text);
    }),
  );
});

test('an edit whose text occurs once shows the file as the tool would leave it, with rising numbers', () => {
  fc.assert(
    fc.property(fragment, fragment, fragment, fragment, (top, old, fresh, bottom) => {
      const needle = `<${old.join('')}>`;
      const [before, after] = [needle, fresh.join('')].map((text) => top.join('') + text + bottom.join(''));
      fc.pre(before !== undefined && after !== undefined && before.split(needle).length === 2 && before !== after);
      const lines = allLines(only('Edit', edit(needle, fresh.join('')), file(before ?? '')));
      expect(toSide(lines, 'added')).toBe(before);
      expect(toSide(lines, 'removed')).toBe(after);
      const numbers = lines.flatMap(({ before: number }) => number ?? []);
      expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    }),
  );
});
