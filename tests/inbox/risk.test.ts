/// <reference lib="dom" />
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runAxe } from './axe.ts';
import { describeInBrowser, look, PageBench } from './page-bench.ts';
import { clear, statusOf } from './press-kinds.ts';
import { allow, askForced, FORCE, INSTALL, openDangerous, PHONE, press, ready } from './risk-asks.ts';
import { API, askPermission, CART, readDecision, type TestCall } from './triage-asks.ts';

/** Finds nothing in anything. */
const OLD_WORKER = `self.onmessage = ({ data: { number, subjects } }) =>
  self.postMessage({ number, risks: subjects.map(() => ({ level: 'routine', findings: [] })) });`;
let bench: PageBench;
let page: Page;
let phone: Page;

describeInBrowser('what is dangerous is seen at once', () => {
  beforeAll(async () => {
    bench = await PageBench.open();
    page = bench.page;
    await bench.logIn();
    phone = await bench.newLoggedInPage(PHONE);
  });
  beforeEach(async () => {
    await clear(bench);
    await page.evaluate(() => localStorage.clear());
    await page.setViewportSize({ width: 1280, height: 800 });
  });
  afterAll(() => bench?.close());

  test('nothing about it is remembered', async () => {
    await openDangerous(bench, page);
    expect(await page.getByRole('button', { name: 'Remember…' }).count()).toBe(0);
    await page.keyboard.press('m');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await page.getByText('Remember this').count()).toBe(0);
    const { id } = await askPermission(bench, CART, 'Bash', { command: 'npm test' });
    await page.goto(`${bench.url}/i/${id}`);
    await page.getByRole('button', { name: 'Remember…' }).waitFor();
  });

  describe('several at once', () => {
    test('a dangerous one is denied with the others, but not allowed with them', async () => {
      const calls: TestCall[] = [];
      for (const command of ['ls one', 'ls two', FORCE])
        calls.push(await askPermission(bench, CART, 'Bash', { command }));
      await page.goto(bench.url);
      await row('git push').getByText('Dangerous').waitFor();
      await selectAll(3);
      await page.keyboard.press('y');
      const dialog = page.getByRole('dialog');
      await dialog.getByText('One of them is dangerous or not checked.').waitFor();
      await press(dialog.getByRole('button', { name: 'Allow 2 of 3' }));
      await dialog.waitFor({ state: 'detached' });
      const [one, two, danger] = calls as [TestCall, TestCall, TestCall];
      for (const call of [one, two]) expect(await readDecision(call)).toMatchObject({ behavior: 'allow' });
      expect(await statusOf(bench, danger.id)).toBe('pending');

      const more = await askPermission(bench, CART, 'Bash', { command: 'ls three' });
      await row('ls three').waitFor();
      await selectAll(2);
      await page.keyboard.press('n');
      await press(dialog.getByRole('button', { name: 'Deny all 2' }));
      for (const call of [danger, more]) expect(await readDecision(call)).toMatchObject({ behavior: 'deny' });
    });

    test('"like this one" leaves it out', async () => {
      const plain = await askPermission(bench, CART, 'Bash', { command: 'rm -rf build' });
      await askPermission(bench, CART, 'Bash', { command: 'rm -rf dist' });
      const danger = await askPermission(bench, CART, 'Bash', { command: 'rm -rf /' });
      await page.goto(`${bench.url}/i/${plain.id}`);
      await page.getByRole('button', { name: '2 like this one' }).waitFor();
      await page.goto(`${bench.url}/i/${danger.id}`);
      await page
        .getByRole('article')
        .getByText(/Dangerous$/)
        .first()
        .waitFor();
      await look(page);
      expect(await page.getByRole('button', { name: /like this one/ }).count()).toBe(0);
    });
  });

  test('what the page takes for harmless, the server still refuses for several at once, and the page says so', async () => {
    const other = await bench.newPage({ serviceWorkers: 'block' });
    // A page that was loaded before Beckon knew of a danger.
    await other.route('**/risk-worker*', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: OLD_WORKER }),
    );
    await bench.logIn(other);
    const calls = [await askPermission(bench, CART, 'Bash', { command: 'ls' }), await askForced(bench)];
    await other.goto(bench.url);
    const boxes = other.getByRole('list', { name: 'Pending requests' }).getByRole('checkbox');
    await expect.poll(() => boxes.count()).toBe(2);
    for (const box of await boxes.all()) await box.click();
    await other.keyboard.press('y');
    const dialog = other.getByRole('dialog');
    await press(dialog.getByRole('button', { name: 'Allow all 2' }));
    const alert = dialog.getByRole('alert');
    await alert.getByText('Nothing was decided.').waitFor();
    expect(await alert.innerText()).toMatch(/dangerous/i);
    expect(await alert.innerText()).not.toContain('safely press again');
    for (const { id } of calls) expect(await statusOf(bench, id)).toBe('pending');
    await other.context().close();
  });

  describe('the list', () => {
    test('has the riskiest of each session first, with a sign and a word, and leaves the groups in place', async () => {
      await askPermission(bench, CART, 'Bash', { command: 'ls cart' });
      await askPermission(bench, API, 'Bash', { command: 'ls api' });
      await page.goto(bench.url);
      await row('ls api').waitFor();
      await askPermission(bench, API, 'Bash', { command: INSTALL });
      await askPermission(bench, CART, 'Bash', { command: FORCE });
      await row('git push').getByText('Dangerous').waitFor();
      await expect
        .poll(() => headlines(page))
        .toEqual(
          [/^⚠ Dangerous git push/, /^ls cart/, /^⚠ Dangerous curl/, /^ls api/].map((text) =>
            expect.stringMatching(text),
          ),
        );
    });

    test('is narrowed to a risk, with the mouse and with keys alone', async () => {
      await askPermission(bench, CART, 'Bash', { command: 'ls cart' });
      await askPermission(bench, CART, 'Bash', { command: FORCE });
      await page.goto(bench.url);
      await row('git push').getByText('Dangerous').waitFor();
      await page.getByRole('button', { name: 'Filter', exact: true }).click();
      await page
        .getByRole('group', { name: 'Risk' })
        .getByRole('button', { name: /Dangerous/ })
        .click();
      await row('ls cart').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Show all' }).first().click();
      await row('ls cart').waitFor();
      await page.locator('body').press('/');
      await page.keyboard.type('dangerous');
      await row('ls cart').waitFor({ state: 'detached' });
      expect(await row('git push').count()).toBe(1);
    });
  });

  describe('the request', () => {
    test('has marks at the words that the findings are about, and hidden characters stay marked', async () => {
      const { id } = await askPermission(bench, CART, 'Bash', {
        command: `cd web && npm test\n${INSTALL}\ngit push --force origin ma\u200bin\necho done`,
      });
      await page.goto(`${bench.url}/i/${id}`);
      const command = page.getByRole('region', { name: 'Command' });
      await command.locator('mark').first().waitFor();
      // Colors come from a worker; the marks are still there afterwards.
      await command.locator('.tok-type').first().waitFor();
      const marks = (await command.locator('mark').allInnerTexts()).join(' ');
      expect(marks).toContain('--force');
      expect(marks).toContain('bash');
      expect(marks).not.toMatch(/npm test|echo done/);
      await command.getByText('[U+200B]').waitFor();

      const findings = page.getByRole('region', { name: 'What was found' }).getByRole('button');
      const forced = findings.filter({ hasText: '--force' }).first();
      await forced.hover();
      const pointed = command.locator('mark.is-pointed');
      await pointed.first().waitFor();
      expect((await pointed.allInnerTexts()).join('')).toContain('--force');
      await page.mouse.move(5, 5);
      await pointed.first().waitFor({ state: 'detached' });
      await forced.focus();
      await pointed.first().waitFor();
    });

    test('has marks in the arguments of any tool, at the path of a file, and in what is written', async () => {
      const mcp = await askPermission(bench, CART, 'mcp__shell__run', { command: INSTALL, note: 'plain' });
      await page.goto(`${bench.url}/i/${mcp.id}`);
      const table = page.getByRole('table');
      await table.locator('mark').first().waitFor();
      expect((await table.locator('mark').allInnerTexts()).join('')).toBe(INSTALL);
      const sudo = page.getByRole('region', { name: 'What was found' }).getByRole('button', { name: /sudo bash$/ });
      await sudo.last().hover();
      // Its words are also those of a graver finding, and are found all the same.
      await table.locator('mark.is-pointed').first().waitFor();
      expect((await table.locator('mark.is-pointed').allInnerTexts()).join('')).toBe('sudo bash');

      const file = await askPermission(bench, CART, 'Write', {
        file_path: '/home/ada/.ssh/authorized_keys',
        content: 'first\nssh-rsa AAAA\u200b\n',
      });
      await page.goto(`${bench.url}/i/${file.id}`);
      await page.locator('h3 mark', { hasText: 'authorized_keys' }).waitFor();
      await page.locator('mark', { hasText: '[U+200B]' }).waitFor();
      expect(await page.locator('mark', { hasText: 'first' }).count()).toBe(0);
    });

    test('says after the decision what was found in it', async () => {
      const call = await openDangerous(bench, page);
      await press(page.getByRole('button', { name: 'Deny', exact: true }));
      await readDecision(call);
      await page.goto(`${bench.url}/history?open=${call.id}`);
      await page.getByRole('region', { name: 'What was found' }).waitFor();
      expect((await page.locator('article mark').allInnerTexts()).join(' ')).toContain('--force');
    });
  });

  test.each(['light', 'dark'] as const)(
    'axe finds nothing, on the desktop and on a phone (%s)',
    async (colorScheme) => {
      for (const tab of [page, phone]) {
        await tab.emulateMedia({ colorScheme });
        await clear(bench);
        await askPermission(bench, CART, 'Bash', { command: 'npm publish' });
        await openDangerous(bench, tab);
        expect(await runAxe(tab)).toEqual([]);
        await press(allow(tab));
        await ready(tab).waitFor();
        expect(await runAxe(tab)).toEqual([]);
        // Nothing needs to be scrolled sideways.
        expect(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
        await tab.goto(bench.url);
        await row('git push', tab).getByText('Dangerous').waitFor();
        expect(await runAxe(tab)).toEqual([]);
        await tab.emulateMedia({ colorScheme: null });
      }
    },
  );

  test('nothing was thrown, and no policy was broken', () => {
    expect(bench.troubles).toEqual([]);
  });
});

function row(text: string, tab: Page = page): Locator {
  return tab.getByRole('list', { name: 'Pending requests' }).getByRole('link', { name: text });
}

async function headlines(tab: Page): Promise<string[]> {
  const rows = await tab.getByRole('list', { name: 'Pending requests' }).getByRole('link').allInnerTexts();
  return rows.map((text) => text.replaceAll(/\s+/g, ' ').trim());
}

async function selectAll(count: number): Promise<void> {
  const boxes = page.getByRole('list', { name: 'Pending requests' }).getByRole('checkbox');
  await expect.poll(() => boxes.count()).toBe(count);
  for (const box of await boxes.all()) await box.click();
  await page.getByText(`${count} selected`).waitFor();
}
