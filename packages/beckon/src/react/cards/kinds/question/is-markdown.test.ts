import { expect, test } from 'vitest';
import { isMarkdown } from './is-markdown.ts';

test.each([
  ['a fence', '```ts\nconst a = 1;\n```'],
  ['a drawing in a fence', '```\n┌──┐\n└──┘\n```\nThe box'],
  ['a heading', '# One file'],
  ['a list', 'Pros:\n- fast\n- small'],
  ['a table', '| a | b |\n|---|---|'],
  ['bold text', 'It is **fast**'],
  ['code', 'Run `npm test`'],
])('%s is formatted', (_, text) => {
  expect(isMarkdown(text)).toBe(true);
});

test.each([
  ['plain words', 'one file'],
  ['a drawing', '┌────┐\n│ OK │\n└────┘'],
  ['a drawing beside a list', '- a\n┌──┐\n└──┘'],
  ['a box of ASCII', '+----+\n  OK  \n+----+'],
  ['nothing', ''],
])('%s is shown as written', (_, text) => {
  expect(isMarkdown(text)).toBe(false);
});

test('a long line takes no time', () => {
  const start = performance.now();
  isMarkdown(`${'|'.repeat(50_000)}${'`'.repeat(50_000)}${'> '.repeat(50_000)}`);
  expect(performance.now() - start).toBeLessThan(500);
});
