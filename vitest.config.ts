import { defineConfig } from 'vitest/config';

/** Pure code: these files start no database, so a run of them alone is over in a second. */
const pure = [
  'packages/beckon/src/{core,presentation,protocol}/**/*.test.ts',
  'packages/beckon/src/architecture.test.ts',
  'apps/inbox/**/*.test.ts',
];

/** What starts many processes, a browser or the real Claude Code: one file at a time, when nothing else runs. */
const system = ['tests/{bridge,claude-code,inbox,react}/**/*.test.ts'];

const shared = { pool: 'forks', testTimeout: 120_000, hookTimeout: 120_000 } as const;
const built = ['**/node_modules/**', '**/dist/**'];

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      { test: { ...shared, name: 'pure', include: pure } },
      {
        test: {
          ...shared,
          name: 'real',
          include: ['packages/*/src/**/*.test.ts', 'tests/**/*.test.ts', 'examples/**/*.test.ts'],
          exclude: [...built, ...pure, ...system],
          globalSetup: 'tests/harness/global-setup.ts',
        },
      },
      {
        test: {
          ...shared,
          name: 'system',
          testTimeout: 180_000,
          hookTimeout: 180_000,
          include: system,
          exclude: built,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
    coverage: {
      provider: 'v8',
      include: ['packages/beckon/src/**/*.ts'],
      exclude: ['**/*.test.ts', '**/*.testsuite.ts'],
      reporter: ['text-summary', 'html', 'json-summary'],
      thresholds: {
        'packages/beckon/src/core/**': { branches: 100 },
        'packages/beckon/src/presentation/**': { branches: 100 },
        'packages/beckon/src/protocol/**': { branches: 100 },
      },
    },
  },
});
