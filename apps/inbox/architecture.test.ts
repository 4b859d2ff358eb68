import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';

const source = fileURLToPath(new URL('src', import.meta.url));
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));

test('the page knows the daemon only by its client, its protocol and its words', () => {
  const beckon = files.flatMap((file) => findModules(file).filter((module) => /^beckon(\/|$)/.test(module)));
  expect(beckon.length).toBeGreaterThan(10);
  expect(
    beckon.filter((module) => !/^beckon\/(client|presentation|protocol|react|react\/style\.css)$/.test(module)),
  ).toEqual([]);
});

test('no file reaches out of the page', () => {
  const outside = files.flatMap((file) => {
    const depth = file.split(/[\\/]/).length;
    return findModules(file).filter((module) => module.startsWith('../'.repeat(depth)));
  });
  expect(outside).toEqual([]);
});

test('the forms of the kinds know no view', () => {
  const forms = files.filter((file) => /^(kinds|markdown)[\\/]/.test(file));
  expect(forms.flatMap(findModules).filter((module) => /\/(views|live|notify)\//.test(module))).toEqual([]);
});

test('every answer of the page comes through the one place that asks the guard', () => {
  expect(findCallers('answers.send(')).toEqual(['views/interaction/use-answering.ts']);
  expect(findCallers('#beckon.answer(')).toEqual(['live/answers.ts']);
  expect(findCallers('beckon.answer(')).toEqual([]);
  expect(findCallers('beckon.say(')).toEqual([]);
  expect(findCallers('consent.decide(').sort()).toEqual([
    'views/interaction/dismiss-dialog.tsx',
    'views/interaction/use-answering.ts',
  ]);
});

function findCallers(call: string): string[] {
  const isCalled = new RegExp(`(?<![#\\w])${call.replaceAll(/[.(]/g, '\\$&')}`);
  return files
    .filter((file) => isCalled.test(readFileSync(`${source}/${file}`, 'utf8')))
    .map((file) => file.replaceAll('\\', '/'));
}

function findModules(file: string): string[] {
  const { module } = parseSync(file, readFileSync(`${source}/${file}`, 'utf8'));
  return module.staticImports.map(({ moduleRequest }) => moduleRequest.value);
}
