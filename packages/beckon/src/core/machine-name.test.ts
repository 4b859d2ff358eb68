import { expect, test } from 'vitest';
import { toFreeName, toMachineName } from './machine-name.ts';

test.each([
  ['ada', 'laptop', 'ada@laptop'],
  ['Ada Lovelace', 'ADAS-MACBOOK.local', 'ada-lovelace@adas-macbook.local'],
  ['jürgen', 'Büro', 'jurgen@buro'],
  ['root@vm', 'x@y', 'root-vm@x-y'],
  ['日本', '—', 'user@machine'],
  ['..', '../../etc', 'user@etc'],
  ['аdа', 'laptop\u202e', 'd@laptop'],
  ['a_b', 'build+1=2~:', 'a_b@build-1-2'],
  ['-', '.laptop.', 'user@laptop'],
  ['a'.repeat(99), 'b'.repeat(99), `${'a'.repeat(40)}@${'b'.repeat(60)}`],
  [`${'a'.repeat(39)}--b`, 'm', `${'a'.repeat(39)}@m`],
])('the user %s on the machine %s is called %s', (user, machine, name) => {
  expect(toMachineName({ user, machine })).toBe(name);
});

test('a name that is taken gets the first number that is free', () => {
  expect(toFreeName('a@b', new Set())).toBe('a@b');
  expect(toFreeName('a@b', new Set(['a@b']))).toBe('a@b-2');
  expect(toFreeName('a@b', new Set(['a@b', 'a@b-2', 'a@b-4']))).toBe('a@b-3');
});
