import stringWidth from 'fast-string-width';
import { expect, test } from 'vitest';
import { fitTable, formatTable } from './table.ts';

const HEAD = ['ID', 'STATUS', 'KIND', 'ASKED', 'WHAT'];
const SPARE = ['ASKED', 'KIND', 'STATUS'];
const ROWS = [
  ['int_01a1e314', 'pending', 'question', '06:39:16', 'Which database shall the tests use, SQLite or 日本語?'],
  ['int_01a1e315', 'pending', 'approval', '06:39:17', 'Bash'],
];

test('what fits stays as it is', () => {
  expect(fitTable({ head: HEAD, rows: ROWS }, 120, SPARE)).toEqual({ head: HEAD, rows: ROWS });
});

test('the last column is cut, then columns are left out: first those that say the same in every row', () => {
  const { head, rows } = fitTable({ head: HEAD, rows: ROWS }, 70, SPARE);
  expect(head).toEqual(HEAD);
  expect(rows.map((row) => row.at(-1))).toEqual(['Which database shall the t…', 'Bash']);
  expect(fitTable({ head: HEAD, rows: ROWS }, 60, SPARE).head).toEqual(['ID', 'KIND', 'ASKED', 'WHAT']);
  expect(fitTable({ head: HEAD, rows: ROWS }, 50, SPARE).head).toEqual(['ID', 'KIND', 'WHAT']);
  expect(fitTable({ head: HEAD, rows: ROWS }, 36, SPARE).head).toEqual(['ID', 'WHAT']);
});

test.each([36, 40, 60, 80, 100])('no line is longer than %i columns', (columns) => {
  const { head, rows } = fitTable({ head: HEAD, rows: ROWS }, columns, SPARE);
  for (const line of formatTable(head, rows).split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
});
