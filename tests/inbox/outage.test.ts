/// <reference lib="dom" />
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser, expectShown, PageBench } from './page-bench.ts';

let bench: PageBench;

describeInBrowser('a connection that is lost', () => {
  beforeAll(async () => {
    bench = await PageBench.open();
  });
  afterAll(() => bench?.close());

  test('a daemon that is killed and comes back has lost nothing, nor has the page', async () => {
    const page = await bench.newLoggedInPage();
    const id = await bench.ask(question('Before?'));
    await page.getByRole('link', { name: /Before\?/ }).click();
    await page.getByRole('textbox', { name: 'Your answer' }).fill('Half an ans');
    await bench.kill();
    await page.getByText('Connection lost, trying again').waitFor();
    // What is written and sent meanwhile is kept, and arrives.
    await page.getByRole('textbox', { name: 'Your answer' }).fill('An answer');
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    await page.getByText('Your answer will be sent as soon as Beckon is back.').waitFor();
    await bench.restart();
    expect(await bench.settled(id)).toMatchObject({ status: 'answered', answer: { text: 'An answer' } });
    await bench.ask(question('After?'));
    await page.getByRole('link', { name: /After\?/ }).waitFor();
    await page.getByText('Connection lost, trying again').waitFor({ state: 'detached' });
    await expectTitle(page, '(1) Beckon');
  });

  test('after a minute without a network the page catches up with what it missed', async () => {
    const page = await bench.newPage();
    await page.clock.install();
    await bench.logIn(page);
    const settled = await bench.ask(question('Settled meanwhile?'));
    const opened = await bench.ask(question('Open meanwhile?'));
    await page.getByRole('link', { name: /Settled meanwhile\?/ }).waitFor();
    await page.getByRole('link', { name: /Open meanwhile\?/ }).click();
    await page.getByRole('textbox', { name: 'Your answer' }).waitFor();

    await page.context().setOffline(true);
    await page.getByText('Connection lost, trying again').waitFor();
    await bench.answer(settled, { text: 'Done' });
    await bench.answer(opened, { text: 'Done by somebody else' });
    for (let number = 1; number <= 10; number += 1) await bench.ask(question(`Missed ${number}?`));
    // The page's clock: its timers run as they would in a minute.
    await page.clock.runFor('01:00');
    await page.getByText('Connection lost, trying again').waitFor();
    expect(await page.getByRole('link', { name: /Missed/ }).count()).toBe(0);

    await page.context().setOffline(false);
    await page.getByText('Connected again; you missed nothing').waitFor();
    await page.getByRole('link', { name: /Missed 1\?/ }).waitFor();
    expect(await page.getByRole('link', { name: /Missed \d+\?/ }).count()).toBe(10);
    await page.getByRole('link', { name: /Settled meanwhile\?/ }).waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: /in Telegram/ }).waitFor();
    await page.getByRole('article').getByText('Done by somebody else').first().waitFor();
  });

  test('a reply that is lost on its way is asked for again, and the answer counts once', async () => {
    const page = await bench.newLoggedInPage();
    const id = await bench.ask({ kind: 'approval', request: { tool: 'Bash', input: { command: 'ls' } } });
    await page.goto(`${bench.url}/i/${id}`);
    await page.getByRole('button', { name: 'Allow', exact: true }).waitFor();
    // The server gets it; the page hears nothing of it.
    await page.route(
      '**/answer',
      async (route) => {
        await route.fetch();
        await route.abort('connectionreset');
      },
      { times: 1 },
    );
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await page
      .getByText(/^Answered: |Your answer had already arrived|\(you\)/)
      .first()
      .waitFor();
    expect(await bench.settled(id)).toMatchObject({ status: 'answered', answer: { decision: 'allow' } });
    const { events } = await bench.call<{ events: { type: string }[] }>(`/v1/interactions/${id}/log`);
    expect(events.filter(({ type }) => type === 'interaction.answered')).toHaveLength(1);
  });

  test('the page opens without the daemon, says so, and goes on by itself', async () => {
    const page = await bench.newLoggedInPage();
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.reload();
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    await bench.kill();
    await page.goto(`${bench.url}/history`);
    await page.getByText('Beckon cannot be reached').waitFor();
    // It stays while the page tries again.
    let tries = 0;
    page.on('requestfailed', (request) => {
      if (request.url().includes('/v1/')) tries += 1;
    });
    await page.evaluate(() => {
      const look = (): void => {
        if (document.querySelector('main') === null) document.documentElement.dataset['blank'] = 'yes';
      };
      new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
    });
    await expect.poll(() => tries, { timeout: 60_000 }).toBeGreaterThan(2);
    expect(await page.evaluate(() => document.documentElement.dataset['blank'])).toBeUndefined();
    await bench.restart();
    await expectShown(page.getByRole('heading', { name: 'History' }));
  });

  test('the page can be installed', async () => {
    const { page } = bench;
    await page.goto(bench.url);
    const manifest = await page.evaluate(async () => {
      const { href } = document.querySelector<HTMLLinkElement>('link[rel="manifest"]') ?? { href: '' };
      const { icons, ...rest } = (await (await fetch(href)).json()) as {
        icons: { src: string; sizes: string; purpose?: string }[];
        start_url: string;
      };
      const found = await Promise.all(icons.map(async ({ src }) => (await fetch(new URL(src, href))).ok));
      const start = new URL(rest.start_url, href).pathname;
      return { ...rest, start, sizes: icons.map(({ sizes }) => sizes), isEveryIconThere: found.every(Boolean) };
    });
    expect(manifest).toMatchObject({ name: 'Beckon', display: 'standalone', start: '/', isEveryIconThere: true });
    expect(manifest.sizes).toEqual(expect.arrayContaining(['192x192', '512x512']));
  });

  test('nothing was thrown, and no policy was broken', () => {
    expect(bench.troubles).toEqual([]);
  });
});

function question(text: string): { kind: string; request: object } {
  return { kind: 'question', request: { question: text } };
}

async function expectTitle(page: Page, title: string): Promise<void> {
  await expect.poll(() => page.title(), { timeout: 60_000 }).toBe(title);
}
