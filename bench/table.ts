import type { Figure, Section, Target, Unit } from './figure.ts';

const HEAD = ['', 'measured', 'beside', 'measured', 'ratio', 'target', ''];

/** Writes a section the way a terminal shows it: a title, aligned columns, and its notes. */
export function formatSection({ name, figures, notes }: Section): string {
  const rows = [HEAD, ...figures.map(toCells)];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => align(cell, column, widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const [head = '', ...body] = lines;
  const rule = widths.map((width) => '-'.repeat(width)).join('  ');
  return ['', name, '', head, rule, ...body, ...notes.map((note) => `  ${note}`)].join('\n');
}

function toCells(figure: Figure): string[] {
  const { name, unit, value, beside, ratio, target, isMet } = figure;
  return [
    name,
    formatValue(value, unit),
    beside.name,
    formatValue(beside.value, unit),
    `${formatNumber(ratio)} x`,
    target === undefined ? '' : formatTarget(target, unit),
    isMet === undefined ? '' : isMet ? 'ok' : 'MISSED',
  ];
}

function formatTarget({ of, atLeast, atMost }: Target, unit: Unit): string {
  const format = (bound: number): string => (of === 'ratio' ? `${formatNumber(bound)} x` : formatValue(bound, unit));
  return atLeast !== undefined ? `>= ${format(atLeast)}` : `<= ${format(atMost ?? Number.NaN)}`;
}

function formatValue(value: number, unit: Unit): string {
  switch (unit) {
    case '/s':
      return `${formatNumber(value)}/s`;
    case 'count':
      return formatNumber(value);
    case 'ms':
      return value < 1 ? `${formatNumber(value * 1000)} us` : `${formatNumber(value)} ms`;
    case 'bytes':
      if (Math.abs(value) >= 1024 * 1024) return `${formatNumber(value / 1024 / 1024)} MiB`;
      return value >= 10_240 ? `${formatNumber(value / 1024)} KiB` : `${formatNumber(value)} B`;
  }
}

// Three digits say all that a benchmark can know.
function formatNumber(value: number): string {
  return value.toLocaleString('en', { maximumSignificantDigits: Math.abs(value) >= 1000 ? 4 : 3 });
}

function align(cell: string, column: number, width: number): string {
  const isNumber = column === 1 || column === 3 || column === 4 || column === 5;
  return isNumber ? cell.padStart(width) : cell.padEnd(width);
}
