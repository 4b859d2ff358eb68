import { expect, test } from 'vitest';
import { readWords, toWordsText } from './words-text.ts';

test.each([
  ['npm test …', [{ words: ['npm', 'test'], rest: 'any' }]],
  ['npm test', [{ words: ['npm', 'test'], rest: 'none' }]],
  [
    'npm test …\ngit status',
    [
      { words: ['npm', 'test'], rest: 'any' },
      { words: ['git', 'status'], rest: 'none' },
    ],
  ],
  ['git {push|fetch} …', [{ words: ['git', ['push', 'fetch']], rest: 'any' }]],
  [
    `echo 'two words' 'it'\\''s' '*' '…' '...'`,
    [{ words: ['echo', 'two words', "it's", '*', '…', '...'], rest: 'none' }],
  ],
  [`printf '' '{a|b}'`, [{ words: ['printf', '', '{a|b}'], rest: 'none' }]],
] as const)('%s is written and read the same', (text, commands) => {
  const parsed = readWords(text);
  expect(parsed).toEqual(commands);
  expect(toWordsText(parsed)).toBe(text);
});

test.each([
  ['npm test *', [{ words: ['npm', 'test'], rest: 'any' }]],
  ['  npm   test   ...  ', [{ words: ['npm', 'test'], rest: 'any' }]],
  ['echo "two words"', [{ words: ['echo', 'two words'], rest: 'none' }]],
  ['\n\n \n', []],
  ['…', []],
] as const)('what people type is understood: %s', (text, commands) => {
  expect(readWords(text)).toEqual(commands);
});
