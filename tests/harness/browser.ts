import { type Browser, chromium } from 'playwright-core';
import { findChromium } from '../../scripts/browser.mjs';

/** Where the browser is; `undefined` where the machine has none. `npm test` installs it where it can. */
export const CHROMIUM = findChromium();

/** Flags for a machine without a screen, and without a network beyond itself. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-lcd-text',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Starts a browser. Each of its contexts is like a browser that has never been used. `env` is added to the environment.
 */
export function openBrowser(env: Record<string, string> = {}): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error('Expected a Chromium. Run "node scripts/browser.mjs".');
  return chromium.launch({ executablePath: CHROMIUM, headless: true, args: FLAGS, env: { ...process.env, ...env } });
}
