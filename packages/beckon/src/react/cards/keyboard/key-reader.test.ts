import { expect, test } from 'vitest';
import { KeyReader, type Press } from './key-reader.ts';
import { KEYS } from './keys.ts';

test.each([
  ['y', 'y'],
  ['n', 'n'],
  ['j', 'j'],
  ['J', 'J'],
  ['ArrowUp', 'k'],
  ['7', '1-9'],
  ['?', '?'],
  ['0', null],
  ['Y', null],
])('%s means %s', (key, name) => {
  expect(new KeyReader().read(toPress({ key }))).toBe(name);
});

test('no two keys share a press', () => {
  const presses = Object.values(KEYS).flatMap((key) => [...key.presses]);
  expect(new Set(presses).size).toBe(presses.length);
});

test('two keys in a row mean a place', () => {
  const reader = new KeyReader();
  expect(reader.read(toPress({ key: 'g', at: 0 }))).toBeNull();
  expect(reader.read(toPress({ key: 'h', at: 300 }))).toBe('g h');
  expect(reader.read(toPress({ key: 'h', at: 400 }))).toBeNull();
});

test('a second key that comes late stands for itself', () => {
  const reader = new KeyReader();
  reader.read(toPress({ key: 'g', at: 0 }));
  expect(reader.read(toPress({ key: 's', at: 5000 }))).toBe('s');
});

test('what is typed, or pressed with a modifier, means nothing', () => {
  const reader = new KeyReader();
  expect(reader.read(toPress({ key: 'j', isTyping: true }))).toBeNull();
  expect(reader.read(toPress({ key: 'j', hasModifier: true }))).toBeNull();
  reader.read(toPress({ key: 'g' }));
  reader.read(toPress({ key: 'x', isTyping: true }));
  expect(reader.read(toPress({ key: 'h' }))).toBeNull();
});

function toPress(press: Partial<Press>): Press {
  return { key: '', at: 0, hasModifier: false, isTyping: false, ...press };
}
