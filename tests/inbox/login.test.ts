import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser, expectShown, PageBench, readDrafts } from './page-bench.ts';

let bench: PageBench;

describeInBrowser('who may see the page', () => {
  beforeAll(async () => {
    bench = await PageBench.open();
  });
  afterAll(() => bench?.close());

  test('somebody without a link is told how to get one, and sees nothing else', async () => {
    const { page } = bench;
    await bench.ask({ kind: 'question', request: { question: 'A secret?' } });
    for (const path of ['/', '/history', '/devices']) {
      await page.goto(`${bench.url}${path}`);
      await page.getByRole('heading', { name: 'Log in to Beckon' }).waitFor();
      await page.getByText('beckon open').waitFor();
      expect(await page.content()).not.toContain('A secret?');
    }
  });

  test('a link logs one browser in, and leaves no trace in its address', async () => {
    const link = await bench.createLink();
    const page = await bench.newPage();
    await page.goto(link);
    await page.getByRole('link', { name: /A secret\?/ }).waitFor();
    expect(page.url()).toBe(`${bench.url}/`);
    const [cookie, ...others] = await page.context().cookies();
    expect(others).toEqual([]);
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' });
    await page.reload();
    await page.getByRole('link', { name: /A secret\?/ }).waitFor();

    const second = await bench.newPage();
    await second.goto(link);
    await second.getByRole('alert').getByText('This link no longer works').waitFor();
    expect(await second.context().cookies()).toEqual([]);
  });

  test('a link opened where the login page is shown logs in', async () => {
    const page = await bench.newPage();
    await page.goto(`${bench.url}/login#a-code-that-is-not-known`);
    await page.getByRole('alert').getByText('This link no longer works').waitFor();
    // Nothing but the fragment changes, so the browser reloads nothing.
    await page.goto(await bench.createLink());
    await page.getByRole('link', { name: /A secret\?/ }).waitFor();
    expect(page.url()).toBe(`${bench.url}/`);
  });

  test('a link that is cut off is named so, also to somebody who is logged in', async () => {
    for (const page of [await bench.newPage(), await bench.newLoggedInPage()]) {
      await page.goto(`${bench.url}/login#garbage`);
      await page.getByRole('alert').getByText('This link does not work').waitFor();
      await page.getByText('beckon open').waitFor();
      expect(page.url()).toBe(`${bench.url}/login`);
    }
  });

  test('a link can be pasted', async () => {
    const page = await bench.newPage();
    await page.goto(bench.url);
    const field = page.getByRole('textbox', { name: 'Or paste the link here' });
    await field.fill('not a link');
    await field.press('Enter');
    await page.getByText('Expected a link such as').waitFor();
    await field.fill(await bench.createLink());
    await field.press('Enter');
    await expectShown(page.getByRole('navigation', { name: 'Views' }));
  });

  test('a device that is revoked is asked to log in, at once', async () => {
    const lost = await bench.newLoggedInPage({ userAgent: 'Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile' });
    const page = await bench.newLoggedInPage();
    await page.getByRole('link', { name: 'Devices' }).click();
    await page.getByRole('button', { name: 'Revoke Chrome on Android' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Chrome on Android is logged out').waitFor();
    expect(await page.getByRole('button', { name: 'Revoke Chrome on Android' }).count()).toBe(0);
    // A stream that is open is ended by the server; the page finds out when it comes back.
    await expectLogin(lost);
    await lost.reload();
    await expectLogin(lost);
  });

  test('whoever logs out has to log in again', async () => {
    const page = await bench.newLoggedInPage();
    await page.getByRole('link', { name: 'Devices' }).click();
    await page.getByRole('button', { name: 'Log out', exact: true }).click();
    await expectLogin(page);
    expect(await page.context().cookies()).toEqual([]);
    await page.goto(`${bench.url}/history`);
    await expectLogin(page);
  });

  test.each(['logs out', 'logs in as somebody else'])('whoever %s leaves nothing half written behind', async (way) => {
    const id = await bench.ask({ kind: 'question', request: { question: 'Half written?' } });
    const page = await bench.newLoggedInPage();
    await page.goto(`${bench.url}/i/${id}`);
    await page.getByRole('textbox', { name: 'Your answer' }).fill('A secr');
    expect(await readDrafts(page)).toEqual([id]);
    if (way === 'logs out') {
      await page.getByRole('link', { name: 'Devices' }).click();
      await page.getByRole('button', { name: 'Log out', exact: true }).click();
      await expectLogin(page);
    } else {
      await bench.logIn(page, 'eve');
    }
    expect(await readDrafts(page)).toEqual([]);
  });

  test('the page comes with its policy, and nothing breaks it', async () => {
    const reply = await bench.page.goto(bench.url);
    const policy = reply?.headers()['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toContain('unsafe');
    expect(bench.troubles).toEqual([]);
  });
});

async function expectLogin(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Log in to Beckon' }).waitFor();
}
