import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Pure code: these files start no Postgres, no browser and no process. */
const pure = [
  'packages/beckon/src/{calls,core,diff,presentation,protocol,react,risk,rules}/**/*.test.ts',
  'packages/beckon/src/{architecture,card-answers}.test.ts',
  'apps/inbox/**/*.test.ts',
];

/** These start a browser, two daemons or the real Claude Code, and mostly wait for them. */
const system = ['tests/{bridge,claude-code,inbox,react,remote}/**/*.test.ts'];

/** These run the real agent clients that are there. */
const clients = ['tests/clients/*.test.ts'];
/** The clients without Beckon: for whoever writes a driver, and for `npm run test:clients`. */
const wiring = process.env['BECKON_CLIENT_CASES'] === undefined ? ['tests/clients/wiring.test.ts'] : [];

const built = ['**/node_modules/**', '**/dist/**'];
/** Files share the modules of their worker: loading them again for each file took a third of the time. */
const shared = { pool: 'forks', isolate: false, testTimeout: 120_000, hookTimeout: 120_000 } as const;
const cores = availableParallelism();
/** Tests that wait leave the cores to others, so more files run at once than there are cores. */
const beside = { ...shared, maxWorkers: 2 * cores, sequence: { groupOrder: 1 } } as const;

/** The longest system tests, by their place in the list of the slowest files, from the end. */
const LONGEST = [
  'claude-code/questions',
  'inbox/tabs',
  'claude-code/plans',
  'claude-code/permissions',
  'inbox/hostile',
  'inbox/second-press',
];

/**
 * Long files start first, so the run does not end with one of them alone. System tests, which mostly wait, alternate
 * with the others, which mostly compute.
 */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const ranks = new Map(sorted.map((file) => [file, toRank(file)]));
    const ranked = sorted.toSorted((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0));
    const waiting = ranked.filter((file) => ranks.get(file) === 0).toSorted((a, b) => toLength(b) - toLength(a));
    const computing = ranked.filter((file) => ranks.get(file) !== 0);
    return computing.length < waiting.length
      ? ranked
      : computing.flatMap((file, index) => [...waiting.slice(index, index + 1), file]);
  }
}

/** The system tests that took longest come first. */
function toLength({ moduleId }: TestSpecification): number {
  return 1 + LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
}

/** System tests take longest, then files that run a whole suite, then those that start processes. */
function toRank({ project: { name }, moduleId }: TestSpecification): number {
  if (name === 'system' || name === 'clients') return 0;
  if (readFileSync(moduleId, 'utf8').includes('.testsuite.ts')) return 1;
  return moduleId.includes('/tests/') ? 2 : 3;
}

export default defineConfig({
  test: {
    // A busy machine may need more than the usual second.
    expect: { poll: { timeout: 30_000 } },
    sequence: { sequencer: LongFirst },
    projects: [
      { test: { ...shared, name: 'pure', include: pure, maxWorkers: cores } },
      {
        test: {
          ...beside,
          name: 'real',
          include: ['packages/*/src/**/*.test.ts', 'tests/**/*.test.ts', 'examples/**/*.test.ts'],
          exclude: [...built, ...pure, ...system, ...clients],
          globalSetup: 'tests/harness/global-setup.ts',
        },
      },
      {
        test: {
          ...beside,
          name: 'system',
          testTimeout: 180_000,
          hookTimeout: 180_000,
          include: system,
          exclude: built,
        },
      },
      {
        test: {
          ...beside,
          // Each is a heavy program with a terminal, which people at a busy machine would not hurry either.
          maxWorkers: cores,
          sequence: { groupOrder: 2 },
          name: 'clients',
          testTimeout: 180_000,
          hookTimeout: 180_000,
          include: clients,
          exclude: [...built, ...wiring],
        },
      },
    ],
    coverage: {
      provider: 'v8',
      include: ['packages/beckon/src/{core,presentation,protocol}/**/*.ts'],
      exclude: ['**/*.test.ts', 'packages/beckon/src/testing/**'],
      reporter: ['text-summary', 'html', 'json-summary'],
      thresholds: { branches: 100 },
    },
  },
});
