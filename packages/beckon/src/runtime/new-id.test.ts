import { validate, version } from 'uuid';
import { expect, test } from 'vitest';
import { newId } from './new-id.ts';

test('ids are different, and rise in the order in which they are made', () => {
  // More than the random bytes of one pool serve, and many within a millisecond.
  const ids = Array.from({ length: 5000 }, newId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.toSorted()).toEqual(ids);
});

test('an id is a prefix and a UUID of version 7, with the time in front', () => {
  const before = Date.now();
  const id = newId();
  const uuid = id.slice('int_'.length);
  expect(id).toBe(`int_${uuid}`);
  expect(validate(uuid) && version(uuid)).toBe(7);
  const time = Number.parseInt(uuid.replace('-', '').slice(0, 12), 16);
  expect(time - before).toBeGreaterThanOrEqual(0);
  expect(time - before).toBeLessThan(1000);
});
