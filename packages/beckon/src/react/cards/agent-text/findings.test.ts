import { expect, test } from 'vitest';
import type { Finding } from '../../../protocol/index.ts';
import { cutLayer, toFindingLayer, toFoundWords, toRiskyLines } from './findings.ts';

function find(path: string[], start: number, end: number): Finding {
  return { code: 'x', level: 'dangerous', sentence: 'It is risky.', place: { path, start, end } };
}

const plain = (finding: Finding) => ({ finding, isPointed: false });

test('a finding over two lines is marked in both, from where each line begins', () => {
  const finding = find(['command'], 3, 9);
  const layer = toFindingLayer('ab cde\nfgh i', ['command'], [finding], null);
  expect(cutLayer(layer, 0, 6)).toEqual([
    [3, null],
    [3, plain(finding)],
  ]);
  expect(cutLayer(layer, 7, 12)).toEqual([
    [2, plain(finding)],
    [3, null],
  ]);
  expect(cutLayer(layer, 10, 12)).toBeUndefined();
  expect(cutLayer(undefined, 0, 6)).toBeUndefined();
  expect(toFindingLayer('ab', ['command'], [], null)).toBeUndefined();
  expect(toFindingLayer('ab', ['other'], [finding], null)).toBeUndefined();
});

test('what is pointed at is found inside the words of a graver finding', () => {
  const grave = find(['command'], 0, 9);
  const inside = find(['command'], 4, 6);
  expect(toFindingLayer('0123456789', ['command'], [grave, inside], inside)).toEqual([
    [4, plain(grave)],
    [2, { finding: grave, isPointed: true }],
    [3, plain(grave)],
    [1, null],
  ]);
});

test('the words of a finding are those of the text that its path leads to', () => {
  const input = { edits: [{ new_string: 'one two' }], constructor: 'own' };
  expect(toFoundWords(find(['edits', '0', 'new_string'], 4, 7), input)).toBe('two');
  expect(toFoundWords(find(['edits', '1', 'new_string'], 4, 7), input)).toBeUndefined();
  expect(toFoundWords(find(['toString'], 0, 7), input)).toBeUndefined();
  expect(toFoundWords(find(['constructor'], 0, 3), input)).toBe('own');
});

test('risky lines are known by their text, those of a patch also without their sign', () => {
  const content = find(['content'], 6, 9);
  const patch = find(['patch'], 8, 13);
  const input = { content: 'plain\nbad\r\n', patch: '+fine\n+ so bad\n' };
  const lines = toRiskyLines({ input, findings: [content, patch], pointed: null });
  expect(lines.get('bad')).toEqual([
    [3, plain(content)],
    [1, null],
  ]);
  expect(lines.get(' so bad')).toEqual([
    [1, null],
    [5, plain(patch)],
    [1, null],
  ]);
  expect(lines.has('plain')).toBe(false);
});
