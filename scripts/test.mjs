// `npm test`: every check, then every test. `npm run check` (--check) is the fast part alone.
// The last line printed is always `N passed, N failed`, with `, N skipped` where there are any.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const isCheck = process.argv.includes('--check');
const extraArguments = process.argv.slice(2).filter((argument) => argument !== '--check');
const reportFolder = mkdtempSync(join(tmpdir(), 'beckon-test-'));
const report = join(reportFolder, 'vitest.json');

/** @typedef {{ name: string, command: string[], hint: string }} Step */

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

const vitest = ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];

/** @type {Step} */
const tests = isCheck
  ? {
      name: 'import rules',
      command: [...vitest, '--project=pure', 'packages/beckon/src/architecture.test.ts'],
      hint: 'See the rules in packages/beckon/src/architecture.test.ts.',
    }
  : {
      name: 'tests',
      // A folder of its own, because vitest empties the folder of the reports and two runs may overlap.
      command: [
        ...vitest,
        '--coverage',
        '--coverage.reporter=text-summary',
        `--coverage.reportsDirectory=${reportFolder}/coverage`,
        ...extraArguments,
      ],
      hint: 'See vitest’s messages above.',
    };

/** @type {Step} */
const claudeCode = {
  name: 'Claude Code, for its tests alone',
  command: ['node', 'scripts/claude-code.mjs'],
  hint: 'It must be there on CI.',
};

/** @type {import('node:child_process').ChildProcess | undefined} */
let running;
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
  process.on(signal, () => running?.kill(signal));

process.exitCode = await main();
rmSync(reportFolder, { recursive: true, force: true });

/** @returns {Promise<number>} the exit code */
async function main() {
  for (const step of isCheck ? checks : [...checks, ...packageChecks, browser, claudeCode])
    if (!(await runStep(step))) return finish({ passed: 0, failed: 1, skipped: 0 });
  const succeeded = await runStep(tests);
  const counts = readCounts();
  // A crashed worker or a missed coverage threshold fails no test, but it fails the run.
  if (!succeeded && counts.failed === 0) counts.failed = 1;
  return finish(counts);
}

/** @param {{ passed: number, failed: number, skipped: number }} counts */
function finish({ passed, failed, skipped }) {
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  return failed > 0 ? 1 : 0;
}

/**
 * Runs one step with its output shown as it comes.
 * @param {Step} step
 * @returns {Promise<boolean>} whether it succeeded
 */
function runStep({ name, command: [tool = '', ...args], hint }) {
  console.log(`\n--- ${name}`);
  const started = performance.now();
  const bin = join(root, 'node_modules', '.bin');
  // Whatever a tool starts in turn must find our Node first, also when this file was not started by npm.
  const env = {
    ...process.env,
    PATH: `${bin}${delimiter}${dirname(process.execPath)}${delimiter}${process.env['PATH']}`,
  };
  return new Promise((resolve) => {
    running = spawn(tool, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env });
    running.on('error', (error) => console.error(error.message));
    running.on('close', (code) => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      console.log(code === 0 ? `--- ${name}: ok, ${seconds} s` : `--- ${name}: FAILED after ${seconds} s. ${hint}`);
      resolve(code === 0);
    });
  });
}

/** Vitest's own counts. A file that could not even be loaded counts as one failure. */
function readCounts() {
  try {
    /** @type {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number, testResults: { status: string, assertionResults: { status: string }[] }[] }} */
    const result = JSON.parse(readFileSync(report, 'utf8'));
    const broken = result.testResults.filter(
      (file) => file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed'),
    );
    return {
      passed: result.numPassedTests,
      failed: result.numFailedTests + broken.length,
      skipped: result.numPendingTests + result.numTodoTests,
    };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}
