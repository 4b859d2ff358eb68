import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Section } from './figure.ts';
import { formatSection } from './table.ts';

/** A benchmark as `npm run bench:NAME` starts it. */
export interface Bench<Effort> {
  name: string;
  /** What `--only` may choose. All of them run where it chooses nothing. */
  parts: readonly string[];
  /** Parts that run only where `--only PART` or `--PART` asks for them. */
  extraParts?: readonly string[];
  /** How much to measure, and how much with `--quick`. */
  efforts: { full: Effort; quick: Effort };
  run(context: BenchContext<Effort>): AsyncIterable<Section>;
}

/** What a run has to work with. */
export interface BenchContext<Effort> {
  /** An empty folder on a real disk, removed afterwards. */
  folder: string;
  effort: Effort;
  hasPart(part: string): boolean;
}

/** Runs a benchmark as the command line says: prints each section, and keeps the figures as JSON. */
export async function runBench<Effort>({ name, parts, extraParts = [], efforts, run }: Bench<Effort>): Promise<void> {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      strict: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true },
      json: { type: 'string' },
      ...Object.fromEntries(extraParts.map((part) => [part, { type: 'boolean' } as const])),
    },
  });
  const { quick, strict, only, json } = values;
  const known = [...parts, ...extraParts];
  const unknown = only?.find((part) => !known.includes(part));
  if (unknown !== undefined) throw new Error(`Expected --only ${known.join(' or ')}, got ${unknown}`);
  const asked = only ?? [...parts, ...extraParts.filter((part) => (values as Record<string, unknown>)[part] === true)];
  const results = join(import.meta.dirname, 'results');
  const jsonPath = json === undefined ? join(results, `${name}.json`) : resolve(json);

  const machine = describeMachine();
  console.log(
    `${machine.cpu}, ${machine.cores} cores, load ${machine.load}, Node ${machine.node}, SQLite ${machine.sqlite}`,
  );
  const effort = quick ? efforts.quick : efforts.full;
  const sections: Section[] = [];
  const context = { folder: makeFolder(results), effort, hasPart: (part: string) => asked.includes(part) };
  for await (const section of run(context)) {
    sections.push(section);
    console.log(formatSection(section));
  }
  mkdirSync(dirname(jsonPath), { recursive: true });
  writeFileSync(jsonPath, `${JSON.stringify({ machine, isQuick: quick, effort, sections }, null, 2)}\n`);

  const targets = sections.flatMap(({ figures }) => figures.filter(({ isMet }) => isMet !== undefined));
  const missed = targets.filter(({ isMet }) => isMet === false);
  console.log(`\n${targets.length - missed.length} of ${targets.length} targets met; figures in ${jsonPath}`);
  if (strict && missed.length > 0) process.exitCode = 1;
}

// Beside the results, because the temporary folder of many systems is in memory and would make every commit free.
function makeFolder(results: string): string {
  mkdirSync(results, { recursive: true });
  const folder = mkdtempSync(join(results, 'run-'));
  // Retried, because what was killed just now may still write.
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)
    process.on(signal, () => process.exit(code));
  return folder;
}

function describeMachine() {
  return {
    at: new Date().toISOString(),
    cpu: cpus()[0]?.model ?? 'unknown processor',
    cores: availableParallelism(),
    load: loadavg()[0]?.toFixed(1),
    node: process.versions.node,
    sqlite: process.versions.sqlite,
  };
}
