import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';
import { findChromium } from '../../scripts/browser.mjs';

/** Where the browser is; `undefined` where the machine has none. `npm test` installs it where it can. */
export const CHROMIUM = findChromium();

/** Flags for a machine without a screen, and without a network beyond itself. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Opens a browser that has never been used. Closing it leaves nothing behind. */
export async function openBrowser(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  if (CHROMIUM === undefined) throw new Error('Expected a Chromium. Run "node scripts/browser.mjs".');
  const folder = mkdtempSync(join(tmpdir(), 'beckon-browser-'));
  const browser = await chromium.launchPersistentContext(folder, {
    ...options,
    executablePath: CHROMIUM,
    headless: true,
    args: FLAGS,
  });
  browser.on('close', () => rmSync(folder, { recursive: true, force: true }));
  return browser;
}
