/** The rough width of a letter on an axis. */
export const LETTER = 6.6;

/** The range of a chart, always with zero in it, and the lines to draw. */
export interface Scale {
  min: number;
  max: number;
  ticks: number[];
}

/** A scale with about `count` round steps. Whole numbers get whole steps. */
export function toScale(values: readonly number[], count = 5): Scale {
  const low = values.reduce((least, value) => Math.min(least, value), 0);
  const high = values.reduce((most, value) => Math.max(most, value), 0);
  // Smaller steps could not be told from zero.
  const rough = Math.max((high - low || 1) / count, 1e-300);
  const power = 10 ** Math.floor(Math.log10(rough));
  const isWhole = values.every(Number.isInteger);
  const factors = isWhole && power <= 1 ? [1, 2, 5, 10] : [1, 2, 2.5, 5, 10];
  const step = Math.max((factors.find((factor) => factor * power >= rough) ?? 10) * power, isWhole ? 1 : 0);
  const first = Math.floor(low / step);
  const last = Math.max(Math.ceil(high / step), first + 1);
  const ticks = Array.from({ length: Math.min(last - first + 1, 20) }, (_, at) => round((first + at) * step));
  return { min: ticks[0] ?? low, max: ticks.at(-1) ?? high, ticks };
}

/** A value with its unit: currency signs in front, other units behind. */
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
