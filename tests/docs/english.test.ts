import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const BANNED = /\b(?:anew|put together from|also where|for ever|in vain)\b/gi;
const COMMENT = /^\s*(?:\/\/|\/\*|\*|\{\/\*)/;
const COLUMNS = 120;

const root = fileURLToPath(new URL('../../', import.meta.url));
const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs', '*.md'], { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((file) => !file.endsWith('CHANGELOG.md') && file !== 'tests/docs/english.test.ts');
const lines = files.flatMap((file) =>
  readFileSync(`${root}${file}`, 'utf8')
    .split('\n')
    .map((text, index) => ({ file, text, place: `${file}:${index + 1}` })),
);

test('no file has the phrases that English does not need', () => {
  const found = lines.flatMap(({ text, place }) => [...text.matchAll(BANNED)].map(([phrase]) => `${place}: ${phrase}`));
  expect(found.join('\n')).toBe('');
});

test('no comment is wider than the formatter allows code to be', () => {
  const found = lines
    .filter(({ file, text }) => !file.endsWith('.md') && COMMENT.test(text) && text.length > COLUMNS)
    .map(({ text, place }) => `${place}: ${text.length} columns`);
  expect(found.join('\n')).toBe('');
});
