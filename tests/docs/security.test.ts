import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const page = readFileSync(new URL('docs/security.md', root), 'utf8');

test('every test that docs/security.md names is there', () => {
  const named = new Set([...page.matchAll(/`([\w./-]+\.(?:test|testsuite)\.ts)`/g)].map(([, path = '']) => path));
  expect(named.size).toBeGreaterThan(50);
  const missing = [...named].filter((path) => {
    const isOutside = path.startsWith('tests/') || path.startsWith('apps/');
    return !existsSync(new URL(isOutside ? path : `packages/beckon/src/${path}`, root));
  });
  expect(missing).toEqual([]);
});
