import { expect, test } from 'vitest';
import { toTimers } from './time-policy.ts';

const bob = { after: '10m', to: 'bob' };

test('a request without a policy has no timers', () => {
  expect(toTimers([])).toEqual([]);
  expect(toTimers([undefined, {}, undefined])).toEqual([]);
});

test('a policy becomes timers, in the order in which it was given', () => {
  expect(toTimers([{ remindAfter: 90, escalate: [{ after: '1h', to: 'dst_1' }, bob] }])).toEqual([
    { what: 'reminded', afterMs: 90_000 },
    { what: 'escalated', afterMs: 3_600_000, to: 'dst_1' },
    { what: 'escalated', afterMs: 600_000, to: 'bob' },
  ]);
});

test('the first policy that says something counts, for each of the two by itself', () => {
  const chat = { remindAfter: '5m' };
  const project = { remindAfter: '9m', escalate: [bob] };
  expect(toTimers([{}, chat, project])).toEqual([
    { what: 'reminded', afterMs: 300_000 },
    { what: 'escalated', afterMs: 600_000, to: 'bob' },
  ]);
});

test('"nothing" is said with null and an empty list', () => {
  expect(
    toTimers([
      { remindAfter: null, escalate: [] },
      { remindAfter: '5m', escalate: [bob] },
    ]),
  ).toEqual([]);
});
