import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { median } from '../figure.ts';
import type { Turn } from './agents-process.ts';
import type { Group } from './contenders.ts';
import type { Effort } from './effort.ts';
import type { Load, Measured, Missing } from './measure.ts';
import { drawPlot } from './plot.ts';
import { rateOf } from './rate.ts';

const BEGIN = '<!-- made by npm run bench:peers: begin -->';
const END = '<!-- made by npm run bench:peers: end -->';
const LINE = 140;
/** Before anything was measured: what else the machine did. */
const LOAD = loadavg()[0] ?? Number.NaN;
const PAGE = fileURLToPath(new URL('../../docs/benchmarks.md', import.meta.url));
const PLOT = fileURLToPath(new URL('../../docs/images/benchmarks.svg', import.meta.url));

/** Writes the tables of docs/benchmarks.md and its plot. */
export function writePage(input: { measured: readonly Measured[]; missing: readonly Missing[]; effort: Effort }): void {
  const text = readFileSync(PAGE, 'utf8');
  const [before, rest] = text.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`${PAGE} needs the lines\n${BEGIN}\n${END}`);
  writeFileSync(PAGE, `${before}${BEGIN}\n${toMarkdown(input)}\n${END}${after}`);
  writeFileSync(PLOT, drawPlot(input.measured));
}

function toMarkdown({ measured, missing, effort }: Parameters<typeof writePage>[0]): string {
  const of = (group: Group): readonly Measured[] => measured.filter(({ contender }) => contender.group === group);
  return [
    describeRun(effort),
    '',
    '![Round trips a second; the tables have the numbers](images/benchmarks.svg)',
    '',
    '### Durable: on disk before it is acknowledged',
    '',
    ...toTable(of('durable')),
    '',
    '### In memory: a restart loses everything',
    '',
    ...toTable(of('memory')),
    '',
    '### How each is set',
    '',
    ...toTunings(measured),
    ...missing.map(({ contender, reason }) => toItem(`**${contender.title}** is left out: ${reason}`)),
  ].join('\n');
}

function describeRun({ rounds, sliceMs }: Effort): string {
  const cores = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const machine = `${cores.length} cores of ${cores[0]?.model ?? 'an unknown processor'}, ${memory} GB of memory`;
  const date = new Date().toISOString().slice(0, 10);
  const turns = `${rounds === 1 ? 'one round' : `median of ${rounds} rounds`}, ${sliceMs / 1000} s for each number of agents`;
  const load = `load ${LOAD.toFixed(1)} before it began`;
  return `${date}: ${machine}, ${process.platform}, Node ${process.versions.node}; ${turns}; ${load}.`;
}

function toTable(rows: readonly Measured[]): string[] {
  const head = [
    '',
    'one at a time, p50',
    '1 at once',
    '64 at once',
    '1,000 at once',
    'processor time, agents + others',
  ];
  const fastestFirst = rows.toSorted((left, right) => rateOf(right, 64) - rateOf(left, 64));
  const cells = fastestFirst.map((row) => [
    row.contender.title,
    `${format(middle(row, 1, ({ p50Ms }) => p50Ms))} ms`,
    ...([1, 64, 1000] as const).map((load) => `${format(rateOf(row, load))}/s`),
    toProcessorTime(row),
  ]);
  return [head, ['---', ...head.slice(1).map(() => '--:')], ...cells].map((line) => `| ${line.join(' | ')} |`);
}

function toProcessorTime(row: Measured): string {
  const agents = middle(row, 64, ({ agentsMs }) => agentsMs);
  const others = middle(row, 64, ({ othersMs }) => othersMs);
  // Only Linux tells.
  return Number.isNaN(agents + others) ? '–' : `${format(agents)} + ${format(others)} ms`;
}

function toTunings(rows: readonly Measured[]): string[] {
  return rows.map(({ contender: { title, tuning }, version }) => {
    return toItem(`**${title}**${version === '' ? '' : ` (${version})`}: ${tuning}`);
  });
}

/** An item of a list, in lines as long as those of the other pages. */
function toItem(text: string): string {
  const lines: string[] = [];
  let line = '-';
  for (const word of text.split(' ')) {
    if (line.length + word.length >= LINE) {
      lines.push(line);
      line = ' ';
    }
    line += ` ${word}`;
  }
  return [...lines, line].join('\n');
}

function middle({ turns }: Measured, load: Load, pick: (turn: Turn) => number): number {
  return median(turns[load].map(pick));
}

/** Three digits say all that a benchmark can know. */
function format(value: number): string {
  const digits = Math.abs(value) >= 1000 ? 3 : 2;
  return Number(value.toPrecision(digits)).toLocaleString('en', { maximumFractionDigits: 4 });
}
