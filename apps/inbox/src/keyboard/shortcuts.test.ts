import { expect, test } from 'vitest';
import { KeyReader, type Press } from './shortcuts.ts';

test.each([
  ['j', 'next'],
  ['ArrowUp', 'previous'],
  ['?', 'help'],
  ['x', null],
])('%s means %s', (key, action) => {
  expect(new KeyReader().read(toPress({ key }))).toBe(action);
});

test('two keys in a row mean a place', () => {
  const reader = new KeyReader();
  expect(reader.read(toPress({ key: 'g', at: 0 }))).toBeNull();
  expect(reader.read(toPress({ key: 'h', at: 300 }))).toBe('goHistory');
  expect(reader.read(toPress({ key: 'h', at: 400 }))).toBeNull();
});

test('a second key that comes late stands for itself', () => {
  const reader = new KeyReader();
  reader.read(toPress({ key: 'g', at: 0 }));
  expect(reader.read(toPress({ key: 'j', at: 5000 }))).toBe('next');
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
