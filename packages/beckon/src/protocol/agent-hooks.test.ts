import { expect, test } from 'vitest';
import { HooksQuery, IdempotencyHeader } from './agent-hooks.ts';
import { MOST_WAIT_SECONDS } from './http.ts';
import { parse } from './parse.ts';

test.each([
  ['300', 300],
  ['1.5', 1.5],
  ['12h', '12h'],
  ['never', null],
])('a hook may name the timeout %s', (timeout, meant) => {
  expect(
    parse(HooksQuery, { timeout, chatId: 'ops', user: 'dev@laptop', defer: 'true', ageMs: '70' }, { what: 'query' }),
  ).toEqual({
    timeout: meant,
    chatId: 'ops',
    user: 'dev@laptop',
    defer: 'true',
    ageMs: 70,
  });
});

test('a sender that comes back says how long it is held', () => {
  const query = { hold: String(MOST_WAIT_SECONDS), happenedAt: '1700000000000', late: 'false' };
  expect(parse(HooksQuery, query, { what: 'query' })).toEqual({
    hold: MOST_WAIT_SECONDS,
    happenedAt: 1_700_000_000_000,
    late: 'false',
  });
});

test.each([
  { timeout: 'soon' },
  { timeout: '0' },
  { defer: 'maybe' },
  { ageMs: '-1' },
  { hold: '0' },
  { hold: String(MOST_WAIT_SECONDS + 1) },
  { colour: 'red' },
])('%j is refused', (query) => {
  expect(() => parse(HooksQuery, query, { what: 'query' })).toThrow('Invalid query');
});

test('the other headers of a hook are left alone', () => {
  expect(parse(IdempotencyHeader, { 'idempotency-key': 'k', accept: '*/*' }, { what: 'headers' })).toMatchObject({
    'idempotency-key': 'k',
  });
  expect(() => parse(IdempotencyHeader, { 'idempotency-key': 'a b' }, { what: 'headers' })).toThrow('Invalid headers');
});
