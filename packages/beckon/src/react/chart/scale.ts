/** From the smallest to the largest value of a chart, with the lines to draw between. It always has zero in it. */
export interface Scale {
  min: number;
  max: number;
  ticks: number[];
}

/** A scale with round steps, about as many as asked for. */
export function toScale(values: readonly number[], count = 5): Scale {
  const low = values.reduce((least, value) => Math.min(least, value), 0);
  const high = values.reduce((most, value) => Math.max(most, value), 0);
  // Below this, steps are no longer told apart from zero.
  const rough = Math.max((high - low || 1) / count, 1e-300);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const first = Math.floor(low / step);
  const last = Math.max(Math.ceil(high / step), first + 1);
  const ticks = Array.from({ length: Math.min(last - first + 1, 20) }, (_, at) => round((first + at) * step));
  return { min: ticks[0] ?? low, max: ticks.at(-1) ?? high, ticks };
}

/** A value with its unit: money in front, everything else behind. */
export function formatValue(value: number | null | undefined, unit = '', isCompact = false): string {
  if (value === null || value === undefined) return '–';
  const number = new Intl.NumberFormat('en', {
    ...(isCompact && { notation: 'compact' }),
    ...(Math.abs(value) >= 1e15 && { notation: 'scientific' }),
    maximumFractionDigits: isCompact ? 2 : 6,
  }).format(Math.abs(value));
  const sign = value < 0 ? '−' : '';
  if (/^\p{Sc}$/u.test(unit)) return `${sign}${unit}${number}`;
  return `${sign}${number}${unit === '' || unit === '%' ? '' : ' '}${unit}`;
}

function round(value: number): number {
  return Number(value.toPrecision(12));
}
