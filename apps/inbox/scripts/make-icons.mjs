// Draws the PNG icons from the mark, with the browser that the tests use: `node apps/inbox/scripts/make-icons.mjs`.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const icons = fileURLToPath(new URL('../public/icons/', import.meta.url));
const drawing = (/** @type {string} */ color) =>
  `<circle cx="22.6" cy="9.4" r="3.6" fill="${color}"/><path d="M15.2 7.6A8.8 8.8 0 1 0 24.4 16.8" fill="none" stroke="${color}" stroke-width="3" stroke-linecap="round"/>`;
const round = `<rect width="32" height="32" rx="8" fill="#3b5bdb"/>${drawing('#fff')}`;
// A mask may cut a fifth off every side, so the drawing is smaller and the background reaches the edge.
const maskable = `<rect width="32" height="32" fill="#3b5bdb"/><g transform="translate(5.5 5.5) scale(.66)">${drawing('#fff')}</g>`;

/** @type {[name: string, size: number, content: string][]} */
const FILES = [
  ['icon-192.png', 192, round],
  ['icon-512.png', 512, round],
  ['maskable-512.png', 512, maskable],
  ['badge-96.png', 96, drawing('#fff')],
];

const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
for (const [name, size, content] of FILES) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(
    `<style>*{margin:0}svg{display:block;width:100vw;height:100vh}</style><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${content}</svg>`,
  );
  writeFileSync(`${icons}${name}`, await page.screenshot({ omitBackground: true }));
  await page.close();
}
await browser.close();
