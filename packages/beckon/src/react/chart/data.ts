import type { ChartProps } from '../../components/chart.ts';

/** More than this cannot be told apart, and takes long to draw. The table below a chart ends here as well. */
const MOST_LABELS = 200;
const MOST_SERIES = 12;

/** One value of a chart. */
export interface Point {
  label: string;
  series: string | undefined;
  value: number;
  /** The index of its label, and of its series. */
  at: number;
  of: number;
}

/** What is drawn: a label for every value, and a value or nothing for every label. */
export interface ChartData {
  labels: string[];
  series: { name: string | undefined; points: (Point | null)[] }[];
}

export function toChartData({ labels, series }: Pick<ChartProps, 'labels' | 'series'>): ChartData {
  const longest = series.reduce((most, { values }) => Math.max(most, values.length), labels.length);
  const shown = Array.from({ length: Math.min(longest, MOST_LABELS) }, (_, at) => labels[at] ?? String(at + 1));
  return {
    labels: shown,
    series: series.slice(0, MOST_SERIES).map(({ name, values }, of) => ({
      name,
      points: shown.map((label, at) => {
        const value = values[at];
        return typeof value === 'number' ? { label, series: name, value: clamp(value), at, of } : null;
      }),
    })),
  };
}

/** The values without the gaps. */
export function findPoints({ series }: ChartData): Point[] {
  return series.flatMap(({ points }) => points.filter((point) => point !== null));
}

/** Where each value of a stack begins and ends: on top of the series before it. */
export function stack({ series }: ChartData): (point: Point) => { from: number; to: number } {
  return ({ at, of, value }) => {
    const from = series.slice(0, of).reduce((sum, { points }) => sum + (points[at]?.value ?? 0), 0);
    return { from, to: from + value };
  };
}

// The distance between two values must be a number too.
function clamp(value: number): number {
  return Math.max(-1e300, Math.min(value, 1e300));
}
