import { expect, test } from 'vitest';
import { OutboxQuery, OutboxTargetBody } from './outbox.ts';
import { parse } from './parse.ts';

test('a list may be narrowed, and goes on at a cursor', () => {
  const query = { status: 'dead', sessionId: 's', after: '12', limit: '10' };
  expect(parse(OutboxQuery, query, { what: 'query' })).toEqual({ ...query, limit: 10 });
  expect(() => parse(OutboxQuery, { after: 'x' }, { what: 'query' })).toThrow('after: expected a cursor');
  expect(() => parse(OutboxQuery, { status: 'sent' }, { what: 'query' })).toThrow('"waiting" or "dead"');
});

test.each([{ id: 'hook_1' }, { dead: true }])('%j is something to send again', (target) => {
  expect(parse(OutboxTargetBody, target, { what: 'target' })).toEqual(target);
});

test.each([{}, { dead: false }, { id: 'a', dead: true }, { id: '' }])('%j is not', (target) => {
  expect(() => parse(OutboxTargetBody, target, { what: 'target' })).toThrow('Invalid target');
});
