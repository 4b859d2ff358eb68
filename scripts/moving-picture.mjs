// `npm run moving-picture`: one request is answered on the page, one on a phone and one in a terminal, all real, and
// the pictures of it become docs/images/beckon.png, an animated PNG.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import UPNG from 'upng-js';
import { openBrowser } from '../tests/harness/browser.ts';
import { CliBench, main } from '../tests/harness/cli.ts';
import { writeFonts } from './pictures/fonts.mjs';
import { createLink } from './pictures/login.mjs';
import { tellStory } from './pictures/story.mjs';
import { toHtml } from './pictures/terminal-html.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {{ picture: Buffer, ms: number }} Frame */

const OUTPUT = join(dirname(dirname(fileURLToPath(import.meta.url))), 'docs', 'images', 'beckon.png');
const WIDTH = 960;
const HEIGHT = 600;
const COLORS = 96;
const MOST_BYTES = 2_000_000;

const folder = mkdtempSync(join(tmpdir(), 'beckon-moving-'));
const socket = `beckon-moving-${process.pid}`;
const bench = await CliBench.open();
const browser = await openBrowser({ isWhole: true, env: { FONTCONFIG_FILE: writeFonts(folder) } });
try {
  const daemon = await bench.up();
  await tellStory(bench, { url: daemon.url, only: ['webshop', 'infra'] });
  const stage = await (await browser.newContext({ viewport: { width: WIDTH, height: HEIGHT } })).newPage();
  const frames = [
    ...(await showPage(daemon.url, stage)),
    ...(await showPhone(daemon.url, stage)),
    ...(await showTerminal(stage)),
  ];
  const bytes = write(frames);
  console.log(`docs/images/beckon.png has ${frames.length} pictures and ${Math.round(bytes / 1024)} KB.`);
  if (bytes > MOST_BYTES) throw new Error(`Expected at most ${MOST_BYTES} bytes, got ${bytes}.`);
} finally {
  await browser.close();
  try {
    tmux('kill-server');
  } catch {
    // It has ended by itself.
  }
  await bench.close();
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Allows an edit on the page, with one key.
 * @param {string} url
 * @param {Page} stage
 */
async function showPage(url, stage) {
  const page = await logIn(url, { viewport: { width: 1280, height: 740 } });
  /** @type {Frame[]} */
  const frames = [];
  const add = async (/** @type {string} */ caption, /** @type {number} */ ms) =>
    frames.push(
      await compose(stage, caption, toImage(await page.screenshot({ animations: 'disabled' }), 'desktop'), ms),
    );
  await page
    .getByRole('link', { name: /total\.ts/ })
    .first()
    .waitFor();
  await add('Two agents wait for you. Press j to open the first request.', 2600);
  await page.keyboard.press('j');
  await page.getByRole('button', { name: /^Allow/ }).waitFor();
  await isReady(page);
  await add('The change, in its file, and why. Press y to allow it.', 3800);
  await page.keyboard.press('y');
  await page
    .getByText(/^Allowed/)
    .first()
    .waitFor();
  await sleep(800);
  await add('Allowed. Claude Code goes on, and the next request opens.', 2400);
  await page.context().close();
  return frames;
}

/**
 * Answers the questions of one call on a phone.
 * @param {string} url
 * @param {Page} stage
 */
async function showPhone(url, stage) {
  const page = await logIn(url, { viewport: { width: 390, height: 780 }, isMobile: true, hasTouch: true });
  /** @type {Frame[]} */
  const frames = [];
  const add = async (/** @type {string} */ caption, /** @type {number} */ ms) =>
    frames.push(await compose(stage, caption, toImage(await page.screenshot({ animations: 'disabled' }), 'phone'), ms));
  await page
    .getByRole('link', { name: /exchange rates/ })
    .first()
    .tap();
  await page.getByText('European Central Bank').first().waitFor();
  await add('Four questions of one call, on the phone.', 2400);
  for (const label of ['European Central Bank', 'Per item', 'No, leave them', 'An hour']) {
    await page.getByText(label, { exact: true }).first().tap();
    await sleep(500);
    if (label === 'Per item') await add('A tap for each.', 1400);
  }
  await isReady(page);
  await add('All answers together, in one tap.', 2600);
  await page.getByRole('button', { name: /^Send/ }).tap();
  await sleep(1200);
  await add('Sent.', 1600);
  await page.context().close();
  return frames;
}

/**
 * Denies a command in a terminal.
 * @param {Page} stage
 */
async function showTerminal(stage) {
  const env = `BECKON_HOME=${bench.home} TERM=xterm-256color`;
  tmux(
    '-u',
    '-f',
    '/dev/null',
    'new-session',
    '-d',
    '-x',
    '96',
    '-y',
    '28',
    `env ${env} ${process.execPath} ${main} inbox`,
  );
  /** @type {Frame[]} */
  const frames = [];
  const add = async (/** @type {string} */ caption, /** @type {number} */ ms) =>
    frames.push(await compose(stage, caption, toHtml(tmux('capture-pane', '-p', '-e')), ms));
  await see(/webshop/);
  await add('The same in any terminal: beckon inbox.', 2600);
  await sleep(900);
  tmux('send-keys', 'Enter');
  await see(/git push/);
  await sleep(900);
  await add('Press n to deny it.', 3000);
  tmux('send-keys', 'n');
  await see(/[Dd]enied/);
  await add('Denied, and Claude Code knows why it stops.', 2600);
  return frames;
}

/**
 * @param {string} url
 * @param {import('playwright-core').BrowserContextOptions} options
 */
async function logIn(url, options) {
  const context = await browser.newContext({ ...options, locale: 'en-US', reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(await createLink(bench.home, url));
  await page.getByRole('navigation', { name: 'Views' }).waitFor();
  return page;
}

/**
 * Waits until the decisions are no longer dimmed.
 * @param {Page} page
 */
function isReady(page) {
  return page.locator('[data-decides][aria-disabled="true"]').first().waitFor({ state: 'hidden' });
}

/**
 * @param {Buffer} picture
 * @param {string} kind
 */
function toImage(picture, kind) {
  return `<img class="${kind}" src="data:image/png;base64,${picture.toString('base64')}">`;
}

/**
 * One frame: a caption, and below it what is on a screen.
 * @param {Page} stage
 * @param {string} caption
 * @param {string} screen
 * @param {number} ms
 * @returns {Promise<Frame>}
 */
async function compose(stage, caption, screen, ms) {
  await stage.setContent(`<!doctype html><style>
    body { margin: 0; height: ${HEIGHT}px; background: #eef1f6; font: 20px 'Liberation Sans'; color: #1c2430;
      display: flex; flex-direction: column; align-items: center; }
    p { margin: 12px 0 10px; height: 26px; }
    img, pre { border-radius: 8px; box-shadow: 0 2px 12px #0003; }
    .desktop { width: 904px; } .phone { height: 536px; }
    pre { margin: 0; padding: 14px 18px; background: #14181f; color: #d7dde8; font: 15px/18px 'Liberation Mono'; width: 864px; height: 508px; }
  </style><p>${caption}</p>${screen}`);
  await stage.evaluate(() => Promise.all([...document.images].map((image) => image.decode())));
  return { picture: await stage.screenshot(), ms };
}

/** @param {Frame[]} frames */
function write(frames) {
  const images = frames.map(({ picture }) => {
    const image = UPNG.decode(new Uint8Array(picture).buffer);
    return /** @type {ArrayBuffer} */ (UPNG.toRGBA8(image)[0]);
  });
  const delays = frames.map(({ ms }) => ms);
  const encoded = Buffer.from(UPNG.encode(images, WIDTH, HEIGHT, COLORS, delays));
  writeFileSync(OUTPUT, encoded);
  return encoded.length;
}

/** @param {string[]} args */
function tmux(...args) {
  return execFileSync('tmux', ['-L', socket, ...args], { encoding: 'utf8', stdio: 'pipe' });
}

/** @param {RegExp} pattern */
async function see(pattern) {
  for (let tries = 0; tries < 200; tries += 1) {
    if (pattern.test(tmux('capture-pane', '-p'))) return;
    await sleep(100);
  }
  throw new Error(`Expected a screen with ${pattern}:\n${tmux('capture-pane', '-p')}`);
}
