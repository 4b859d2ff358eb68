import { expect, test } from 'vitest';
import { hasFilter, toListFilter, withoutFilter } from './to-list-filter.ts';

test.each([
  ['decision=denied&kind=approval&text=%20redis%20', { decision: 'denied', kind: 'approval', text: 'redis' }],
  ['person=ada&project=webshop', { person: 'ada', project: 'webshop' }],
  ['chat=web&session=s-1&open=int_1', { chatId: 'web', sessionId: 's-1' }],
  ['decision=nonsense&kind=&text=%20&from=today&to=2026-02-31', {}],
])('%s filters what the store knows', (address, filter) => {
  expect(toListFilter(new URLSearchParams(address))).toEqual(filter);
});

test('days are whole days where the person is', () => {
  const { since, until } = toListFilter(new URLSearchParams('from=2026-03-01&to=2026-03-31'));
  expect(since).toBe(new Date(2026, 2, 1).toISOString());
  expect(until).toBe(new Date(2026, 3, 1).toISOString());
});

test('a text is cut to what the store takes', () => {
  expect(toListFilter(new URLSearchParams({ text: 'x'.repeat(300) })).text).toHaveLength(200);
});

test('an empty filter filters nothing', () => {
  expect(hasFilter({})).toBe(false);
  expect(hasFilter({ text: 'x' })).toBe(true);
});

test('one part of a filter can be left out', () => {
  expect(withoutFilter({ text: 'x', kind: 'form' }, 'kind')).toEqual({ text: 'x' });
});
