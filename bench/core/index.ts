// `npm run bench:core`: the speed and memory of the durable core. bench/README.md says how to read the figures.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Section } from '../figure.ts';
import { formatSection } from '../table.ts';
import { type Effort, FEW_PENDING, FULL, QUICK } from './effort.ts';
import { fillStore } from './fill.ts';
import { benchLargeStore } from './large-store.ts';
import { benchMemory } from './memory.ts';
import { benchPostgresRoundTrips, benchRoundTrips } from './round-trip.ts';

const PARTS = ['round-trip', 'scale', 'memory', 'postgres'];

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    strict: { type: 'boolean', default: false },
    postgres: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    json: { type: 'string' },
  },
});
const results = join(import.meta.dirname, '..', 'results');
const jsonPath = options.json === undefined ? join(results, 'core.json') : resolve(options.json);
const parts = options.only ?? PARTS.filter((part) => part !== 'postgres' || options.postgres);
const unknownPart = parts.find((part) => !PARTS.includes(part));
if (unknownPart !== undefined) throw new Error(`Expected --only ${PARTS.join(' or ')}, got ${unknownPart}`);

// Beside the results, because the temporary folder of many systems is in memory and would make every commit free.
mkdirSync(results, { recursive: true });
const folder = mkdtempSync(join(results, 'run-'));
const removeFolder = (): void => rmSync(folder, { recursive: true, force: true });
process.on('exit', removeFolder);
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  process.on(signal, () => process.exit(code));

const effort = options.quick ? QUICK : FULL;
const machine = describeMachine();
console.log(
  `${machine.cpu}, ${machine.cores} cores, load ${machine.load}, Node ${machine.node}, SQLite ${machine.sqlite}`,
);
const sections: Section[] = [];
for await (const section of runParts(effort)) {
  sections.push(section);
  console.log(formatSection(section));
}
mkdirSync(dirname(jsonPath), { recursive: true });
writeFileSync(jsonPath, `${JSON.stringify({ machine, isQuick: options.quick, effort, sections }, null, 2)}\n`);

const targets = sections.flatMap(({ figures }) => figures.filter(({ isMet }) => isMet !== undefined));
const missed = targets.filter(({ isMet }) => isMet === false);
console.log(`\n${targets.length - missed.length} of ${targets.length} targets met; figures in ${jsonPath}`);
if (options.strict && missed.length > 0) process.exitCode = 1;

async function* runParts(wanted: Effort): AsyncGenerator<Section> {
  if (parts.includes('round-trip')) yield await benchRoundTrips(folder, wanted);
  if (parts.includes('scale') || parts.includes('memory')) {
    const files = { few: join(folder, 'few.db'), many: join(folder, 'many.db') };
    console.log(`\nFilling a store with ${wanted.pending.toLocaleString('en')} pending interactions …`);
    await fillStore(files.few, FEW_PENDING);
    await fillStore(files.many, wanted.pending);
    if (parts.includes('scale')) yield await benchLargeStore(files, wanted);
    if (parts.includes('memory')) yield* await benchMemory(folder, files, wanted);
  }
  if (parts.includes('postgres')) yield await runPostgres(wanted);
}

async function runPostgres(wanted: Effort): Promise<Section> {
  const { startPostgres } = await import('../../tests/harness/postgres-server.ts');
  const { openPostgresDriver } = await import('../../packages/beckon/src/store/postgres/postgres-driver.ts');
  const server = await startPostgres();
  try {
    let count = 0;
    const openDatabase = async () => {
      count += 1;
      return openPostgresDriver(await server.createDatabase(`bench_${count}`));
    };
    return await benchPostgresRoundTrips(openDatabase, wanted);
  } finally {
    await server.dispose();
  }
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
