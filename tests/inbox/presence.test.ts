/// <reference lib="dom" />
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser, PageBench } from './page-bench.ts';

let bench: PageBench;
let page: Page;
const said: string[] = [];

describeInBrowser('presence', () => {
  beforeAll(async () => {
    bench = await PageBench.open();
    page = bench.page;
    await watch(page, 'first');
    await page.clock.install();
    await bench.logIn();
  });
  afterAll(() => bench?.close());

  test('a page in sight says so at once, and again every 20 seconds', async () => {
    await expect.poll(() => said).toContain('first in sight: 200');
    const before = said.length;
    await page.clock.fastForward(20_000);
    await expect.poll(() => said.slice(before)).toEqual(['first in sight: 200']);
  });

  test('a page that is hidden says so at once, and then nothing', async () => {
    said.length = 0;
    await setHidden(page, true);
    await expect.poll(() => said).toEqual(['first hidden: 200']);
    await page.clock.fastForward(60_000);
    await setHidden(page, false);
    await expect.poll(() => said).toEqual(['first hidden: 200', 'first in sight: 200']);
  });

  test('a tab in sight has the last word when another tab of the browser is hidden', async () => {
    const other = await page.context().newPage();
    await watch(other, 'other');
    await other.goto(bench.url);
    await other.getByRole('navigation', { name: 'Views' }).waitFor();
    await expect.poll(() => said).toContain('other in sight: 200');
    said.length = 0;
    await setHidden(page, true);
    await expect.poll(() => said).toEqual(['first hidden: 200', 'other in sight: 200']);
    await other.close();
    expect(bench.troubles).toEqual([]);
  });

  test('a page that is left says so before it is gone', async () => {
    await page.close();
    const other = await bench.newLoggedInPage();
    await expect.poll(countInSight).toBe(1);
    await other.goto('about:blank');
    await expect.poll(countInSight).toBe(0);
  });
});

/** How many browsers are in sight, as the daemon believes. A page that is gone cannot be watched. */
function countInSight(): number {
  const database = new DatabaseSync(join(bench.cli.home, 'beckon.db'), { readOnly: true });
  try {
    return database.prepare('select id from devices where in_sight_until > ?').all(Date.now()).length;
  } finally {
    database.close();
  }
}

/** Notes what a page says about itself, and what the daemon answers. */
async function watch(on: Page, name: string): Promise<void> {
  on.on('response', (response) => {
    if (!response.url().endsWith('/v1/presence')) return;
    const { inSight } = response.request().postDataJSON() as { inSight: boolean };
    said.push(`${name} ${inSight ? 'in sight' : 'hidden'}: ${response.status()}`);
  });
  await on.addInitScript(() => {
    let isHidden = false;
    Object.defineProperty(document, 'hidden', { get: () => isHidden });
    addEventListener('set-hidden', (event) => {
      isHidden = (event as CustomEvent<boolean>).detail;
      document.dispatchEvent(new Event('visibilitychange'));
    });
  });
}

function setHidden(on: Page, isHidden: boolean): Promise<void> {
  return on.evaluate((detail) => void dispatchEvent(new CustomEvent('set-hidden', { detail })), isHidden);
}
