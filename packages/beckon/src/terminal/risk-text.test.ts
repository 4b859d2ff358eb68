import fc from 'fast-check';
import stringWidth from 'fast-string-width';
import { describe, expect, test } from 'vitest';
import type { Finding } from '../protocol/risk.ts';
import { layOut } from './line.ts';
import { describeFindings, describeMarked } from './risk-text.ts';

const plain = (text: string): string => text;
const FORCE = 'Rewrites what others may have pulled.';

function find(text: string, words: string, sentence = FORCE, level: Finding['level'] = 'dangerous'): Finding {
  const start = text.indexOf(words);
  return { code: 'c', level, sentence, place: { path: ['command'], start, end: start + words.length } };
}

function show(command: string, columns: number, ...findings: Finding[]): string[] {
  const marking = { path: ['command'], findings, paint: plain, columns };
  return layOut(
    describeMarked(command, (index) => (index === 0 ? '$ ' : '| '), marking),
    columns,
  );
}

describe('a finding is under the words that it is about', () => {
  test('with its reason beside the marks', () => {
    const command = 'git push --force origin HEAD:main';
    expect(show(command, 80, find(command, '--force'))).toEqual([
      '$ git push --force origin HEAD:main',
      '           ‾‾‾‾‾‾‾ rewrites what others may have pulled',
    ]);
  });

  test('below them where there is no room beside', () => {
    const command = 'cd /srv/shop && git push --force';
    expect(show(command, 60, find(command, '--force'))).toEqual([
      '$ cd /srv/shop && git push --force',
      '                           ‾‾‾‾‾‾‾',
      '               --force: rewrites what others may have pulled',
    ]);
  });

  test('each with its own, the last one beside', () => {
    const command = 'sudo git push --force';
    const root = find(command, 'sudo', 'Runs as root.', 'notable');
    expect(show(command, 80, root, find(command, '--force'))).toEqual([
      '$ sudo git push --force',
      '  ‾‾‾‾          ‾‾‾‾‾‾‾ rewrites what others may have pulled',
      '  runs as root',
    ]);
  });

  test('all of those about the same words', () => {
    const command = 'git push --force';
    const other = find(command, command, 'Changes the main branch.', 'notable');
    expect(show(command, 80, find(command, command), other)).toEqual([
      '$ git push --force',
      '  ‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾ rewrites what others may have pulled',
      '  changes the main branch',
    ]);
  });

  test('where the text is broken into rows, with the reason after the last of them', () => {
    const command = 'echo one two three && rm -rf /srv/shop/data';
    expect(show(command, 26, find(command, 'rm -rf /srv/shop/data', 'Deletes.'))).toEqual([
      '$ echo one two three && rm',
      '                        ‾‾',
      '   -rf /srv/shop/data',
      '  ‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾',
      '  deletes',
    ]);
  });

  test('after wide characters and hidden ones', () => {
    const command = 'echo 日本 \u202e&& rm -rf x';
    expect(show(command, 80, find(command, 'rm -rf', 'Deletes.'))).toEqual([
      '$ echo 日本 [U+202E]&& rm -rf x',
      `${' '.repeat(2 + stringWidth('echo 日本 [U+202E]&& '))}‾‾‾‾‾‾ deletes`,
    ]);
  });

  test('under the right line of several', () => {
    const command = 'ls\n\trm -rf x\nls';
    expect(show(command, 80, find(command, 'rm -rf', 'Deletes.'))).toEqual([
      '$ ls',
      '|   rm -rf x',
      '    ‾‾‾‾‾‾ deletes',
      '| ls',
    ]);
  });

  test('a reason that is wider than the screen is broken', () => {
    const rows = show('rm -rf x', 24, find('rm -rf x', 'rm', 'Deletes all of it without asking anybody at all.'));
    expect(rows.slice(0, 2)).toEqual(['$ rm -rf x', '  ‾‾']);
    expect(rows.slice(2).join(' ').replaceAll(/\s+/g, ' ').trim()).toBe(
      'rm: deletes all of it without asking anybody at all',
    );
  });
});

test('whatever is marked, no row is wider than the screen, and the text is whole', () => {
  const word = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.constantFrom('日本語', 'rm', '\t', '\u202e', ' '),
  );
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 20 }),
      fc.array(fc.tuple(fc.nat(80), fc.nat(20)), { maxLength: 4 }),
      fc.integer({ min: 40, max: 130 }),
      (words, places, columns) => {
        const command = words.join(' ').replaceAll(/[\r\n]/g, '');
        const findings = places.map(([start, length], index): Finding => {
          const place = { path: ['command'], start, end: start + length };
          return { code: `c${index}`, level: 'notable', sentence: FORCE, place };
        });
        const rows = show(command, columns, ...findings);
        for (const row of rows) expect(stringWidth(row)).toBeLessThanOrEqual(columns);
        // Without the marks, the rows are what they would be without findings.
        const rest = rows.values();
        for (const row of show(command, columns)) expect([...takeUntil(rest, row)]).toContain(row);
      },
    ),
  );
});

function* takeUntil(rows: Iterator<string>, wanted: string): Generator<string> {
  for (let next = rows.next(); next.done !== true; next = rows.next()) {
    yield next.value;
    if (next.value === wanted) return;
  }
}

test('every finding is named with its level and its words', () => {
  const command = `git push --force ${'x'.repeat(100)}`;
  const nested: Finding = {
    ...find(command, 'git'),
    level: 'notable',
    sentence: 'Holds a secret.',
    place: { path: ['edits', '0', 'new_string'], start: 0, end: 3 },
  };
  const nowhere: Finding = { code: 'c', level: 'notable', sentence: 'SQL.' };
  const gone: Finding = { ...nested, place: { path: ['edits', '0', 'none', 'more'], start: 0, end: 1 } };
  const findings = [find(command, '--force'), nested, nowhere, gone];
  const input = { command, edits: [{ new_string: 'key' }] };
  const risk = { level: 'dangerous', findings } as const;
  expect(
    layOut(
      describeFindings(risk, input, plain, ([name]) => name === 'command'),
      200,
    ),
  ).toContain('⚠ Dangerous  rewrites what others may have pulled');
  const lines = describeFindings(risk, input, plain, () => false);
  expect(layOut(lines, 200)).toEqual([
    '⚠ Dangerous  rewrites what others may have pulled: --force',
    '△ Notable  holds a secret: key',
    '△ Notable  SQL',
    '△ Notable  holds a secret',
  ]);
});
