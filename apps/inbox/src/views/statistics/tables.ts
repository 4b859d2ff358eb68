import type { Statistics } from 'beckon/client';
import { KIND_NAMES, STATUS_NAMES } from 'beckon/presentation';
import { KINDS, STATUSES, type Status } from 'beckon/protocol';
import { formatTook } from '../../interactions/durations.ts';
import { formatShort } from '../../interactions/instants.ts';
import { texts } from './texts.ts';

const DAY_MS = 86_400_000;
/** The order in a stack, from bottom to top. Pending comes last because it may still change. */
const STACKED: readonly Status[] = [...STATUSES.filter((status) => status !== 'pending'), 'pending'];

/** Numbers by row and series, for a chart and a table. */
export interface Table {
  /** The heading of the row names. */
  rowName: string;
  /** Whether the rows form a scale, so a chart may leave out some of their names. */
  isScale: boolean;
  series: readonly { key: string; name: string }[];
  rows: readonly { name: string; counts: Readonly<Record<string, number>> }[];
}

/** How many answers took how long. */
export function toTimeTable({ buckets }: Statistics['timeToAnswer']): Table {
  return {
    rowName: texts.timeToAnswer,
    isScale: true,
    series: [{ key: 'count', name: texts.count }],
    rows: buckets.map(({ upToSeconds, count }) => ({
      name: upToSeconds === null ? texts.longer : texts.upTo(formatTook(upToSeconds * 1000)),
      counts: { count },
    })),
  };
}

/** The outcomes of each kind. Kinds without requests are left out. */
export function toKindTable(byKind: Statistics['byKind']): Table {
  return {
    rowName: texts.kind,
    isScale: false,
    series: toSeries(byKind),
    rows: KINDS.map((kind) => ({
      name: KIND_NAMES[kind],
      counts: toCounts(byKind.filter((entry) => entry.kind === kind)),
    })).filter(({ counts }) => Object.keys(counts).length > 0),
  };
}

/** The outcomes of each day, including days without requests: a chart must not skip them. */
export function toDayTable({ byDay, since, until }: Pick<Statistics, 'byDay' | 'since' | 'until'>): Table {
  const days: string[] = [];
  // A time span is a few weeks; longer ones are cut to the last year.
  const first = Math.max(Date.parse(since.slice(0, 10)), Date.parse(until) - 366 * DAY_MS);
  for (let at = first; at <= Date.parse(until); at += DAY_MS) days.push(new Date(at).toISOString().slice(0, 10));
  const now = new Date(until);
  return {
    rowName: texts.day,
    isScale: true,
    series: toSeries(byDay),
    rows: days.map((day) => ({
      // Noon is on the same day in nearly every time zone.
      name: formatShort(`${day}T12:00:00Z`, new Date(now.getTime() + 2 * DAY_MS)),
      counts: toCounts(byDay.filter((entry) => entry.day === day)),
    })),
  };
}

function toSeries(entries: readonly { status: Status }[]): Table['series'] {
  const used = new Set(entries.map(({ status }) => status));
  return STACKED.filter((status) => used.has(status)).map((key) => ({ key, name: STATUS_NAMES[key] }));
}

function toCounts(entries: readonly { status: Status; count: number }[]): Record<string, number> {
  return Object.fromEntries(entries.map(({ status, count }) => [status, count]));
}
