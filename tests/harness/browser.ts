import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';
import { findChromium, findLightChromium } from '../../scripts/browser.mjs';

/** Where the browser is; `undefined` where the machine has none. `npm test` installs it where it can. */
export const CHROMIUM = findChromium();

/** Pushes come from the network beyond the machine, so it needs the part of Chromium that this turns off. */
const OFFLINE = '--disable-background-networking';
/** Flags for a machine without a screen, and without a network beyond itself. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-lcd-text',
  '--no-first-run',
  OFFLINE,
  '--disable-component-update',
  '--disable-sync',
];

/** Starts the browser behind a command. */
const WRAPPER = fileURLToPath(new URL('run-chromium.sh', import.meta.url));

interface BrowserOptions {
  /** Whether it needs what only the whole Chromium has: notifications, and pictures as people see them. */
  isWhole?: boolean;
  /** Added to the environment. */
  env?: Record<string, string>;
  /** In front of its command, such as the one that runs it on a machine of a test's network. */
  run?: readonly string[];
  /** SHA-256 of keys, in base64. Certificates with these keys are trusted. */
  trustedKeys?: readonly string[];
}

/** Starts a browser. Each of its contexts is like a browser that has never been used. */
export function openBrowser(options: BrowserOptions = {}): Promise<Browser> {
  const { isWhole = false, env = {}, run = [], trustedKeys = [] } = options;
  const path = isWhole ? CHROMIUM : findLightChromium();
  if (path === undefined) throw new Error('Expected a Chromium. Run "node scripts/browser.mjs".');
  const trust = trustedKeys.length === 0 ? [] : [`--ignore-certificate-errors-spki-list=${trustedKeys.join()}`];
  return chromium.launch({
    executablePath: run.length === 0 ? path : WRAPPER,
    headless: true,
    args: [...FLAGS, ...trust],
    env: { ...process.env, ...env, BECKON_TEST_CHROMIUM: path, BECKON_TEST_RUN: run.join(' ') },
  });
}

interface ProfileOptions extends Pick<BrowserOptions, 'env' | 'run'> {
  flags?: readonly string[];
  screen?: Pick<BrowserContextOptions, 'viewport' | 'isMobile' | 'hasTouch'>;
}

/**
 * Starts the whole Chromium as somebody has it who uses it every day: with a profile in `folder`. Only such a browser
 * subscribes to pushes, and lets its notifications be pressed. `flags` may name a push service.
 */
export function openProfile(folder: string, options: ProfileOptions = {}): Promise<BrowserContext> {
  const { env = {}, flags = [], run = [], screen = { viewport: { width: 1100, height: 800 } } } = options;
  if (CHROMIUM === undefined) throw new Error('Expected a Chromium. Run "node scripts/browser.mjs".');
  return chromium.launchPersistentContext(folder, {
    executablePath: run.length === 0 ? CHROMIUM : WRAPPER,
    headless: true,
    ...screen,
    ignoreDefaultArgs: [OFFLINE],
    args: [...FLAGS.filter((flag) => flag !== OFFLINE), ...flags],
    env: { ...process.env, ...env, BECKON_TEST_CHROMIUM: CHROMIUM, BECKON_TEST_RUN: run.join(' ') },
  });
}
