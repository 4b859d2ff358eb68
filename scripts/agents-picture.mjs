// `npm run agents-picture`: four different agents ask, and the inbox with all of it becomes docs/images/agents.png.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBrowser } from '../tests/harness/browser.ts';
import { CliBench } from '../tests/harness/cli.ts';
import { writeFonts } from './pictures/fonts.mjs';
import { askAsFour } from './pictures/four-agents.mjs';
import { createLink } from './pictures/login.mjs';
import { takePicture } from './pictures/page-picture.mjs';

const OUTPUT = join(dirname(dirname(fileURLToPath(import.meta.url))), 'docs', 'images', 'agents.png');

const folder = mkdtempSync(join(tmpdir(), 'beckon-agents-'));
const bench = await CliBench.open();
const browser = await openBrowser({ isWhole: true, env: { FONTCONFIG_FILE: writeFonts(folder) } });
try {
  const { url } = await bench.up();
  const world = await askAsFour(bench, url);
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    colorScheme: 'light',
    locale: 'en-GB',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await page.goto(await createLink(bench.home, url));
  // The patch of Codex, with the other three beside it.
  await page
    .getByRole('link', { name: /limits\.ts/ })
    .first()
    .click();
  await page.getByText(/\d added, \d removed/).waitFor();
  await page.locator('[data-decides][aria-disabled="true"]').first().waitFor({ state: 'hidden' });
  const picture = await takePicture(page, world.folder);
  writeFileSync(OUTPUT, picture);
  console.log(`docs/images/agents.png has ${Math.round(picture.length / 1024)} KB.`);
} finally {
  await browser.close();
  await bench.close();
  rmSync(folder, { recursive: true });
}
