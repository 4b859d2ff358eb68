// `npm run screenshots` takes pictures of every view of the inbox page into docs/images/: light, dark and on a phone.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBrowser } from '../tests/harness/browser.ts';
import { CliBench } from '../tests/harness/cli.ts';
import { writeFonts } from './pictures/fonts.mjs';
import { writeHistory } from './pictures/history.mjs';
import { createLink } from './pictures/login.mjs';
import { takePicture } from './pictures/page-picture.mjs';
import { makeRules } from './pictures/rules.mjs';
import { SESSION, tellStory } from './pictures/story.mjs';

/** @typedef {import('playwright-core').Page} Page */
/**
 * @typedef {{ name: string, path: string, isLoggedOut?: true, isOffered?: true,
 * prepare: (page: Page, isPhone: boolean) => Promise<unknown> }} View
 */

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
  const answered = await writeHistory(`sqlite:${join(bench.home, 'beckon.db')}`);
  const daemon = await bench.up();
  await makeRules(await tellStory(bench, { url: daemon.url }));
  const browser = await openBrowser({ isWhole: true, env: { FONTCONFIG_FILE: writeFonts(folder) } });
  mkdirSync(output, { recursive: true });
  const views = toViews(answered);
  const wanted = only.length === 0 ? views : views.filter(({ name }) => only.includes(name));
  for (const [look, options] of Object.entries(LOOKS)) {
    const settings = { ...options, locale: 'en-GB', reducedMotion: /** @type {const} */ ('reduce') };
    const [insider, outsider] = await Promise.all([browser.newContext(settings), browser.newContext(settings)]);
    const page = await insider.newPage();
    await page.goto(await createLink(bench.home, daemon.url));
    await page.getByRole('navigation', { name: 'Views' }).waitFor();
    for (const { name, path, isLoggedOut, isOffered, prepare } of wanted) {
      const shown = isLoggedOut ? await outsider.newPage() : page;
      await shown.goto(`${daemon.url}${path}`);
      await prepare(shown, look === 'phone');
      // Buttons are dimmed for a moment after a request comes into view.
      if (!isOffered) await shown.locator('[data-decides][aria-disabled="true"]').first().waitFor({ state: 'hidden' });
      const picture = await takePicture(shown, join(bench.folder, 'work'));
      writeFileSync(join(output, `${name}-${look}.png`), picture);
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
 * @param {string} answered
 * @returns {View[]}
 */
function toViews(answered) {
  return [
    { name: 'pending', path: '/', prepare: (page) => page.getByRole('link', { name: /total\.ts/ }).waitFor() },
    {
      name: 'question',
      path: '/',
      prepare: async (page) => {
        await open(page, /exchange rates/);
        await page.getByText('European Central Bank').first().click();
        await page.getByText('When do we round?').first().waitFor();
      },
    },
    {
      name: 'plan',
      path: '/',
      prepare: async (page) => {
        await open(page, /Rate limits/);
        await page.getByText(/would/).first().waitFor();
      },
    },
    {
      name: 'edit',
      path: '/',
      prepare: async (page) => {
        await open(page, /total\.ts/);
        await page.getByText(/\d added, \d removed/).waitFor();
      },
    },
    { name: 'command', path: '/', prepare: (page) => open(page, /feature\/currency/) },
    {
      name: 'danger',
      path: '/',
      isOffered: true,
      prepare: async (page) => {
        await open(page, /push --force/);
        const allow = page.getByRole('button', { name: /^Allow/ });
        await allow.and(page.locator('[aria-disabled="false"]')).click();
        await page
          .getByRole('button', { name: /^Allow anyway/ })
          .and(page.locator('[aria-disabled="false"]'))
          .waitFor();
      },
    },
    {
      name: 'remember',
      path: '/',
      prepare: async (page, isPhone) => {
        await open(page, /--run src\/cart/);
        const remember = page.getByRole('button', { name: 'Remember…' }).and(page.locator(':enabled:visible'));
        if (isPhone) await page.getByRole('button', { name: 'More choices' }).click();
        await remember.click();
        await page.getByRole('dialog').getByRole('radio').first().waitFor();
      },
    },
    { name: 'rules', path: '/rules', prepare: (page) => page.getByRole('list', { name: 'Rules' }).waitFor() },
    { name: 'mcp', path: '/', prepare: (page) => open(page, /create issue/) },
    {
      name: 'triage',
      path: '/',
      prepare: async (page) => {
        await open(page, /linkcheck docs\/refunds/);
        await page.getByRole('button', { name: /like this/ }).click();
        await page.getByRole('dialog').waitFor();
      },
    },
    {
      name: 'history',
      path: `/history?open=${answered}`,
      prepare: (page) => page.getByRole('article').waitFor(),
    },
    {
      name: 'session',
      path: `/sessions/${SESSION}`,
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
        await page.getByRole('link', { name: /total\.ts/ }).waitFor();
        await page.keyboard.press('?');
        await page.getByRole('dialog').waitFor();
      },
    },
    { name: 'login', path: '/', isLoggedOut: true, prepare: (page) => page.getByText('Log in to Beckon').waitFor() },
  ];
}

/**
 * Opens a request from the list.
 * @param {Page} page
 * @param {RegExp} headline
 */
async function open(page, headline) {
  await page.getByRole('link', { name: headline }).first().click();
  await page.locator('[data-decision-bar] button:visible').first().waitFor();
}

/**
 * A browser's user agent; the page lists devices by it.
 * @param {string} system
 */
function toAgent(system, mobile = '') {
  return `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 ${mobile}Safari/537.36`;
}
