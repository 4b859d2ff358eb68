import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { QuietHours } from '../protocol/destination.ts';
import { toLoudTime } from './quiet-hours.ts';

const BERLIN = { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' };

function loudFrom(at: string, quiet: QuietHours): string {
  return new Date(toLoudTime(Date.parse(at), quiet)).toISOString();
}

describe('quiet hours', () => {
  test.each([
    ['2026-01-15T12:00:00.000Z', '2026-01-15T12:00:00.000Z', 'by day nothing is put off'],
    ['2026-01-15T21:00:00.000Z', '2026-01-16T06:00:00.000Z', 'they begin at 22:00 in Berlin'],
    ['2026-01-15T20:59:59.999Z', '2026-01-15T20:59:59.999Z', 'and not before'],
    ['2026-01-16T05:59:59.999Z', '2026-01-16T06:00:00.000Z', 'they end at 07:00'],
    ['2026-01-16T06:00:00.000Z', '2026-01-16T06:00:00.000Z', 'and not later'],
    ['2026-07-15T21:00:00.000Z', '2026-07-16T05:00:00.000Z', 'in summer an hour earlier, by UTC'],
    ['2026-03-28T22:00:00.000Z', '2026-03-29T05:00:00.000Z', 'the night in which clocks go forward is shorter'],
    ['2026-10-24T21:00:00.000Z', '2026-10-25T06:00:00.000Z', 'the night in which clocks go back is longer'],
  ])('%s becomes %s: %s', (at, loud) => {
    expect(loudFrom(at, BERLIN)).toBe(loud);
  });

  test('that end in an hour that does not exist end when the clocks change', () => {
    const quiet = { ...BERLIN, to: '02:30' };
    expect(loudFrom('2026-03-28T23:00:00.000Z', quiet)).toBe('2026-03-29T01:00:00.000Z');
  });

  test('that begin in an hour that does not exist begin when the clocks change', () => {
    const quiet = { ...BERLIN, from: '02:30' };
    expect(loudFrom('2026-03-29T00:59:59.000Z', quiet)).toBe('2026-03-29T00:59:59.000Z');
    expect(loudFrom('2026-03-29T01:00:00.000Z', quiet)).toBe('2026-03-29T05:00:00.000Z');
  });

  test('in an hour that comes twice are quiet twice', () => {
    const quiet = { ...BERLIN, from: '02:00', to: '03:00' };
    expect(loudFrom('2026-10-25T00:30:00.000Z', quiet)).toBe('2026-10-25T02:00:00.000Z');
    expect(loudFrom('2026-10-25T01:30:00.000Z', quiet)).toBe('2026-10-25T02:00:00.000Z');
  });

  test('hold in every zone, whatever its clocks do: the result is the first loud minute', () => {
    const zones = [
      'UTC',
      'Europe/Berlin',
      'America/New_York',
      'America/St_Johns',
      'Asia/Kathmandu',
      'Australia/Lord_Howe',
      'Pacific/Apia',
      'Africa/Casablanca',
      'America/Santiago',
    ];
    const day = fc.integer({ min: 0, max: 1439 }).map((minutes) => {
      const pad = (value: number): string => String(value).padStart(2, '0');
      return `${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
    });
    // Around the changes of the clocks in 2026, where mistakes would be.
    const changes = [
      '2026-03-08T07:00Z',
      '2026-03-29T01:00Z',
      '2026-04-04T15:00Z',
      '2026-10-25T01:00Z',
      '2026-11-01T06:00Z',
    ];
    const instant = fc
      .tuple(fc.constantFrom(...changes), fc.integer({ min: -30 * 60, max: 30 * 60 }))
      .map(([change, minutes]) => Date.parse(change) + minutes * 60_000);
    fc.assert(
      fc.property(fc.constantFrom(...zones), day, day, instant, (timeZone, from, to, at) => {
        fc.pre(from !== to);
        const quiet = { from, to, timeZone };
        const loud = toLoudTime(at, quiet);
        let expected = at;
        while (isQuiet(expected, quiet)) expected += 60_000;
        expect(new Date(loud).toISOString()).toBe(new Date(expected).toISOString());
      }),
      { numRuns: 300 },
    );
  });
});

/** By the clock on the wall, minute by minute. */
function isQuiet(at: number, { from, to, timeZone }: QuietHours): boolean {
  const time = new Intl.DateTimeFormat('en', { timeZone, hourCycle: 'h23', hour: '2-digit', minute: '2-digit' }).format(
    at,
  );
  return from < to ? time >= from && time < to : time >= from || time < to;
}
