import { expect, test } from 'vitest';
import type { Finding } from '../protocol/risk.ts';
import { markFindings } from './mark-findings.ts';

function found(code: string, start: number, end: number, path = ['command']): Finding {
  return { code, level: 'notable', sentence: 'Something.', place: { path, start, end } };
}

function draw(text: string, findings: readonly Finding[], path = ['command']): string {
  return markFindings(text, path, findings)
    .map((piece) => (piece.finding === undefined ? piece.text : `[${piece.finding.code}:${piece.text}]`))
    .join('');
}

test.each([
  ['nothing was found', [], 'rm -rf x'],
  ['a part in the middle', [found('a', 3, 6)], 'rm [a:-rf] x'],
  ['the whole text', [found('a', 0, 8)], '[a:rm -rf x]'],
  ['two parts, the later one first', [found('b', 7, 8), found('a', 0, 2)], '[a:rm] -rf [b:x]'],
  ['two that overlap', [found('a', 0, 6), found('b', 3, 8)], '[a:rm -rf][b: x]'],
  ['one inside the other', [found('a', 0, 6), found('b', 3, 6)], '[a:rm -rf] x'],
  ['a graver one inside the other', [found('a', 3, 6), found('b', 0, 8)], '[b:rm ][a:-rf][b: x]'],
  ['two at the same place', [found('a', 3, 6), found('b', 3, 6)], 'rm [a:-rf] x'],
  ['a part before the text', [found('a', -3, 2)], '[a:rm] -rf x'],
  ['a part that goes beyond the text', [found('a', 7, 99)], 'rm -rf [a:x]'],
  ['a part of another text', [found('a', 0, 2, ['file_path']), found('b', 0, 2, ['command', '2'])], 'rm -rf x'],
  ['a finding without a place', [{ code: 'c', level: 'notable' as const, sentence: 'Something.' }], 'rm -rf x'],
])('%s', (_, findings, drawn) => {
  expect(draw('rm -rf x', findings)).toBe(drawn);
});
