import { defineConfig } from 'vitest/config';

/** Pure code: these files start no database, so a run of them alone is over in a second. */
const pure = [
  'packages/beckon/src/{core,protocol}/**/*.test.ts',
  'packages/beckon/src/architecture.test.ts',
  'apps/inbox/**/*.test.ts',
];

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
          exclude: ['**/node_modules/**', '**/dist/**', ...pure],
          globalSetup: 'tests/harness/global-setup.ts',
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
