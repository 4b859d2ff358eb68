import { describe } from 'vitest';
import { CHROMIUM } from '../harness/browser.ts';

/** Tests that need a browser. They are skipped where there is none; `npm test` says so. */
export function describeInChromium(name: string, tests: () => void): void {
  // oxlint-disable-next-line vitest/valid-title, vitest/valid-describe-callback -- it hands on what it was given
  describe.skipIf(CHROMIUM === undefined)(name, { timeout: 120_000 }, tests);
}
