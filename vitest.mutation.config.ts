import { defineConfig } from 'vitest/config';

/** What Stryker runs for each mutant: only the tests that judge `core`. */
export default defineConfig({
  test: { include: ['packages/beckon/src/{core,protocol}/**/*.test.ts'] },
});
