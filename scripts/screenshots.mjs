// `npm run screenshots` takes pictures of every view of the inbox page into docs/images/: light, dark and on a phone.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import UPNG from 'upng-js';
import { openBrowser } from '../tests/harness/browser.ts';
import { CliBench } from '../tests/harness/cli.ts';
import { writeFonts } from './pictures/fonts.mjs';
import { writeHistory } from './pictures/history.mjs';
import { createLink } from './pictures/login.mjs';
import { PLAN_SESSION, SESSION, sendBackPlan, tellStory } from './pictures/story.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {{ name: string, path: string, isLoggedOut?: true, prepare: (page: Page) => Promise<unknown> }} View */

const output = join(dirname(dirname(fileURLToPath(import.meta.url))), 'docs', 'images');
const only = process.argv.slice(2);

/** How each view is taken. @type {Record<string, import('playwright-core').BrowserContextOptions>} */
const LOOKS = {
  light: { viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  dark: {
    viewport: { width: 1280, height: 800 },
    colorScheme: 'dark',
    userAgent: toAgent('Macintosh; Intel Mac OS X 10_15_7'),
  },
  phone: {
    viewport: { width: 390, height: 780 },
    colorScheme: 'light',
    isMobile: true,
    hasTouch: true,
    userAgent: toAgent('Linux; Android 15; Pixel 9', 'Mobile '),
  },
};

const folder = mkdtempSync(join(tmpdir(), 'beckon-pictures-'));
const bench = await CliBench.open();
try {
  await takeAll();
} finally {
  await bench.close();
  rmSync(folder, { recursive: true });
}

async function takeAll() {
  mkdirSync(bench.home, { mode: 0o700 });
  const { ids, answered, session } = await writeLifelikeData(`sqlite:${join(bench.home, 'beckon.db')}`);
  const daemon = await bench.up();
  writeFileSync(join(folder, 'fonts.conf'), FONTS);
  const browser = await openBrowser({ FONTCONFIG_FILE: join(folder, 'fonts.conf') });
  mkdirSync(output, { recursive: true });
  const views = toViews(ids, answered, session);
  const wanted = only.length === 0 ? views : views.filter(({ name }) => only.includes(name));
  for (const [look, options] of Object.entries(LOOKS)) {
    const settings = { ...options, locale: 'en-GB', reducedMotion: /** @type {const} */ ('reduce') };
    const [insider, outsider] = await Promise.all([browser.newContext(settings), browser.newContext(settings)]);
    const page = await insider.newPage();
    await page.goto(await createLink(daemon.url));
    await page.getByRole('navigation', { name: 'Views' }).waitFor();
    for (const { name, path, isLoggedOut, prepare } of wanted) {
      const shown = isLoggedOut ? await outsider.newPage() : page;
      await shown.goto(`${daemon.url}${path}`);
      await prepare(shown);
      // Buttons are dimmed for a moment after a request comes into view.
      await shown.locator('[data-decides][aria-disabled="true"]').first().waitFor({ state: 'hidden' });
      const picture = await shown.screenshot({ animations: 'disabled', caret: 'hide' });
      writeFileSync(join(output, `${name}-${look}.png`), toPalette(picture));
    }
    await Promise.all([insider.close(), outsider.close()]);
  }
  await browser.close();
  const bytes = readdirSync(output).reduce((sum, file) => sum + statSync(join(output, file)).size, 0);
  console.log(
    `${wanted.length * Object.keys(LOOKS).length} pictures taken; docs/images has ${Math.round(bytes / 1024)} KB.`,
  );
}

/**
 * @param {Record<string, string>} ids
 * @param {string} answered
 * @param {string} session
 * @returns {View[]}
 */
function toViews(ids, answered, session) {
  return [
    { name: 'pending', path: '/', prepare: (page) => page.getByRole('link', { name: /Rate limits/ }).waitFor() },
    {
      name: 'question',
      path: `/i/${ids['question']}`,
      prepare: async (page) => {
        await page.getByRole('radio', { name: /European Central Bank/ }).check();
        await page.getByText('Enough for prices').waitFor();
        await page.getByText('no key, no contract').waitFor();
      },
    },
    {
      name: 'plan',
      path: `/i/${ids['plan']}`,
      prepare: (page) => page.getByRole('heading', { name: 'Rate limits for the public API' }).waitFor(),
    },
    { name: 'edit', path: `/i/${ids['edit']}`, prepare: (page) => page.getByText(/\d added, \d removed/).waitFor() },
    {
      name: 'command',
      path: `/i/${ids['command']}`,
      prepare: (page) => page.getByRole('button', { name: 'Allow', exact: true }).waitFor(),
    },
    {
      name: 'form',
      path: `/i/${ids['form']}`,
      prepare: (page) => page.getByRole('button', { name: 'Send' }).waitFor(),
    },
    {
      name: 'history',
      path: `/history?open=${answered}`,
      prepare: async (page) => {
        await page.getByRole('button', { name: 'Show log' }).click();
        await page.getByRole('region', { name: 'Log' }).getByRole('listitem').first().waitFor();
      },
    },
    {
      name: 'session',
      path: `/sessions/${session}`,
      prepare: (page) => page.getByRole('region', { name: 'Timeline' }).waitFor(),
    },
    {
      name: 'statistics',
      path: '/statistics',
      prepare: (page) => page.locator('.beckon-plot svg').nth(2).waitFor(),
    },
    { name: 'devices', path: '/devices', prepare: (page) => page.getByRole('list', { name: 'Devices' }).waitFor() },
    {
      name: 'shortcuts',
      path: '/',
      prepare: async (page) => {
        await page.getByRole('link', { name: /Rate limits/ }).waitFor();
        await page.keyboard.press('?');
        await page.getByRole('dialog').waitFor();
      },
    },
    { name: 'login', path: '/', isLoggedOut: true, prepare: (page) => page.getByText('Log in to Beckon').waitFor() },
  ];
}

/**
 * A browser's user agent; the page lists devices by it.
 * @param {string} system
 */
function toAgent(system, mobile = '') {
  return `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 ${mobile}Safari/537.36`;
}

/**
 * A page has few colors: 256 of them say nearly the same in less than half of the bytes.
 * @param {Buffer} picture
 */
function toPalette(picture) {
  const image = UPNG.decode(new Uint8Array(picture).buffer);
  return Buffer.from(UPNG.encode(UPNG.toRGBA8(image), image.width, image.height, 256));
}
