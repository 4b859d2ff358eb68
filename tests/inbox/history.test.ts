/// <reference lib="dom" />
import { readFile } from 'node:fs/promises';
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
    const shared = {
      sessionId: 'run-7',
      chatId: 'ops',
      metadata: { agent: 'release-bot' },
      context: { title: 'Release 7', branch: 'main' },
    };
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
    await bench.ask({
      kind: 'plan_review',
      request: { plan: '# Paint the fence', toolInput: {} },
      chatId: 'garden',
      context: { project: 'garden' },
    });
    await bench.logIn();
  });
  afterAll(() => bench?.close());

  test('the history has everything, and can be filtered by decision, kind, person, project, day, chat and session', async () => {
    await page.getByRole('link', { name: 'History' }).click();
    await expectRows(['Paint the fence', 'Cancelled?', 'rm -rf build', 'Deploy the walrus?']);
    const decisions = page.getByRole('group', { name: 'Decision' });
    await decisions.getByRole('button', { name: /^Denied 1$/ }).click();
    await expectRows(['rm -rf build']);
    // What else could be chosen is still there, with its count.
    await decisions.getByRole('button', { name: /^Answered 1$/ }).click();
    await expectRows(['Deploy the walrus?']);
    await decisions.getByRole('button', { name: /^Answered 1$/ }).click();
    await page.getByRole('combobox', { name: 'Kind' }).selectOption('approval');
    await expectRows(['rm -rf build']);
    await page.getByRole('combobox', { name: 'Kind' }).selectOption('');
    const people = page.getByRole('combobox', { name: 'Answered by' });
    await people.selectOption({ index: 1 });
    expect(await people.locator('option:checked').innerText()).toMatch(/^\S+ \(2\)$/);
    await expectRows(['rm -rf build', 'Deploy the walrus?']);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('combobox', { name: 'Project' }).selectOption('garden');
    await expectRows(['Paint the fence']);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByLabel('To', { exact: true }).fill('2020-01-31');
    await page.getByText('Nothing matches').waitFor();
    await page.getByLabel('To', { exact: true }).fill('');
    await page.getByLabel('From', { exact: true }).fill('2020-01-31');
    await expectRows(['Paint the fence', 'Cancelled?', 'rm -rf build', 'Deploy the walrus?']);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expectRows(['Paint the fence', 'Cancelled?', 'rm -rf build', 'Deploy the walrus?']);
    await page.goto(`${bench.url}/history?chat=garden`);
    await expectRows(['Paint the fence']);
    await page.getByRole('button', { name: 'Chat garden' }).click();
    await expectRows(['Paint the fence', 'Cancelled?', 'rm -rf build', 'Deploy the walrus?']);
    await page.goto(`${bench.url}/history?session=run-8`);
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
    await page.getByRole('link', { name: /Release 7/ }).click();
    await page.getByRole('heading', { name: 'Release 7' }).waitFor();
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await timeline.getByRole('link', { name: 'Deploy the walrus?' }).first().waitFor();
    const before = await timeline.getByRole('listitem').count();
    await bench.ask({ kind: 'question', request: { question: 'One more thing?' }, sessionId: 'run-7' });
    await timeline.getByRole('link', { name: 'One more thing?' }).waitFor();
    expect(await timeline.getByRole('listitem').count()).toBe(before + 1);
    // Denied does not look like answered.
    expect(await timeline.getByText('Denied', { exact: true }).count()).toBe(1);
    expect(await timeline.getByText('Answered', { exact: true }).count()).toBe(1);
    await timeline.getByRole('link', { name: 'One more thing?' }).click();
    await page.getByRole('article', { name: 'One more thing?' }).waitFor();
  });

  test('a session is renamed in place, for everybody', async () => {
    await page.goto(`${bench.url}/sessions/run-7`);
    await page.getByRole('heading', { name: 'Release 7' }).waitFor();
    await page.getByRole('button', { name: 'Rename' }).click();
    const title = page.getByRole('textbox', { name: 'Title of the session' });
    expect(await title.inputValue()).toBe('Release 7');
    await title.fill('The big release');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'The big release' }).waitFor();
    await page.getByRole('link', { name: /The big release/ }).waitFor();
    const other = await bench.newLoggedInPage({ who: 'bob' });
    await other.goto(`${bench.url}/sessions/run-7`);
    await other.getByRole('heading', { name: 'The big release' }).waitFor();
    await other.context().close();
    await page.getByRole('button', { name: 'Rename' }).click();
    await title.fill('Never mind');
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'The big release' }).waitFor();
  });

  test('what the filters show is exported as CSV and as JSON lines', async () => {
    await page.goto(`${bench.url}/history?decision=denied`);
    await expectRows(['rm -rf build']);
    for (const [name, isRight] of [
      ['Export as CSV', (text: string) => text.split('\r\n').filter(Boolean).length === 2 && text.includes('denied')],
      ['Export as JSON lines', (text: string) => text.trim().split('\n').length === 1 && JSON.parse(text) !== null],
    ] as const) {
      const started = page.waitForEvent('download');
      await page.getByRole('link', { name }).click();
      const text = await readFile(await (await started).path(), 'utf8');
      expect(text).toContain('rm -rf build');
      expect(text).not.toContain('walrus');
      expect(isRight(text)).toBe(true);
    }
  });

  test('what was allowed and what was denied differ by sign, word and color', async () => {
    const allowed = await bench.ask({ kind: 'approval', request: { tool: 'Bash', input: { command: 'ls' } } });
    await bench.answer(allowed, { decision: 'allow' });
    await page.goto(`${bench.url}/history?kind=approval`);
    const badges = page.getByRole('list', { name: 'Requests' }).getByText(/^(Allowed|Denied)$/);
    await expect.poll(() => badges.allInnerTexts()).toEqual(['Allowed', 'Denied']);
    const looks = await badges.evaluateAll((all) =>
      all.map((badge) => [getComputedStyle(badge).color, badge.querySelector('path')?.getAttribute('d')]),
    );
    expect(looks[0]?.[0]).not.toBe(looks[1]?.[0]);
    expect(looks[0]?.[1]).not.toBe(looks[1]?.[1]);
  });

  test('the statistics are charts, and tables that say the same', async () => {
    await page.getByRole('link', { name: 'Statistics' }).click();
    const figures = page.locator('dl');
    await figures.waitFor();
    expect(await figures.innerText()).toMatch(/Asked\s+6\s+Answered\s+3\s/);
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

  test('an approval says how risky it was, as it does in the list of what is pending', async () => {
    for (const command of ['npm test', 'npm install left-pad', 'git push --force']) {
      const request = { tool: 'Bash', input: { command } };
      const id = await bench.ask({ kind: 'approval', request, sessionId: 'run-9' });
      await bench.answer(id, { decision: 'deny' });
    }
    await page.goto(`${bench.url}/history?session=run-9`);
    const rows = page.getByRole('list', { name: 'Requests' }).getByRole('listitem');
    await expect.poll(() => rows.locator('.risk-sign').allInnerTexts()).toEqual(['⚠', '△']);
    // The sign is for the eyes, the word for everybody.
    const marks = (await rows.allInnerTexts()).map((text) => /Dangerous|Notable|Routine/.exec(text)?.[0]);
    expect(marks).toEqual(['Dangerous', 'Notable', undefined]);
    await page.getByRole('link', { name: /^Dangerous ?git push --force/ }).waitFor();
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
