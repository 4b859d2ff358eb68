import { type Browser, chromium } from 'playwright-core';
import { findChromium, findLightChromium } from '../../scripts/browser.mjs';

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

interface BrowserOptions {
  /** Whether it needs what only the whole Chromium has: notifications, and pictures as people see them. */
  isWhole?: boolean;
  /** Added to the environment. */
  env?: Record<string, string>;
}

/** Starts a browser. Each of its contexts is like a browser that has never been used. */
export function openBrowser({ isWhole = false, env = {} }: BrowserOptions = {}): Promise<Browser> {
  const executablePath = isWhole ? CHROMIUM : findLightChromium();
  if (executablePath === undefined) throw new Error('Expected a Chromium. Run "node scripts/browser.mjs".');
  return chromium.launch({ executablePath, headless: true, args: FLAGS, env: { ...process.env, ...env } });
}
