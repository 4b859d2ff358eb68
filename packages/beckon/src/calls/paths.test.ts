import { expect, test } from 'vitest';
import { isAbsolute, isBelow, resolvePath } from './paths.ts';

test.for<[path: string, folder: string | undefined, place: string | undefined]>([
  ['/a/b', undefined, '/a/b'],
  ['/a//b/./c/', undefined, '/a/b/c'],
  ['/a/../../b', undefined, '/b'],
  ['/', undefined, '/'],
  ['a', '/x', '/x/a'],
  ['../a', '/x/y', '/x/a'],
  ['../../../a', '/x', '/a'],
  ['a', undefined, undefined],
  ['a', 'x', undefined],
  ['a', '', undefined],
  ['', '/x', undefined],
  ['~/a', '/x', undefined],
  ['a\0b', '/x', undefined],
  ['a\\b', '/x', '/x/a\\b'],
  ['C:\\a\\..\\b', undefined, 'C:/b'],
  ['a\\..\\b', 'C:\\x', 'C:/x/b'],
  ['\\\\host\\a', undefined, 'host/a'],
])('%j in %j is %j', ([path, folder, place]) => {
  expect(resolvePath(path, folder)).toBe(place);
});

test('what is below a folder, and what only begins alike', () => {
  expect(isBelow('/a', '/a')).toBe(true);
  expect(isBelow('/a/b', '/a')).toBe(true);
  expect(isBelow('/ab', '/a')).toBe(false);
  expect(isBelow('/a', '/a/b')).toBe(false);
  expect(isBelow('/a', '/')).toBe(true);
  expect([isAbsolute('/a'), isAbsolute('c:/a'), isAbsolute('\\\\a'), isAbsolute('a'), isAbsolute('c:a')]).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});
