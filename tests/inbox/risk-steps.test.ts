/// <reference lib="dom" />
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { describeInBrowser, look, PageBench } from './page-bench.ts';
import { clear, middleOf, pause, statusOf } from './press-kinds.ts';
import { allow, anyway, FORCE, INSTALL, offer, openDangerous, PHONE, press, ready } from './risk-asks.ts';
import { askPermission, CART, readDecision } from './triage-asks.ts';

let bench: PageBench;
let page: Page;
let phone: Page;

describeInBrowser('what is dangerous is allowed in two steps at two places', () => {
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

  test('by mouse, at two places; a doubled press is only the first', async () => {
    const call = await openDangerous(bench, page);
    const at = await middleOf(allow(page));
    await page.mouse.dblclick(at.x, at.y);
    await offer(page).waitFor();
    expect(await offer(page).innerText()).toContain('Dangerous. Allow it anyway?');
    for (let press = 0; press < 5; press += 1) {
      await page.mouse.click(at.x, at.y);
      await pause(250);
    }
    expect(await statusOf(bench, call.id)).toBe('pending');
    await press(anyway(page));
    expect(await readDecision(call)).toMatchObject({ behavior: 'allow' });
  });

  test('by finger, at two places; a doubled tap is only the first', async () => {
    const call = await openDangerous(bench, phone);
    const at = await middleOf(allow(phone));
    for (let tap = 0; tap < 4; tap += 1) {
      await phone.touchscreen.tap(at.x, at.y);
      await pause(tap * 200);
    }
    await offer(phone).waitFor();
    expect(await statusOf(bench, call.id)).toBe('pending');
    const other = await middleOf(anyway(phone));
    expect(Math.hypot(other.x - at.x, other.y - at.y)).toBeGreaterThan(60);
    await ready(phone).waitFor();
    await phone.touchscreen.tap(other.x, other.y);
    expect(await readDecision(call)).toMatchObject({ behavior: 'allow' });
  });

  test('by two keys; the same key again, and a held one, are only the first', async () => {
    const call = await openDangerous(bench, page);
    await page.keyboard.press('A');
    await page.keyboard.down('y');
    for (let repeat = 0; repeat < 10; repeat += 1) {
      await page.keyboard.down('y');
      await pause(60);
    }
    await page.keyboard.up('y');
    await page.keyboard.press('y');
    await page.keyboard.press('y');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Space');
    await offer(page).waitFor();
    await ready(page).waitFor();
    await page.keyboard.press('y');
    expect(await statusOf(bench, call.id)).toBe('pending');
    await page.keyboard.press('A');
    expect(await readDecision(call)).toMatchObject({ behavior: 'allow' });
  });

  test('the second key at once, before anybody can have read it, decides nothing', async () => {
    const call = await openDangerous(bench, page);
    await page.keyboard.press('y');
    await page.keyboard.press('A');
    await page.getByText('Not sent: this request had just come into view. Press again.').first().waitFor();
    expect(await statusOf(bench, call.id)).toBe('pending');
  });

  test('with the focus alone: Enter again does nothing, Tab and Enter decide', async () => {
    const call = await openDangerous(bench, page);
    await allow(page).focus();
    await page.keyboard.press('Enter');
    await offer(page).waitFor();
    await ready(page).waitFor();
    for (const key of ['Enter', 'Space', 'Enter']) await page.keyboard.press(key);
    expect(await statusOf(bench, call.id)).toBe('pending');
    // A screen reader reads it out because it has the focus.
    expect(await offer(page).evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await readDecision(call)).toMatchObject({ behavior: 'allow' });
  });

  test('with Enter held on the button, nothing is decided', async () => {
    const call = await openDangerous(bench, page);
    await allow(page).focus();
    await page.keyboard.down('Enter');
    for (let repeat = 0; repeat < 15; repeat += 1) {
      await page.keyboard.down('Enter');
      await pause(60);
    }
    await page.keyboard.up('Enter');
    expect(await statusOf(bench, call.id)).toBe('pending');
  });

  const ways: Record<string, () => Promise<unknown>> = {
    'with Escape': () => page.keyboard.press('Escape'),
    'with the button': () => page.getByRole('button', { name: 'Go back' }).click(),
    'when the focus goes elsewhere': () => page.getByRole('searchbox').focus(),
    'when the window is left': () => page.evaluate(() => window.dispatchEvent(new Event('blur'))),
    'when the tab is hidden': () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange'))),
    'with the help over it': () => page.keyboard.press('?'),
    'after ten seconds': () => pause(0),
  };
  test.each(Object.keys(ways))('the first is taken back %s', async (way) => {
    const call = await openDangerous(bench, page);
    await press(allow(page));
    await offer(page).waitFor();
    await ready(page).waitFor();
    await ways[way]?.();
    await offer(page).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.keyboard.press('A');
    expect(await statusOf(bench, call.id)).toBe('pending');
  });

  test('the first does not count for another request', async () => {
    const other = await askPermission(bench, CART, 'Bash', { command: INSTALL });
    const call = await openDangerous(bench, page);
    await press(allow(page));
    await ready(page).waitFor();
    await page.keyboard.press('k');
    await page.waitForURL(`**/i/${other.id}`);
    await look(page);
    expect(await offer(page).count()).toBe(0);
    await page.keyboard.press('A');
    for (const { id } of [call, other]) expect(await statusOf(bench, id)).toBe('pending');
  });

  test.each(['before', 'after'])('Deny is one press, %s the first step', async (when) => {
    const call = await openDangerous(bench, page);
    if (when === 'after') {
      await press(allow(page));
      await ready(page).waitFor();
    }
    await press(page.getByRole('button', { name: 'Deny', exact: true }));
    expect(await readDecision(call)).toMatchObject({ behavior: 'deny' });
  });

  test('are needed for what a person has edited into something dangerous, and only for that', async () => {
    const harmless = await askPermission(bench, CART, 'Bash', { command: 'git push' });
    await edit(harmless.id, FORCE);
    await press(allow(page, 'Allow with this change'));
    await offer(page).waitFor();
    expect(await statusOf(bench, harmless.id)).toBe('pending');
    await press(anyway(page));
    expect(await readDecision(harmless)).toMatchObject({ behavior: 'allow', updatedInput: { command: FORCE } });

    const dangerous = await askPermission(bench, CART, 'Bash', { command: FORCE });
    await edit(dangerous.id, 'git status');
    await page.getByText('Dangerous').first().waitFor();
    await press(allow(page, 'Allow with this change'));
    expect(await readDecision(dangerous)).toMatchObject({ updatedInput: { command: 'git status' } });
  });

  describe('without the code that finds risks', () => {
    test('everything takes two steps, and the page says why', async () => {
      const other = await bench.newPage({ serviceWorkers: 'block' });
      await other.route('**/risk-worker*', (route) => route.abort());
      await bench.logIn(other);
      const call = await askPermission(bench, CART, 'Bash', { command: 'ls' });
      await other.goto(`${bench.url}/i/${call.id}`);
      await other.getByText('Beckon could not check this request for risks.').waitFor();
      await press(allow(other));
      await offer(other).waitFor();
      expect(await statusOf(bench, call.id)).toBe('pending');
      expect(await other.getByRole('button', { name: 'Remember…' }).count()).toBe(0);
      await press(anyway(other));
      expect(await readDecision(call)).toMatchObject({ behavior: 'allow' });
      await other.context().close();
    });

    test('a press before it has arrived is the first of two', async () => {
      const other = await bench.newPage({ serviceWorkers: 'block' });
      const { promise: isLate, resolve: arrive } = Promise.withResolvers<void>();
      await other.route('**/risk-worker*', async (route) => {
        await isLate;
        await route.continue();
      });
      await bench.logIn(other);
      const call = await askPermission(bench, CART, 'Bash', { command: 'ls' });
      await other.goto(`${bench.url}/i/${call.id}`);
      await look(other);
      await press(allow(other));
      await offer(other).waitFor();
      arrive();
      // It is harmless after all: the second step is no longer needed, and no longer there.
      await offer(other).waitFor({ state: 'detached' });
      expect(await statusOf(bench, call.id)).toBe('pending');
      await look(other);
      await press(allow(other));
      expect(await readDecision(call)).toMatchObject({ behavior: 'allow' });
      await other.context().close();
    });
  });

  test('nothing was thrown, and no policy was broken', () => {
    expect(bench.troubles).toEqual([]);
  });
});

async function edit(id: string, command: string): Promise<void> {
  await page.goto(`${bench.url}/i/${id}`);
  await look(page);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByRole('textbox', { name: 'Command' }).fill(command);
  await page.getByRole('button', { name: 'Review the change' }).click();
  await look(page);
}
