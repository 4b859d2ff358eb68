import { expect, test } from 'vitest';
import { DeliveriesQuery, ReplayBody } from './destinations-http.ts';
import { LIMITS } from './limits.ts';
import { parse } from './parse.ts';

test('a page of deliveries is named by numbers', () => {
  const query = { before: '70', limit: String(LIMITS.pageItems) };
  expect(parse(DeliveriesQuery, query, { what: 'query' })).toEqual({ before: 70, limit: LIMITS.pageItems });
});

test.each([{ limit: '0' }, { limit: String(LIMITS.pageItems + 1) }, { before: '-1' }, { after: '1' }])(
  '%j names no page of deliveries',
  (query) => {
    expect(() => parse(DeliveriesQuery, query, { what: 'query' })).toThrow('Invalid query');
  },
);

test.each([{ dead: true }, { seq: 7 }, { after: 0 }])('%j can be sent again', (body) => {
  expect(parse(ReplayBody, body, { what: 'replay' })).toEqual(body);
});

test.each([{}, { dead: false }, { seq: 7, after: 0 }])('%j names nothing to send again', (body) => {
  expect(() => parse(ReplayBody, body, { what: 'replay' })).toThrow('Invalid replay');
});
