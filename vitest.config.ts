import { defineConfig } from 'vitest/config';

/** Pure code: these files start no database, so a run of them alone is over in a second. */
const pure = ['packages/beckon/src/{core,protocol}/**/*.test.ts', 'packages/beckon/src/architecture.test.ts'];

const shared = { pool: 'forks', testTimeout: 60_000, hookTimeout: 60_000 } as const;

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
          exclude: ['**/node_modules/**', '**/dist/**', 'tests/claude-code/**', ...pure],
          globalSetup: 'tests/harness/global-setup.ts',
        },
      },
      {
        // The real Claude Code is a program that wants the machine for itself: after everything else, one file at a time.
        test: {
          ...shared,
          name: 'claude-code',
          include: ['tests/claude-code/**/*.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          fileParallelism: false,
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
        'packages/beckon/src/protocol/**': { branches: 100 },
      },
    },
  },
});
