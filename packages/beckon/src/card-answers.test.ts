import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readSources } from '../../../tests/harness/imports.ts';

const sources = readSources(fileURLToPath(new URL('react/cards', import.meta.url)));

test('every answer of a card comes through the one place that asks the guard', () => {
  expect(findCallers(/consent\.(?:decide|prepare|confirm)\(/)).toEqual(['answering/use-press-check.ts']);
  const hooks = ['answering/use-answering.ts', 'answering/use-group-answering.ts'];
  expect(findCallers(/(?<!function )usePressCheck\(/)).toEqual(hooks);
  expect(findCallers(/(?<!function )checkAnswer\(/)).toEqual(['answering/use-answering.ts']);
  expect(findCallers(/sender\.send\(/)).toEqual(hooks);
  // What sends asks nobody, so only a card may call what it was given, and only an inbox gives it.
  expect(findCallers(/beckon\.answer\(/)).toEqual(['live/use-answer.ts']);
  expect(findCallers(/(?<!function )useAnswer\(/)).toEqual(['inbox/open-request.tsx']);
  expect(findCallers(/beckon\.answerGroup\(/)).toEqual(['inbox/open-request.tsx']);
});

function findCallers(call: RegExp): string[] {
  return Object.entries(sources)
    .filter(([file, source]) => !file.endsWith('.test.ts') && call.test(source.replaceAll(/^ \*.*$/gm, '')))
    .map(([file]) => file);
}
