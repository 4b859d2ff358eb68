import { expect, test } from 'vitest';
import { hasFilter, toListFilter } from './to-list-filter.ts';

test.each([
  ['status=answered&kind=approval&text=%20redis%20', { status: 'answered', kind: 'approval', text: 'redis' }],
  ['chat=web&session=s-1&open=int_1', { chatId: 'web', sessionId: 's-1' }],
  ['status=nonsense&kind=&text=%20', {}],
])('%s filters what the store knows', (address, filter) => {
  expect(toListFilter(new URLSearchParams(address))).toEqual(filter);
});

test('a text is cut to what the store takes', () => {
  expect(toListFilter(new URLSearchParams({ text: 'x'.repeat(300) })).text).toHaveLength(200);
});

test('an empty filter filters nothing', () => {
  expect(hasFilter({})).toBe(false);
  expect(hasFilter({ text: 'x' })).toBe(true);
});
