/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { hostname } from 'node:os';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hook } from '../../packages/beckon/src/testing/harness/claude-hooks.ts';
import { runAxe } from './axe.ts';
import { HookProject, type Said } from './hook-project.ts';
import { describeInBrowser, expectShown, look, PageBench } from './page-bench.ts';

let bench: PageBench;
let page: Page;
let project: HookProject;

const SAID: readonly Said[] = [
  { person: 'Convert the cart to the customer’s currency' },
  { tool: 'Bash', input: { command: 'npm test' }, result: '3 passed' },
  { tool: 'Bash', input: { command: 'npm run lint' }, result: 'Exit code 1', isError: true },
  { agent: 'All **tests** pass.\n\nI will push so that the preview builds. '.repeat(12) },
];

describeInBrowser('what surrounds a request', () => {
  beforeAll(async () => {
    bench = await PageBench.open();
    project = new HookProject(bench);
    page = await bench.newLoggedInPage({ viewport: { width: 1440, height: 900 } });
  });
  afterAll(async () => {
    project?.close();
    await bench?.close();
  });

  test('the head says where a request comes from, who asked, and what is only a claim', async () => {
    const { id, askedBy } = await project.ask('Bash', { command: 'git push' }, SAID);
    await open(id);
    const head = page.getByRole('article').locator('header').first();
    await expectShown(head.getByText(`webshop · feature/currency · Claude Code · ${hostname()}`));
    await expectShown(head.getByRole('heading', { name: `Approval from ${askedBy}` }));
    await expectShown(head.getByRole('link', { name: '“Convert the cart to the customer’s currency”' }));
    await head.getByRole('button', { name: 'Agent’s claim' }).click();
    await expectShown(head.getByText(`What Beckon knows: the request came from ${askedBy}.`));
    await expectShown(head.getByText(project.folder, { exact: true }));
  });

  test('a title that a person gave to the session is the one that is shown', async () => {
    const { id } = await project.ask('Bash', { command: 'git push' }, SAID);
    await open(id);
    await page
      .getByRole('article')
      .getByRole('link', { name: '“Convert the cart to the customer’s currency”' })
      .click();
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('textbox', { name: 'Title of the session' }).fill('Currency');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Currency' }).waitFor();
    await open(id);
    await expectShown(page.getByRole('article').getByRole('link', { name: '“Currency”' }));
  });

  test('the agent’s last message is three lines and all of it on demand; the calls before have their outcome', async () => {
    const { id } = await project.ask('Bash', { command: 'git push' }, SAID);
    await open(id);
    const around = page.getByRole('region', { name: 'What led to this' });
    const why = around.getByText(/^All tests pass\. I will push/);
    await why.waitFor();
    const lines = await why.evaluate((one) => one.clientHeight / Number.parseFloat(getComputedStyle(one).lineHeight));
    expect(Math.round(lines)).toBe(3);
    await expectShown(around.getByText('npm test'));
    expect(await around.getByRole('listitem').allTextContents()).toEqual([
      '✓workednpm test(12 s)',
      '✗failednpm run lint(12 s)',
    ]);
    await around.getByRole('button', { name: 'Show more' }).click();
    await expectShown(around.locator('strong').first());
  });

  test('a request without context has none of it, and is decided as ever', async () => {
    const id = await bench.ask({ kind: 'approval', request: { tool: 'Bash', input: { command: 'ls' } } });
    await open(id);
    expect(await page.getByRole('button', { name: 'Agent’s claim' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Conversation' }).count()).toBe(0);
    await page.keyboard.press('y');
    expect((await bench.settled(id)).answer).toEqual({ decision: 'allow' });
  });

  test('what was cut is named', async () => {
    const context = {
      project: 'webshop',
      conversation: Array.from({ length: 600 }, () => ({ by: 'agent', text: 'Hi' })),
    };
    const id = await bench.ask({ kind: 'question', request: { question: 'Which?' }, context });
    await page.goto(`${bench.url}/i/${id}`);
    await page.getByRole('button', { name: 'Agent’s claim' }).click();
    await expectShown(page.getByText('conversation: only the last 500 of 600 are kept'));
  });

  test('the conversation opens beside the request with c, leaves the bar in reach, and gives the focus back', async () => {
    const { id } = await project.ask('Bash', { command: 'git push' }, SAID);
    await open(id);
    await page.getByRole('button', { name: 'Allow', exact: true }).focus();
    await page.keyboard.press('c');
    const drawer = page.getByRole('complementary', { name: 'Conversation' });
    await expectShown(drawer.getByText('Convert the cart to the customer’s currency'));
    await expectShown(drawer.getByText('3 passed'));
    await expectShown(drawer.getByText('This request'));
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Conversation');
    const [box, bar] = await Promise.all([drawer.boundingBox(), page.locator('[data-decision-bar]').boundingBox()]);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual((bar?.y ?? 0) + 1);
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toMatch(/^Allow/);
    expect(new URL(page.url()).pathname).toBe(`/i/${id}`);
    await page.keyboard.press('c');
    await drawer.waitFor();
    await look(page);
    await page.getByRole('button', { name: 'Deny', exact: true }).click();
    expect((await bench.settled(id)).answer).toEqual({ decision: 'deny' });
  });

  test('a conversation of 5,000 entries is read page by page from its end, and few of them are drawn', async () => {
    const session = 'long-session';
    const total = 5_000;
    for (let from = 0; from < total; from += 250) {
      const prompts = Array.from({ length: 250 }, (_, index) => `Prompt number ${from + index}`);
      for (const prompt of prompts.slice(0, 1)) await report(session, prompt);
      await Promise.all(prompts.slice(1).map((prompt) => report(session, prompt)));
    }
    const id = await bench.ask({ kind: 'question', request: { question: 'And now?' }, sessionId: session });
    await page.goto(`${bench.url}/i/${id}`);
    await page.getByRole('button', { name: 'Conversation' }).click();
    const entries = page.getByRole('group', { name: 'What was said' });
    await expectShown(entries.getByText('This request'));
    const seen = new Set<string>();
    for (let turn = 0; turn < 400 && seen.size < 1_000; turn += 1) {
      for (const text of await entries.getByText(/^Prompt number/).allTextContents()) seen.add(text);
      await entries.evaluate((list) => list.scrollBy(0, -900));
    }
    expect(seen.size).toBeGreaterThanOrEqual(1_000);
    expect(await entries.getByRole('listitem').count()).toBeLessThan(40);
  });

  test('on a phone the conversation covers the request, not the bar; axe finds nothing', async () => {
    const { id } = await project.ask('Bash', { command: 'git push' }, SAID);
    for (const options of [
      { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
      { viewport: { width: 320, height: 640 }, colorScheme: 'dark' as const },
      { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' as const },
    ]) {
      const other = await bench.newLoggedInPage(options);
      await other.goto(`${bench.url}/i/${id}`);
      await look(other);
      await other.getByRole('button', { name: 'Agent’s claim' }).click();
      expect({ options, violations: await runAxe(other) }).toEqual({ options, violations: [] });
      await other.getByRole('button', { name: 'Conversation' }).click();
      await expectShown(other.getByRole('complementary').getByText('3 passed'));
      expect({ options, violations: await runAxe(other) }).toEqual({ options, violations: [] });
      expect(
        await other.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth),
      ).toBe(false);
      await look(other);
      await expectShown(other.getByRole('button', { name: 'Allow', exact: true }));
      await other.context().close();
    }
    expect(bench.troubles).toEqual([]);
  });

  test('allowed and denied look different, and an allow that was withheld says so', async () => {
    const [yes, no] = [await project.ask('Bash', { command: 'a' }), await project.ask('Bash', { command: 'b' })];
    await bench.answer(yes.id, { decision: 'allow' });
    await bench.answer(no.id, { decision: 'deny' });
    await page.goto(`${bench.url}/i/${no.id}`);
    await expectShown(page.getByRole('heading', { name: /^Denied by/ }));
    expect(await page.locator('article .rounded-full.bg-danger-soft').count()).toBe(1);
    await page.goto(`${bench.url}/i/${yes.id}`);
    await expectShown(page.getByRole('heading', { name: /^Allowed by/ }));
    expect(await page.locator('article .rounded-full.bg-success-soft').count()).toBe(1);
    await bench.call(`/v1/interactions/${yes.id}/notes`, { type: 'withheld', reason: 'total.ts had changed' });
    await expectShown(page.getByText('But not handed over to the agent: total.ts had changed'));
    expect(await page.locator('article .rounded-full.bg-success-soft').count()).toBe(0);
  });
});

async function open(id: string): Promise<void> {
  await page.goto(`${bench.url}/i/${id}`);
  await look(page);
}

async function report(session: string, prompt: string): Promise<void> {
  await bench.call('/hooks/claude', { ...hook('UserPromptSubmit', { prompt }), session_id: session });
}
