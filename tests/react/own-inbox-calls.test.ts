/// <reference lib="dom" />
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { describeInChromium } from './describe-in-chromium.ts';
import { approval, DeskBench } from './desk-bench.ts';

let desk: DeskBench;
let page: Page;

describeInChromium('the questions of one call in the example own-inbox', () => {
  beforeAll(async () => {
    desk = await DeskBench.open();
  });
  afterAll(() => desk?.close());
  beforeEach(async () => {
    page = await desk.openPage();
  });
  afterEach(() => desk.closePage());

  test('the questions of one call are one row, and one press answers them all in one commit', async () => {
    const ids = await desk.askCall();
    const after = await desk.ask(approval('echo 1'));
    await page.goto(desk.address);
    await page.getByText('2 requests are waiting').waitFor();
    await page.getByRole('button', { name: 'Question: Which database? 3 of 3 questions open' }).waitFor();
    const tabs = page.getByRole('tablist', { name: 'Questions of this call' }).getByRole('tab');
    await expect.poll(() => tabs.allInnerTexts()).toEqual(['Database', 'Region', 'Name', 'Review']);
    await choose('SQLite', 'eu-west', 'shop');
    await expect
      .poll(() => page.getByRole('definition').locator('p').allInnerTexts())
      .toEqual(['SQLite', 'eu-west', 'shop']);
    await desk.press(desk.button('Send 3 answers'));
    const settled = await Promise.all(ids.map((id) => desk.agent.wait<'question'>(id)));
    expect(settled.map(({ answer }) => answer?.selected)).toEqual([['SQLite'], ['eu-west'], ['shop']]);
    expect(new Set(settled.map(({ settledAt }) => settledAt)).size).toBe(1);
    await page.getByText('3 answers sent').waitFor();
    await page.getByText('1 request is waiting').waitFor();
    await desk.press(desk.button('Deny'));
    expect((await desk.agent.wait<'approval'>(after.id)).answer?.decision).toBe('deny');
  });

  test('a double click on Next sends nothing, and one on Send decides nothing of the next request', async () => {
    const [first = ''] = await desk.askCall();
    const next = await desk.ask(approval('echo 1'));
    await page.goto(desk.address);
    await choose('SQLite', 'eu-west', 'shop');
    await page.getByRole('tab', { name: /^Name/ }).click();
    await desk.twice(desk.button('Next'));
    await page.getByText(/^Not sent/).waitFor();
    expect((await desk.agent.get(first))?.status).toBe('pending');
    await desk.ready(desk.button('Send 3 answers'));
    await desk.twice(desk.button('Send 3 answers'));
    expect((await desk.agent.wait<'question'>(first)).status).toBe('answered');
    await desk.ready(desk.button('Allow'));
    expect((await desk.agent.get(next.id))?.status).toBe('pending');
  });

  test('if somebody else answers one question of a call, the others stay, and are sent without it', async () => {
    const ids = await desk.askCall();
    await page.goto(desk.address);
    await choose('SQLite', 'eu-west', 'shop');
    await desk.ready(desk.button('Send 3 answers'));
    await desk.agent.answer(ids[0]!, { selected: ['PostgreSQL'] }, { who: 'bob', via: 'api' });
    await page.getByText('Already answered: PostgreSQL').waitFor();
    await page.getByRole('tab', { name: 'Database, answered' }).click();
    await page.getByRole('heading', { name: /^Answered by/ }).waitFor();
    await page.getByRole('tab', { name: 'Review' }).click();
    await desk.press(desk.button('Send 2 answers'));
    const settled = await Promise.all(ids.map((id) => desk.agent.wait<'question'>(id)));
    expect(settled.map(({ answer }) => answer?.selected)).toEqual([['PostgreSQL'], ['eu-west'], ['shop']]);
  });

  test('the page around stays where it is when a call comes, and while one goes from tab to tab', async () => {
    await page.goto(desk.address);
    await page.getByText('Nothing is waiting for you.').waitFor();
    await page.evaluate(() => document.body.style.setProperty('padding', '150vh 0'));
    await desk.askCall();
    const choice = page.getByRole('radio', { name: 'SQLite' });
    await choice.waitFor();
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await choice.scrollIntoViewIfNeeded();
    const before = await page.evaluate(() => scrollY);
    await choice.click();
    await page
      .getByRole('tabpanel', { name: /^Region/ })
      .and(page.locator(':focus'))
      .waitFor();
    expect(await page.evaluate(() => scrollY)).toBe(before);
  });

  test('a card of one question of a call stays one question', async () => {
    const ids = await desk.askCall();
    await desk.openChat();
    await expect.poll(() => page.getByRole('article').count()).toBe(3);
    expect(await page.getByRole('tablist').count()).toBe(0);
    const card = page.getByRole('article', { name: 'Which region?' });
    await card.getByRole('radio', { name: 'us-east' }).check();
    await desk.press(card.getByRole('button', { name: 'Answer', exact: true }));
    expect((await desk.agent.wait<'question'>(ids[1]!)).answer?.selected).toEqual(['us-east']);
    expect((await desk.agent.get(ids[0]!))?.status).toBe('pending');
  });
});

/** Chooses an option in each of the next tabs, with the keyboard: quick clicks count as meant for the tab before. */
async function choose(...labels: string[]): Promise<void> {
  for (const label of labels) await page.getByRole('radio', { name: label, exact: true }).press('Space');
}
