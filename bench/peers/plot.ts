import type { Group } from './contenders.ts';
import { LOADS } from './effort.ts';
import type { Load, Measured } from './measure.ts';
import { rateOf } from './rate.ts';

const WIDTH = 860;
const LABELS = 300;
const VALUES = 70;
const BAR = 9;
const ROW = LOADS.length * BAR + 14;
const HEAD = 34;
const TITLES: Record<Group, string> = {
  durable: 'Durable: on disk before it is acknowledged',
  memory: 'In memory: a restart loses everything',
};
const GROUPS = ['durable', 'memory'] as const;
const TICKS = [10, 100, 1000, 10_000, 100_000, 1_000_000];

/**
 * Round trips a second of every contender as bars on a logarithmic scale, one for each number of agents. Colors follow
 * the reader's light or dark theme, and are apart for people who see few of them.
 */
export function drawPlot(measured: readonly Measured[]): string {
  const parts: string[] = [];
  let y = 56;
  for (const group of GROUPS) {
    const rows = measured
      .filter(({ contender }) => contender.group === group)
      .toSorted((left, right) => rateOf(right, 64) - rateOf(left, 64));
    if (rows.length === 0) continue;
    parts.push(`<text class="head" x="0" y="${y + 12}">${TITLES[group]}</text>`);
    y += HEAD;
    const bottom = y + rows.length * ROW;
    for (const tick of TICKS) parts.push(...drawTick(tick, { top: y - 6, bottom }));
    for (const row of rows) {
      parts.push(...drawRow(row, y));
      y += ROW;
    }
    y += HEAD;
  }
  const key = LOADS.map(
    (load, index) =>
      `<rect class="load-${load}" x="${index * 120}" y="14" width="12" height="12"/>` +
      `<text x="${index * 120 + 18}" y="24">${load.toLocaleString('en')} at once</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" role="img" aria-label="Round trips a second">`,
    `<style>${STYLE}</style>`,
    `<rect class="paper" width="${WIDTH}" height="${y}"/>`,
    `<g transform="translate(16 0)">`,
    `<text class="quiet" x="${WIDTH - 32}" y="24" text-anchor="end">round trips a second, logarithmic</text>`,
    ...key,
    ...parts,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

function drawRow(row: Measured, y: number): string[] {
  const isOurs = row.contender.name.startsWith('beckon');
  const title = row.contender.title.replaceAll('`', '');
  const attributes = `${isOurs ? 'class="ours" ' : ''}x="${LABELS - 10}" y="${y + 18}" text-anchor="end"`;
  const label = `<text ${attributes}>${title}</text>`;
  const bars = LOADS.flatMap((load, index) => {
    const top = y + index * BAR;
    const end = toX(rateOf(row, load));
    const width = round(end - LABELS);
    return [
      `<rect class="load-${load}" x="${LABELS}" y="${top}" width="${width}" height="${BAR - 1}"/>`,
      `<text class="value" x="${end + 5}" y="${top + 7.5}">${toText(rateOf(row, load))}</text>`,
    ];
  });
  return [label, ...bars];
}

function drawTick(tick: number, { top, bottom }: { top: number; bottom: number }): string[] {
  const x = toX(tick);
  return [
    `<line x1="${x}" y1="${top}" x2="${x}" y2="${bottom}"/>`,
    `<text class="quiet" x="${x}" y="${bottom + 10}" text-anchor="middle">${tick.toLocaleString('en')}</text>`,
  ];
}

function toX(rate: number): number {
  const [first = 1, last = 1] = [TICKS[0], TICKS.at(-1)];
  const share = Math.log(Math.max(rate, first) / first) / Math.log(last / first);
  return round(LABELS + share * (WIDTH - 32 - LABELS - VALUES));
}

function toText(rate: number): string {
  return Number(rate.toPrecision(3)).toLocaleString('en', { maximumFractionDigits: 0 });
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

const toColors = (colors: Record<Load, string>): string =>
  Object.entries(colors)
    .map(([load, color]) => `.load-${load}{fill:${color}}`)
    .join('');

const STYLE = [
  'text{font:12px system-ui,sans-serif;fill:#24292f}.paper{fill:#fff}.head,.ours{font-weight:600}.value{font-size:9px}',
  '.quiet{font-size:10px;fill:#57606a}line{stroke:#d0d7de;stroke-width:1}',
  toColors({ 1: '#8c959f', 64: '#0969da', 1000: '#bc4c00' }),
  '@media(prefers-color-scheme:dark){text{fill:#e6edf3}.paper{fill:#0d1117}.quiet{fill:#9198a1}line{stroke:#3d444d}',
  toColors({ 1: '#9198a1', 64: '#58a6ff', 1000: '#ffa657' }),
  '}',
].join('');
