/** What a figure counts. Rates are better when higher, everything else when lower. */
export type Unit = '/s' | 'ms' | 'bytes' | 'count';

/** A figure and what it was measured beside, in the same run: only the ratio means something on another machine. */
export interface Figure {
  name: string;
  unit: Unit;
  value: number;
  beside: { name: string; value: number };
  ratio: number;
  target?: Target;
  isMet?: boolean;
}

/** A bound on the ratio, or on the value itself where `of` says so. */
export interface Target {
  of: 'ratio' | 'value';
  atLeast?: number;
  atMost?: number;
}

/** One part of a benchmark, printed as one table. */
export interface Section {
  name: string;
  figures: Figure[];
  /** What a reader must know to judge the figures. */
  notes: string[];
}

/** Compares samples taken in turns: the ratio is the median of the pairs' ratios, so that noise hits both sides. */
export function compareSamples(input: {
  name: string;
  unit: Unit;
  samples: readonly number[];
  beside: { name: string; samples: readonly number[] };
  target?: Target;
}): Figure {
  const { name, unit, samples, beside, target } = input;
  const ratios = samples.map((sample, index) => sample / (beside.samples[index] ?? Number.NaN));
  return judge({
    name,
    unit,
    value: median(samples),
    beside: { name: beside.name, value: median(beside.samples) },
    ratio: median(ratios),
    ...(target !== undefined && { target }),
  });
}

/** The middle of the sorted values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

function judge(figure: Figure): Figure {
  const { target } = figure;
  if (target === undefined) return figure;
  const judged = target.of === 'ratio' ? figure.ratio : figure.value;
  // Written so that a value that is not a number misses every target.
  const isMet = judged >= (target.atLeast ?? Number.NEGATIVE_INFINITY) && judged <= (target.atMost ?? Infinity);
  return { ...figure, isMet };
}
