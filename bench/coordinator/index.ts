// `npm run bench:coordinator`: what the coordinator costs beside the core. bench/README.md says how to read the figures.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { formatSection } from '../table.ts';
import { benchCoordinator } from './round-trip.ts';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    strict: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
});
const results = join(import.meta.dirname, '..', 'results');
const jsonPath = options.json === undefined ? join(results, 'coordinator.json') : resolve(options.json);

// Beside the results, because the temporary folder of many systems is in memory and would make every commit free.
mkdirSync(results, { recursive: true });
const folder = mkdtempSync(join(results, 'run-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  process.on(signal, () => process.exit(code));

const machine = {
  at: new Date().toISOString(),
  cpu: cpus()[0]?.model ?? 'unknown processor',
  cores: availableParallelism(),
  load: loadavg()[0]?.toFixed(1),
  node: process.versions.node,
  sqlite: process.versions.sqlite,
};
console.log(
  `${machine.cpu}, ${machine.cores} cores, load ${machine.load}, Node ${machine.node}, SQLite ${machine.sqlite}`,
);
const effort = options.quick ? { rounds: 3, sliceMs: 500 } : { rounds: 9, sliceMs: 2000 };
const section = await benchCoordinator(folder, effort);
console.log(formatSection(section));
mkdirSync(dirname(jsonPath), { recursive: true });
writeFileSync(
  jsonPath,
  `${JSON.stringify({ machine, isQuick: options.quick, effort, sections: [section] }, null, 2)}\n`,
);
const isMissed = section.figures.some(({ isMet }) => isMet === false);
console.log(`\nThe target was ${isMissed ? 'missed' : 'met'}; figures in ${jsonPath}`);
if (options.strict && isMissed) process.exitCode = 1;
