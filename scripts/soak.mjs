// `npm run soak`: runs the tests that look for rare failures again and again, with growing counts, until the time is
// up.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** @type {Readonly<Record<string, string>>} */
const PARTS = {
  crash: 'tests/crash',
  race: 'tests/race',
  model: 'tests/model',
  fuzz: 'tests/fuzz/server.test.ts',
  shell: 'tests/fuzz/shell.test.ts',
  presses: 'tests/inbox/second-press.test.ts',
  push: 'tests/inbox/push-chain.test.ts',
};

/** How long workers have to end what they started. */
const STOP_MS = 3000;

const HELP = `Usage: npm run soak -- [options] [part ...]

Runs the tests that look for rare failures again and again, with another seed and higher counts in each round.
Parts: ${Object.keys(PARTS).join(', ')}. Without one, all of them take turns.

  --minutes <n>  how long to go on (10)
  --seed <n>     the seed of the first round (random); each further round adds one
  --help         this text

Examples:
  npm run soak
  npm run soak -- --minutes 60 crash race
  npm run soak -- --minutes 1 --seed 4711 model

It stops at the first failure, prints how to repeat it, and ends with code 1. Ctrl-C stops it and prints the figures so far.`;

/** @typedef {{ minutes: number, seed: number, parts: string[] }} Options */
/** @typedef {{ part: string, seed: number, factor: number }} Slice */

/** @type {Map<string, Map<string, number>>} */
const figures = new Map();
const folder = mkdtempSync(join(tmpdir(), 'beckon-soak-'));
const stop = new AbortController();
// A second Ctrl-C ends the process at once.
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.once(signal, () => stop.abort());

process.exitCode = await main();
rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });

/** @returns {Promise<number>} the exit code */
async function main() {
  const options = readOptions(process.argv.slice(2));
  if (typeof options === 'string') {
    console.error(options);
    return 2;
  }
  if (options === null) {
    console.log(HELP);
    return 0;
  }
  console.log(`Soaking ${options.parts.join(', ')} for ${options.minutes} min, from seed ${options.seed}.`);
  const timer = setTimeout(() => stop.abort(), options.minutes * 60_000);
  const failure = await soak(options);
  clearTimeout(timer);
  printFigures();
  return failure ? 1 : 0;
}

/**
 * @param {string[]} args
 * @returns {Options | string | null} what is wrong with them as text; `null` if help was asked for
 */
function readOptions(args) {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        minutes: { type: 'string', default: '10' },
        seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (values.help === true) return null;
    const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
    if (!(minutes > 0 && minutes < 10_000)) return `Expected --minutes with a positive number, got ${values.minutes}.`;
    if (!Number.isSafeInteger(seed) || seed < 0)
      return `Expected --seed with a whole number from 0, got ${values.seed}.`;
    const unknown = positionals.find((part) => !Object.hasOwn(PARTS, part));
    if (unknown !== undefined) return `Expected a part of ${Object.keys(PARTS).join(', ')}, got ${unknown}.`;
    return { minutes, seed, parts: positionals.length > 0 ? positionals : Object.keys(PARTS) };
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)}\nSee: npm run soak -- --help`;
  }
}

/**
 * Takes the parts in turn until the time is up or one fails.
 * @param {Options} options
 * @returns {Promise<boolean>} whether one failed
 */
async function soak({ minutes, seed, parts }) {
  // A part whose slice took this long keeps its counts, so that every part has its turn.
  const longestMs = (minutes * 60_000) / (2 * parts.length);
  const factors = new Map(parts.map((part) => [part, 1]));
  for (let round = 0; ; round += 1) {
    for (const part of parts) {
      const factor = factors.get(part) ?? 1;
      const slice = { part, seed: seed + round, factor };
      const startedAt = performance.now();
      const hasPassed = await run(slice);
      if (stop.signal.aborted) return false;
      if (!hasPassed) return true;
      const ms = performance.now() - startedAt;
      console.log(`${part}: ok with seed ${slice.seed}, counts × ${factor}, ${(ms / 1000).toFixed(1)} s`);
      if (2 * ms < longestMs) factors.set(part, factor * 2);
    }
  }
}

/**
 * Runs the tests of a part once. What they print is shown if they fail.
 * @param {Slice} slice
 * @returns {Promise<boolean>} whether they passed
 */
async function run({ part, seed, factor }) {
  const path = PARTS[part] ?? '';
  const settings = { BECKON_SEED: String(seed), BECKON_SOAK: String(factor) };
  const program = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const vitest = spawn(process.execPath, [program, 'run', path, '--disable-console-intercept'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that what its workers started can be ended together.
    detached: true,
    // Tests that are stopped leave files behind; they go with the folder.
    env: { ...process.env, ...settings, TMPDIR: folder, NO_COLOR: '1' },
  });
  const end = () => signalGroup(vitest, 'SIGINT');
  stop.signal.addEventListener('abort', end);
  if (stop.signal.aborted) end();
  let output = '';
  for (const stream of [vitest.stdout, vitest.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  vitest.on('error', (error) => {
    output += error.message;
  });
  const code = await new Promise((resolve) => {
    vitest.on('close', resolve);
  });
  stop.signal.removeEventListener('abort', end);
  // Workers that were told to stop close their browsers first.
  if (stop.signal.aborted) await sleep(STOP_MS);
  signalGroup(vitest, 'SIGKILL');
  countFigures(part, output);
  if (code !== 0 && !stop.signal.aborted) {
    const variables = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
    console.error(`${output}\n${part}: FAILED with seed ${seed}. Repeat it:`);
    console.error(`  ${[...variables, 'npx vitest run', path].join(' ')}`);
  }
  return code === 0;
}

/**
 * @param {import('node:child_process').ChildProcess} leader
 * @param {NodeJS.Signals} signal
 */
function signalGroup({ pid }, signal) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // Nobody is left in the group.
  }
}

/**
 * Adds up what the tests printed as lines such as `sqlite: {"kills":16}`.
 * @param {string} part
 * @param {string} output
 */
function countFigures(part, output) {
  for (const [, name, json = ''] of output.matchAll(/^(\w+): (\{"[^{}]*\})$/gm)) {
    const key = `${part}, ${name}`;
    const sums = figures.get(key) ?? new Map();
    figures.set(key, sums);
    for (const [what, count] of Object.entries(JSON.parse(json))) sums.set(what, (sums.get(what) ?? 0) + Number(count));
  }
}

function printFigures() {
  console.log('\nFigures:');
  if (figures.size === 0) console.log('  none; no test came to its end');
  for (const [key, sums] of figures)
    console.log(`  ${key}: ${[...sums].map(([what, count]) => `${count} ${what}`).join(', ')}`);
}
