import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutText } from '../shared/cut-text.ts';
import type { Piece } from '../shared/piece.ts';
import { toMessages } from './split.ts';

const character = fc.constantFrom('a', 'b', ' ', '\n', '👍', 'é');
const piece: fc.Arbitrary<Piece> = fc.record(
  { text: fc.string({ unit: character, maxLength: 60 }), style: fc.constantFrom('bold' as const, 'pre' as const) },
  { requiredKeys: ['text'] },
);

test('messages fit, are whole characters, lose nothing but blanks, and have their styles inside', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), fc.integer({ min: 2, max: 30 }), (pieces, most) => {
      const messages = toMessages(pieces, most);
      const words = (text: string): string => text.replaceAll(/\s/g, '');
      expect(words(messages.map(({ text }) => text).join(''))).toBe(words(pieces.map(({ text }) => text).join('')));
      for (const { text, entities } of messages) {
        expect(text.length).toBeLessThanOrEqual(most);
        expect(text.isWellFormed()).toBe(true);
        for (const { offset, length } of entities) expect(offset + length).toBeLessThanOrEqual(text.length);
      }
    }),
    { numRuns: 2000 },
  );
});

test('a line goes to the next message as a whole', () => {
  expect(toMessages([{ text: 'one two\nthree four\nfive' }], 19).map(({ text }) => text)).toEqual([
    'one two\nthree four\n',
    'five',
  ]);
});

test('a text that is cut says so, and keeps whole characters', () => {
  expect(cutText('short', 5)).toBe('short');
  expect(cutText('👍'.repeat(10), 15)).toBe('👍👍👍 … (cut)');
});

test('a mark of what cannot be seen is never cut in two', () => {
  const text = `${'a'.repeat(20)}[U+202E][U+200B ×500]${'b'.repeat(20)}`;
  for (let most = 20; most < 80; most += 1) {
    const parts = [cutText(text, most), ...toMessages([{ text }], most).map((message) => message.text)];
    for (const part of parts) expect(part.replaceAll(/\[U\+[0-9A-F]{4}(?: ×\d+)?\]/g, '')).not.toMatch(/[[\]U]/);
  }
  // A message has room for little, and what only looks like the start of a mark is text.
  expect(toMessages([{ text: '[U+202E]' }], 4).map((message) => message.text)).toEqual(['[U+2', '02E]']);
  expect(cutText('list[U][U+zz and more and more', 16)).toBe('list[U][ … (cut)');
});
