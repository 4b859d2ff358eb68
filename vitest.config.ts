import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Pure code: these files start no database, no browser and no process. */
const pure = [
  'packages/beckon/src/{core,presentation,protocol}/**/*.test.ts',
  'packages/beckon/src/architecture.test.ts',
  'apps/inbox/**/*.test.ts',
];

/** These start a browser, two daemons or the real Claude Code, and mostly wait for them. */
const system = ['tests/{bridge,claude-code,inbox,react}/**/*.test.ts'];

const built = ['**/node_modules/**', '**/dist/**'];
const shared = { pool: 'forks', testTimeout: 120_000, hookTimeout: 120_000 } as const;
const cores = availableParallelism();
/** Tests that wait leave the cores to others, so more files run at once than there are cores. */
const beside = { ...shared, maxWorkers: 2 * cores, sequence: { groupOrder: 1 } } as const;

/** The longest files are system tests. They start first, so the run does not end with one of them alone. */
class SystemFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = (file: TestSpecification): number => ['pure', 'system', 'real'].indexOf(file.project.name);
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: SystemFirst },
    projects: [
      { test: { ...shared, name: 'pure', include: pure, maxWorkers: cores } },
      {
        test: {
          ...beside,
          name: 'real',
          include: ['packages/*/src/**/*.test.ts', 'tests/**/*.test.ts', 'examples/**/*.test.ts'],
          exclude: [...built, ...pure, ...system],
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
