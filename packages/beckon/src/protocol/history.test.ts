import { describe, expect, test } from 'vitest';
import { SnoozeBody, TitleBody, toSnoozeEnd } from './history.ts';
import { Instant } from './instant.ts';
import { parse } from './parse.ts';

const NOW = Date.parse('2026-01-01T00:00:00.000Z');

describe('a snooze', () => {
  test.each<[string | number, string]>([
    ['2026-01-02', '2026-01-02T00:00:00.000Z'],
    ['2026-01-01T08:30:00+01:00', '2026-01-01T07:30:00.000Z'],
    ['2h', '2026-01-01T02:00:00.000Z'],
    [90, '2026-01-01T00:01:30.000Z'],
  ])('until %j ends at %s', (until, end) => {
    const body = parse(SnoozeBody, { until }, { what: 'snooze' });
    expect(new Date(toSnoozeEnd(body.until, NOW)).toISOString()).toBe(end);
  });

  test.each<unknown>(['tomorrow', '2026-13-01', '', -1, '10 years', null, true])('until %j is refused', (until) => {
    expect(() => parse(SnoozeBody, { until }, { what: 'snooze' })).toThrow('Invalid snooze: until: expected');
  });
});

test('a title has at most 300 characters, and may be empty', () => {
  for (const title of ['', 'x', 'x'.repeat(300)]) {
    expect(parse(TitleBody, { title }, { what: 'title' })).toEqual({ title });
  }
  expect(() => parse(TitleBody, { title: 'x'.repeat(301) }, { what: 'title' })).toThrow('at most 300 characters');
});

test.each(['2026', 'yesterday', '2026-99-99', '1 2026-01-01'])('%j is no time', (text) => {
  expect(() => parse(Instant, text, { what: 'time' })).toThrow('expected a time such as');
});
