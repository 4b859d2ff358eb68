import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser, PageBench } from './page-bench.ts';

let bench: PageBench;
let page: Page;
let deployed: string;

describeInBrowser('looking back', () => {
  beforeAll(async () => {
    bench = await PageBench.open();
    page = bench.page;
    const shared = { sessionId: 'run-7', chatId: 'ops', metadata: { agent: 'release-bot' } };
    deployed = await bench.ask({ kind: 'question', request: { question: 'Deploy the walrus?' }, ...shared });
    await bench.answer(deployed, { text: 'After the penguin' });
    const denied = await bench.ask({
      kind: 'approval',
      request: { tool: 'Bash', input: { command: 'rm -rf build' } },
      ...shared,
    });
    await bench.answer(denied, { decision: 'deny', message: 'Keep it' });
    const cancelled = await bench.ask({ kind: 'question', request: { question: 'Cancelled?' }, sessionId: 'run-8' });
    await bench.call(`/v1/interactions/${cancelled}/cancel`, {});
    await bench.ask({ kind: 'plan_review', request: { plan: '# Paint the fence', toolInput: {} }, chatId: 'garden' });
    await bench.logIn();
  });
  afterAll(() => bench?.close());

  test('the history has everything, and can be filtered by status, kind, chat and session', async () => {
    await page.getByRole('link', { name: 'History' }).click();
    await expectRows(['Paint the fence', 'Cancelled?', 'rm -rf build', 'Deploy the walrus?']);
    await page.getByRole('combobox', { name: 'Status' }).selectOption('answered');
    await expectRows(['rm -rf build', 'Deploy the walrus?']);
    await page.getByRole('combobox', { name: 'Kind' }).selectOption('approval');
    await expectRows(['rm -rf build']);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expectRows(['Paint the fence', 'Cancelled?', 'rm -rf build', 'Deploy the walrus?']);
    await page.getByRole('searchbox', { name: 'Chat' }).fill('garden');
    await expectRows(['Paint the fence']);
    await page.getByRole('searchbox', { name: 'Chat' }).fill('');
    await page.getByRole('searchbox', { name: 'Session' }).fill('run-8');
    await expectRows(['Cancelled?']);
    // The address has the filters, so that they can be kept and sent.
    await page.reload();
    await expectRows(['Cancelled?']);
  });

  test('a search finds words of requests and of answers', async () => {
    await page.goto(`${bench.url}/history`);
    await expectRows(['Paint the fence', 'Cancelled?', 'rm -rf build', 'Deploy the walrus?']);
    await page.keyboard.press('/');
    await page.keyboard.type('walrus');
    await expectRows(['Deploy the walrus?']);
    await page.getByRole('searchbox', { name: 'Search' }).fill('penguin');
    await expectRows(['Deploy the walrus?']);
    await page.getByRole('searchbox', { name: 'Search' }).fill('unicorn');
    await page.getByText('Nothing matches').waitFor();
  });

  test('an interaction shows what was asked, how it ended, and its whole log', async () => {
    await page.goto(`${bench.url}/history`);
    await page.getByRole('link', { name: /Deploy the walrus\?/ }).click();
    const article = page.getByRole('article', { name: 'Deploy the walrus?' });
    await article.getByText('After the penguin').first().waitFor();
    await article.getByRole('button', { name: 'Show log' }).click();
    const log = article.getByRole('region', { name: 'Log' });
    await log.getByText('Asked', { exact: true }).waitFor();
    await log.getByText('Answered', { exact: true }).waitFor();
    expect(await log.getByRole('listitem').count()).toBe(2);
    // What happens to it later is added while it is looked at.
    await bench.call(`/v1/interactions/${deployed}/notes`, { type: 'delivered', connector: 'telegram' });
    await log.getByText('Shown', { exact: true }).waitFor();
    await article.getByRole('button', { name: 'Hide log' }).click();
    await log.waitFor({ state: 'detached' });
  });

  test('a session has a timeline, which grows by itself', async () => {
    await page.getByRole('link', { name: 'Sessions' }).click();
    await page.getByRole('link', { name: /run-7/ }).click();
    await page.getByRole('heading', { name: 'Session run-7' }).waitFor();
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await timeline.getByRole('link', { name: 'Deploy the walrus?' }).first().waitFor();
    const before = await timeline.getByRole('listitem').count();
    await bench.ask({ kind: 'question', request: { question: 'One more thing?' }, sessionId: 'run-7' });
    await timeline.getByRole('link', { name: 'One more thing?' }).waitFor();
    expect(await timeline.getByRole('listitem').count()).toBe(before + 1);
    await timeline.getByRole('link', { name: 'One more thing?' }).click();
    await page.getByRole('article', { name: 'One more thing?' }).waitFor();
  });

  test('the statistics are charts, and tables that say the same', async () => {
    await page.getByRole('link', { name: 'Statistics' }).click();
    const figures = page.locator('dl');
    await figures.waitFor();
    expect(await figures.innerText()).toMatch(/Asked\s+5\s+Answered\s+2\s/);
    for (const name of ['Time to answer', 'Outcomes by kind', 'Outcomes by day']) {
      const panel = page.getByRole('region', { name });
      await panel.locator('.beckon-plot svg').first().waitFor();
      await panel.getByText('Table', { exact: true }).click();
      await panel.getByRole('table').waitFor();
    }
    const byKind = page.getByRole('region', { name: 'Outcomes by kind' }).getByRole('table');
    expect(await byKind.innerText()).toContain('Plan review');
    await page.getByText('7 days', { exact: true }).click();
    await figures.waitFor();
  });

  test('a chart names every kind, on a phone too', async () => {
    await bench.ask({ kind: 'form', request: { message: 'Fill it in', schema: { type: 'object', properties: {} } } });
    await bench.ask({ kind: 'component', request: { components: [{ type: 'card', title: 'Sales' }] } });
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`${bench.url}/statistics`);
      const names = page.getByRole('region', { name: 'Outcomes by kind' }).locator('.beckon-plot svg text');
      await names.first().waitFor();
      expect(await names.allTextContents()).toEqual(
        expect.arrayContaining(['Question', 'Plan review', 'Approval', 'Form', 'Component']),
      );
      const ticks = (await names.allTextContents()).filter((text) => /\d/.test(text));
      expect(ticks.every((tick) => /^\d+$/.test(tick))).toBe(true);
    }
  });

  test('the bars of a chart are stacked, and each is named', async () => {
    const chart = page.getByRole('region', { name: 'Outcomes by kind' }).locator('.beckon-plot svg');
    const bars = await chart.locator('.beckon-mark').evaluateAll((marks) =>
      marks.map((mark) => {
        const rect = mark.querySelector('rect');
        const [x, width] = [Number(rect?.getAttribute('x')), Number(rect?.getAttribute('width'))];
        return { name: mark.querySelector('title')?.textContent ?? '', from: x, to: x + width };
      }),
    );
    const questions = bars.filter(({ name }) => name.startsWith('Question, '));
    expect(questions.map(({ name }) => name)).toEqual(
      ['Answered', 'Cancelled', 'Pending'].map((status) => `Question, ${status}: 1`),
    );
    expect(questions[1]?.from).toBeCloseTo(questions[0]?.to ?? 0);
    expect(questions[2]?.from).toBeCloseTo(questions[1]?.to ?? 0);
  });

  test('nothing was thrown, and no policy was broken', () => {
    expect(bench.troubles).toEqual([]);
  });
});

/** Waits until the list has these, from top to bottom. */
async function expectRows(titles: readonly string[]): Promise<void> {
  const shown = async (): Promise<string[]> =>
    (
      await page.getByRole('list', { name: 'Requests' }).getByRole('link').locator('bdi.font-medium').allInnerTexts()
    ).filter((text) => text !== '');
  await expect
    .poll(shown, { timeout: 60_000 })
    .toEqual(titles.map((title) => expect.stringContaining(title) as string));
}
