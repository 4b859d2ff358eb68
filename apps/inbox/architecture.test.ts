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

function findModules(file: string): string[] {
  const { module } = parseSync(file, readFileSync(`${source}/${file}`, 'utf8'));
  return module.staticImports.map(({ moduleRequest }) => moduleRequest.value);
}
