// `npm test`: every check, then every test. `npm run check` (--check) is the fast part alone. Arguments go to vitest:
// `npm test -- tests/inbox` runs those tests alone. `npm run test:clients` (--clients) runs every case of the real
// agent clients, and with --soak their waits of 11 minutes too. It ends with the slowest files and the time. The last
// line is always `N passed, N failed`, and `, N skipped` if there are any.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const isCheck = process.argv.includes('--check');
const isClients = process.argv.includes('--clients');
const isSoak = process.argv.includes('--soak');
const isCi = process.env['CI'] === 'true';
const extraArguments = process.argv.slice(2).filter((one) => !['--check', '--clients', '--soak'].includes(one));
const reportFolder = mkdtempSync(join(tmpdir(), 'beckon-test-'));
const startedAt = performance.now();
const SLOWEST = 20;

/** @typedef {{ name: string, command: string[], hint: string, env?: Record<string, string> }} Step */

/** @type {Step[]} */
const checks = [
  {
    name: 'format and import order',
    command: ['biome', 'check', '--error-on-warnings'],
    hint: 'npm run fix repairs it.',
  },
  {
    name: 'types and build',
    command: ['tsc', '-b', '.', 'packages/beckon', 'tsconfig.pages.json'],
    hint: 'The compiler’s messages are above.',
  },
  { name: 'inbox page', command: ['node', 'scripts/build-page.mjs'], hint: 'Vite’s messages are above.' },
  {
    name: 'page size',
    command: ['size-limit'],
    hint: 'Load what the first view does not need later, with lazy(). The limit is in .size-limit.mjs.',
  },
  {
    name: 'component size',
    command: ['npm', 'exec', '--workspace=beckon', '--', 'size-limit'],
    hint: 'What only some components need is loaded later. The limit is in packages/beckon/.size-limit.mjs.',
  },
  { name: 'lint', command: ['oxlint'], hint: 'npm run fix repairs some of it.' },
  { name: 'dead code', command: ['knip', '--no-config-hints'], hint: 'Remove what nobody uses, or see knip.json.' },
];

const { version } = JSON.parse(readFileSync(join(root, 'packages', 'beckon', 'package.json'), 'utf8'));
const tarball = join(reportFolder, `beckon-${version}.tgz`);

/** @type {Step[]} */
const packageChecks = [
  {
    name: 'pack',
    command: [
      'npm',
      'pack',
      '--silent',
      '--ignore-scripts',
      '--workspace=beckon',
      `--pack-destination=${reportFolder}`,
    ],
    hint: 'See npm’s messages above.',
  },
  { name: 'package', command: ['publint', '--strict', tarball], hint: 'See publint’s messages above.' },
  {
    name: 'package types',
    command: ['attw', tarball, '--profile', 'esm-only', '--format', 'ascii', '--no-emoji', '--no-summary'],
    hint: 'See the table above.',
  },
];

/** @type {Step} */
const browser = { name: 'browser', command: ['node', 'scripts/browser.mjs'], hint: 'See the message above.' };

/** @type {Step} */
const network = { name: 'network', command: ['node', 'scripts/network.mjs'], hint: 'See the message above.' };

/**
 * A run of vitest. Its report stays in the folder until the end.
 * @param {string} name
 * @param {string[]} args
 * @param {string} hint
 * @returns {Step}
 */
function toVitestStep(name, args, hint = 'See vitest’s messages above.') {
  const report = `--outputFile.json=${toReport(name)}`;
  return { name, command: ['vitest', 'run', '--reporter=default', '--reporter=json', report, ...args], hint };
}

/**
 * The agent clients take gigabytes: CI brings all, and on a person's machine those run that the person brought.
 * @type {Step}
 */
const clients = {
  name: isCi ? 'agent clients' : 'agent clients: tests run with those in place',
  command: ['node', 'scripts/clients.mjs', ...(isCi ? ['--all'] : [])],
  hint: 'All must be there on CI.',
};

/** @type {Step} */
const allCases = {
  ...toVitestStep('all cases of the clients', ['--project=clients', ...extraArguments]),
  env: {
    BECKON_CLIENT_CASES: isSoak ? 'soak' : 'all',
    BECKON_CLIENT_RESULTS: process.env['BECKON_CLIENT_RESULTS'] ?? join(root, 'reports', 'clients'),
  },
};

const rules = 'packages/beckon/src/architecture.test.ts';

/** @type {Step[]} */
const tests = isCheck
  ? [toVitestStep('import rules', ['--project=pure', rules], `See the rules in ${rules}.`)]
  : isClients
    ? [allCases]
    : extraArguments.length > 0
      ? [toVitestStep('tests', extraArguments)]
      : [
          toVitestStep('pure tests', [
            '--project=pure',
            '--coverage',
            '--coverage.reporter=text-summary',
            // A folder of its own, because vitest empties the folder of the reports and two runs may overlap.
            `--coverage.reportsDirectory=${reportFolder}/coverage`,
          ]),
          toVitestStep('real and system tests', ['--project=real', '--project=system']),
          // CI runs all of their cases afterwards.
          ...(isCi ? [] : [toVitestStep('client tests', ['--project=clients'])]),
        ];

/** @type {import('node:child_process').ChildProcess | undefined} */
let running;
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
  process.on(signal, () => running?.kill(signal));

process.exitCode = await main();
rmSync(reportFolder, { recursive: true, force: true });

/** @returns {Promise<number>} the exit code */
async function main() {
  for (const step of isClients
    ? [clients]
    : isCheck
      ? checks
      : [...checks, ...packageChecks, browser, network, clients])
    if (!(await runStep(step))) return finish({ passed: 0, failed: 1, skipped: 0 });
  let hasSucceeded = true;
  for (const step of tests) if (!(await runStep(step))) hasSucceeded = false;
  const files = tests.flatMap(({ name }) => readReport(name));
  const counts = countTests(files);
  // A crashed worker, a file that does not load or a missed coverage threshold fails no test, but it fails the run.
  if (!hasSucceeded && counts.failed === 0) counts.failed = 1;
  if (!isCheck) printSlowest(files);
  return finish(counts);
}

/** @param {{ passed: number, failed: number, skipped: number }} counts */
function finish({ passed, failed, skipped }) {
  console.log(`\nTotal time: ${toSeconds(performance.now() - startedAt)}`);
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  return failed > 0 ? 1 : 0;
}

/**
 * Runs one step with its output shown as it comes.
 * @param {Step} step
 * @returns {Promise<boolean>} whether it succeeded
 */
function runStep({ name, command: [tool = '', ...args], hint, env: own }) {
  console.log(`\n--- ${name}`);
  const stepStartedAt = performance.now();
  const bin = join(root, 'node_modules', '.bin');
  // Everything that a tool starts must find our Node first, even if npm did not start this file.
  const env = {
    ...process.env,
    ...toFastFolder(),
    ...own,
    PATH: `${bin}${delimiter}${dirname(process.execPath)}${delimiter}${process.env['PATH']}`,
  };
  return new Promise((resolve) => {
    running = spawn(tool, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env });
    running.on('error', (error) => console.error(error.message));
    running.on('close', (code) => {
      const time = toSeconds(performance.now() - stepStartedAt);
      console.log(code === 0 ? `--- ${name}: ok, ${time}` : `--- ${name}: FAILED after ${time}. ${hint}`);
      resolve(code === 0);
    });
  });
}

/**
 * @typedef {{ name: string, startTime: number, endTime: number, status: string, assertionResults: { status: string }[]
 * }} TestFile
 */

/**
 * The files of one run of vitest; a run that wrote no report has none.
 * @param {string} name
 * @returns {TestFile[]}
 */
function readReport(name) {
  const report = toReport(name);
  return existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')).testResults : [];
}

/** @param {string} name */
function toReport(name) {
  return join(reportFolder, `${name}.json`);
}

/**
 * A file that failed without a failed test, because it could not be loaded, counts as one failure.
 * @param {TestFile[]} files
 */
function countTests(files) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { status, assertionResults } of files) {
    const statuses = assertionResults.map((test) => test.status);
    const passed = statuses.filter((one) => one === 'passed').length;
    const failed = statuses.filter((one) => one === 'failed').length;
    counts.passed += passed;
    counts.failed += status === 'failed' ? Math.max(failed, 1) : failed;
    counts.skipped += statuses.length - passed - failed;
  }
  return counts;
}

/** @param {TestFile[]} files */
function printSlowest(files) {
  const timed = files.map(({ name, startTime, endTime }) => ({ name: relative(root, name), ms: endTime - startTime }));
  console.log(`\nThe slowest test files:`);
  for (const { name, ms } of timed.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST))
    console.log(`${toSeconds(ms).padStart(9)}  ${name}`);
}

/** @param {number} ms */
function toSeconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`;
}

/**
 * Temporary files of tests are in memory if there is room: a slow disk would hold up every commit.
 * @returns {{ TMPDIR?: string }}
 */
function toFastFolder() {
  const folder = '/dev/shm';
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > 4 * 2 ** 30 ? { TMPDIR: folder } : {};
  } catch {
    return {};
  }
}
