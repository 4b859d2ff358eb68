import { expect, test } from 'vitest';
import { findNext, sortInteractions } from './order.ts';

const items = [
  { id: 'b', createdAt: '2026-11-16T10:00:00.000Z', expiresAt: '2026-11-16T10:05:00.000Z' },
  { id: 'a', createdAt: '2026-11-16T10:01:00.000Z' },
  { id: 'd', createdAt: '2026-11-16T09:00:00.000Z', expiresAt: '2026-11-16T10:05:00.000Z' },
  { id: 'c', createdAt: '2026-11-16T10:02:00.000Z', expiresAt: '2026-11-16T10:03:00.000Z' },
];
const idsOf = (sorted: { id: string }[]) => sorted.map(({ id }) => id).join('');

test('the newest comes first', () => {
  expect(idsOf(sortInteractions(items, 'newest'))).toBe('cabd');
});

test('the least time left comes first, then the oldest, and requests without a deadline come last', () => {
  expect(idsOf(sortInteractions(items, 'urgent'))).toBe('cdba');
});

test('what is sorted stays as it was', () => {
  sortInteractions(items, 'urgent');
  expect(idsOf(items)).toBe('badc');
});

test.each([
  ['the following one', 'b', 'a'],
  ['at the end the one before', 'c', 'd'],
  ['the first, for one that is not in the list', 'x', 'b'],
])('next is %s', (_, id, next) => {
  expect(findNext(items, id)?.id).toBe(next);
});

test('after one that has left the list, next is what took its place', () => {
  expect(findNext(items, 'x', 2)?.id).toBe('d');
  expect(findNext(items, 'x', 9)?.id).toBe('c');
});

test('there is no next where nothing else is', () => {
  expect(findNext([{ id: 'a' }], 'a')).toBeNull();
  expect(findNext([], 'a')).toBeNull();
});
