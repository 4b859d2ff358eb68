/// <reference lib="dom" />
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runAxe } from './axe.ts';
import { describeInBrowser, look, PageBench } from './page-bench.ts';
import { clear, pause, statusOf } from './press-kinds.ts';
import { API, askPermission, CART, DOCS, RATES, readDecision, type TestCall } from './triage-asks.ts';

/** Four agents at work. */
const SESSIONS = [CART, RATES, API, DOCS] as const;

let bench: PageBench;
let page: Page;

describeInBrowser('what thirty agents ask is gone through fast, and nothing is decided by accident', () => {
  beforeAll(async () => {
    bench = await PageBench.open();
    page = bench.page;
    await bench.logIn();
  });
  beforeEach(async () => {
    await clear(bench);
    await page.evaluate(() => localStorage.clear());
    await page.setViewportSize({ width: 1280, height: 800 });
  });
  afterAll(() => bench?.close());

  describe('the list', () => {
    test('is by project and session, with what each call does, its size and its step', async () => {
      await askPermission(bench, CART, 'Bash', { command: 'git push', description: 'Push the branch' });
      await askPermission(bench, CART, 'Edit', {
        file_path: '/home/ada/webshop/src/total.ts',
        old_string: 'a\nb\nc',
        new_string: 'a\nx\ny\nc',
      });
      await askPermission(bench, RATES, 'WebFetch', { url: 'https://rates.example/today', prompt: 'rates' });
      await askPermission(bench, API, 'mcp__github__create_issue', { title: 'A flaky test', body: 'x' });
      await bench.call('/v1/groups', {
        asks: ['Database?', 'Region?', 'Cache?', 'Name?'].map((question) => ({
          kind: 'question',
          request: { question },
          timeout: null,
          context: { project: 'api', branch: 'main' },
        })),
      });
      await page.goto(bench.url);
      await expectLines([
        /^webshop feature\/currency \S+ 3/,
        /^Convert the cart 2/,
        /^Push the branch · git push/,
        /^Edit src\/total.ts \+2 −1/,
        /^Write tests for the rates 1/,
        /^Fetch rates.example\/today/,
        /^api main \S+ 2/,
        /^Fix the flaky tests 1/,
        /^GitHub: create issue: A flaky test/,
        /^Without a session 1/,
        /^Database\? 1\/4/,
      ]);
      expect(await page.title()).toBe('(5) Beckon');
    });

    test('folds, changes its width and its density, and all survive a reload', async () => {
      await askPermission(bench, CART, 'Bash', { command: 'ls cart' });
      await askPermission(bench, API, 'Bash', { command: 'ls api' });
      await page.goto(bench.url);
      const heading = page.getByRole('button', { name: /^webshop/ });
      await heading.click();
      await row('ls cart').waitFor({ state: 'detached' });
      expect(await heading.getAttribute('aria-expanded')).toBe('false');
      const line = page.getByRole('separator', { name: 'Width of the list' });
      const before = await toWidth(page);
      const box = await line.boundingBox();
      await page.mouse.move(Number(box?.x) + 4, 300);
      await page.mouse.down();
      await page.mouse.move(Number(box?.x) + 104, 300, { steps: 4 });
      await page.mouse.up();
      expect(Math.abs((await toWidth(page)) - before - 100)).toBeLessThan(6);
      await line.focus();
      await page.keyboard.press('ArrowRight');
      const wide = await toWidth(page);
      expect(wide - before).toBeGreaterThan(110);
      const tall = await toHeight('ls api');
      await page.getByRole('button', { name: 'Two lines per request' }).click();
      const roomy = await toHeight('ls api');
      expect(roomy).toBeGreaterThan(tall);
      await page.reload();
      await row('ls api').waitFor();
      expect(await row('ls cart').count()).toBe(0);
      expect(await toWidth(page)).toBe(wide);
      expect(await toHeight('ls api')).toBe(roomy);
      await page.keyboard.press('Tab');
      await page.getByRole('button', { name: /^webshop/ }).press('Enter');
      await row('ls cart').waitFor();
    });

    test('is searched with one key, and filtered by kind, project and agent', async () => {
      await askPermission(bench, CART, 'Bash', { command: 'npm run walrus' });
      await askPermission(bench, API, 'Bash', { command: 'npm run penguin' });
      await bench.ask({ kind: 'question', request: { question: 'Which colour?' }, timeout: '2h' });
      await page.goto(bench.url);
      await row('walrus').waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type('walrus');
      await row('penguin').waitFor({ state: 'detached' });
      expect(await row('walrus').count()).toBe(1);
      await page.getByRole('searchbox').fill('feature/currency');
      await row('walrus').waitFor();
      expect(await row('penguin').count()).toBe(0);
      await page.getByRole('searchbox').fill('unicorn');
      await page.getByText('Nothing matches').waitFor();
      await page.locator('main').getByRole('button', { name: 'Show all' }).last().click();
      await page.getByRole('button', { name: 'Filter', exact: true }).click();
      await chip('Question').click();
      await row('penguin').waitFor({ state: 'detached' });
      expect(await row('Which colour').count()).toBe(1);
      await chip('Question').click();
      await chip('api').click();
      await row('walrus').waitFor({ state: 'detached' });
      expect(await row('penguin').count()).toBe(1);
      await chip('api').click();
      await chip('With deadline').click();
      await page.getByText('3 of 3 pending').waitFor({ state: 'hidden' });
      await page.getByRole('button', { name: 'Show all' }).click();
      await row('walrus').waitFor();
    });

    test('says which agents there are, and when each was last heard from, while nothing waits', async () => {
      const call = await askPermission(bench, DOCS, 'Bash', { command: 'ls' });
      await bench.answer(call.id, { decision: 'allow' });
      await page.goto(bench.url);
      await page.getByText('Nothing is waiting.').waitFor();
      const agents = page.getByRole('list', { name: 'Agents' });
      await agents.getByText('Claude Code').first().waitFor();
      expect(await agents.innerText()).toMatch(/Claude Code · docs · ada-laptop\s+last heard from just now/);
    });
  });

  test('thirty approvals of four sessions are gone through with keys alone', { timeout: 240_000 }, async () => {
    const calls: TestCall[] = [];
    for (let number = 0; number < 30; number += 1) {
      const session = SESSIONS[number % 4] ?? CART;
      calls.push(await askPermission(bench, session, 'Bash', { command: `deploy step-${number} -v${number}` }));
    }
    await page.goto(bench.url);
    await row('step-0 ').waitFor();
    await page.keyboard.press('j');
    const seen: string[] = [];
    for (let turn = 0; turn < 30; turn += 1) {
      await look(page);
      const headline = (await page.getByRole('article').getAttribute('aria-label')) ?? '';
      seen.push(headline);
      // Every third is denied.
      await decide(turn % 3 === 2 ? 'n' : 'y', headline);
    }
    await page.getByText('Nothing is waiting.').waitFor();
    expect(new Set(seen).size).toBe(30);
    // The four sessions come one after another, and in each the oldest first.
    const numbers = seen.map((headline) => Number(/step-(\d+)/.exec(headline)?.[1]));
    const inOrder = [0, 1, 2, 3].flatMap((first) =>
      numbers.filter((number) => number % 4 === first).sort((a, b) => a - b),
    );
    expect(numbers).toEqual(inOrder);
    const decisions = await Promise.all(calls.map(readDecision));
    expect(decisions.filter(({ behavior }) => behavior === 'deny')).toHaveLength(10);
    for (const [turn, number] of numbers.entries()) {
      expect(decisions[number]?.behavior).toBe(turn % 3 === 2 ? 'deny' : 'allow');
    }
  });

  test('keys move through requests and groups, select, and deny with a reason', async () => {
    const first = await askPermission(bench, CART, 'Bash', { command: 'ls one' });
    await askPermission(bench, CART, 'Bash', { command: 'ls two' });
    await askPermission(bench, API, 'Bash', { command: 'ls three' });
    await page.goto(bench.url);
    await row('ls one').waitFor();
    await page.keyboard.press('j');
    await article('ls one').waitFor();
    await page.keyboard.press('j');
    await article('ls two').waitFor();
    await page.keyboard.press('J');
    await article('ls three').waitFor();
    await page.keyboard.press('K');
    await article('ls one').waitFor();
    await page.keyboard.press('l');
    const log = page.getByRole('region', { name: 'Log' });
    await log.getByText('Asked', { exact: true }).waitFor();
    expect(await log.evaluate((element) => element.getBoundingClientRect().bottom <= innerHeight)).toBe(true);
    await page.keyboard.press('l');
    await log.waitFor({ state: 'detached' });
    await look(page);
    await page.keyboard.press('r');
    await page.getByRole('textbox', { name: 'Why not?' }).fill('Not on a Friday');
    await look(page);
    await page.getByRole('button', { name: 'Deny with this reason' }).click();
    expect(await readDecision(first)).toMatchObject({ behavior: 'deny', message: expect.stringContaining('Friday') });
    await page.getByText(/^Denied: ls one/).waitFor();
  });

  test('all single keys can be switched off, and stay off', async () => {
    const call = await askPermission(bench, CART, 'Bash', { command: 'ls' });
    await page.goto(`${bench.url}/i/${call.id}`);
    await look(page);
    await page.keyboard.press(',');
    await page.getByRole('switch', { name: 'Single keys' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    for (const isReloaded of [false, true]) {
      if (isReloaded) await page.reload();
      await look(page);
      for (const key of ['y', 'n', 'j', '?', 's', 'x', 'g', 'h', 'l']) await page.keyboard.press(key);
      await pause(400);
      expect(await page.getByRole('dialog').count()).toBe(0);
      expect(page.url()).toBe(`${bench.url}/i/${call.id}`);
      expect(await statusOf(bench, call.id)).toBe('pending');
    }
    await page.keyboard.press('Escape');
    await page.getByRole('article').waitFor({ state: 'detached' });
  });

  test('the help shows every key', async () => {
    await page.goto(bench.url);
    await page.getByText('Nothing is waiting.').waitFor();
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await help.locator('kbd').first().waitFor();
    const keys = (await help.locator('kbd').allInnerTexts()).join(' ');
    for (const key of [
      'y',
      'n',
      'r',
      'e',
      'm',
      '1',
      '9',
      'Enter',
      'j',
      'k',
      'J',
      'K',
      'x',
      'a',
      's',
      'c',
      'l',
      '/',
      'g i',
      'g h',
      'g r',
      'g s',
      'g t',
      'g d',
      '?',
    ])
      expect(` ${keys} `).toContain(` ${key} `);
  });

  test('what I snooze is hidden from me until its time, and not from bob', async () => {
    const call = await askPermission(bench, CART, 'Bash', { command: 'ls later' });
    const other = await askPermission(bench, CART, 'Bash', { command: 'ls now' });
    const bob = await bench.newLoggedInPage({ who: 'bob' });
    await page.goto(`${bench.url}/i/${call.id}`);
    await look(page);
    await page.keyboard.press('s');
    const dialog = page.getByRole('dialog', { name: 'Snooze until' });
    await dialog.getByRole('button', { name: /Tomorrow at 9:00/ }).waitFor();
    await page.keyboard.press('2');
    await page.getByText(/^Snoozed until/).waitFor();
    // The next request opens.
    await article('ls now').waitFor();
    await row('ls later').waitFor({ state: 'detached' });
    await expect.poll(() => page.title()).toBe('(1) Beckon');
    await bob.goto(bench.url);
    await bob.getByRole('link', { name: /ls later/ }).waitFor();
    await page.reload();
    await row('ls now').waitFor();
    await row('ls later').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: '1 snoozed' }).click();
    await row('ls later').click();
    await look(page);
    await page.keyboard.press('s');
    await page.getByRole('button', { name: 'Show it again now' }).click();
    await page.getByText('Back in the list').waitFor();
    await row('ls now').waitFor();
    await row('ls later').waitFor();
    // A short one comes back by itself.
    await page.evaluate(async (id) => {
      const body = JSON.stringify({ until: '2s' });
      await fetch(`/v1/interactions/${id}/snooze`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body,
      });
    }, other.id);
    await page.goto(bench.url);
    await row('ls now').waitFor({ state: 'detached' });
    await row('ls now').waitFor();
    await bob.context().close();
  });

  test('on a phone the bar is full width, at the bottom, and stays there while the content scrolls', async () => {
    const phone = await bench.newLoggedInPage({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    const short = await askPermission(bench, CART, 'Bash', { command: 'ls' });
    const long = await askPermission(bench, CART, 'Bash', {
      command: Array.from({ length: 200 }, (_, line) => `echo ${line}`).join('\n'),
    });
    const places: unknown[] = [];
    for (const { id } of [short, long]) {
      await phone.goto(`${bench.url}/i/${id}`);
      await look(phone);
      const [deny, allow] = await Promise.all(
        ['Deny', 'Allow'].map((name) => phone.getByRole('button', { name, exact: true }).boundingBox()),
      );
      places.push([deny, allow]);
      expect(Number(deny?.width)).toBeGreaterThan(140);
      expect(Number(allow?.height)).toBeGreaterThanOrEqual(44);
      expect(Number(allow?.y) + Number(allow?.height)).toBeGreaterThan(780);
      expect(Number(allow?.y) + Number(allow?.height)).toBeLessThanOrEqual(844);
    }
    expect(places[0]).toEqual(places[1]);
    expect(await phone.getByRole('navigation', { name: 'Views' }).isVisible()).toBe(false);
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    // A swipe decides nothing.
    await phone.mouse.move(20, 400);
    await phone.mouse.down();
    await phone.mouse.move(370, 400, { steps: 6 });
    await phone.mouse.up();
    expect(await statusOf(bench, long.id)).toBe('pending');
    await phone.getByRole('button', { name: 'Back' }).tap();
    await phone.getByRole('navigation', { name: 'Views' }).waitFor();
    await phone.context().close();
  });

  test('axe finds nothing in the list, its filters, a selection and the dialogs, in either theme', async () => {
    const call = await askPermission(bench, CART, 'Bash', { command: 'npm test -- a' });
    await askPermission(bench, CART, 'Bash', { command: 'npm test -- b' });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto(`${bench.url}/i/${call.id}`);
      await look(page);
      await page.getByRole('button', { name: 'Filter', exact: true }).click();
      await page.keyboard.press('x');
      await page.getByText('1 selected').waitFor();
      expect(await runAxe(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.keyboard.press('a');
      await dialogReady();
      expect(await runAxe(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await look(page);
      await page.keyboard.press('s');
      await page.getByRole('dialog', { name: 'Snooze until' }).waitFor();
      expect(await runAxe(page)).toEqual([]);
      await page.keyboard.press('Escape');
    }
    await page.emulateMedia({ colorScheme: 'light' });
  });

  test('nothing was thrown, and no policy was broken', () => {
    expect(bench.troubles).toEqual([]);
  });
});

function row(text: string) {
  return page.getByRole('list', { name: 'Pending requests' }).getByRole('link', { name: text });
}

function article(headline: string) {
  return page.getByRole('article', { name: headline });
}

function chip(name: string) {
  return page.getByRole('button', { name: new RegExp(`^${name} ?\\d+$`) });
}

/** Waits until a press decides what the dialog shows. */
function dialogReady(): Promise<void> {
  return page.getByRole('dialog').locator('button[data-decides][aria-disabled="false"]').first().waitFor();
}

/** Presses a key until it counts: on a machine that stood still, a press may come too early. */
async function decide(key: string, headline: string): Promise<void> {
  for (let tries = 0; tries < 3; tries += 1) {
    await page.keyboard.press(key);
    const hasMoved = await article(headline)
      .waitFor({ state: 'detached', timeout: 5000 })
      .then(() => true)
      .catch(() => false);
    if (hasMoved) return;
    await look(page);
  }
  throw new Error(`Expected the key ${key} to decide "${headline}".`);
}

async function toWidth(of: Page): Promise<number> {
  return Number(await of.getByRole('separator', { name: 'Width of the list' }).getAttribute('aria-valuenow'));
}

async function toHeight(text: string): Promise<number> {
  return Number((await row(text).boundingBox())?.height);
}

/** Waits until the list has these lines, from top to bottom. */
async function expectLines(lines: readonly RegExp[]): Promise<void> {
  const shown = (): Promise<string[]> =>
    page
      .getByRole('list', { name: 'Pending requests' })
      .locator('li')
      .evaluateAll((items) =>
        items.map((item) => {
          // What only screen readers say would stand between what is seen.
          const seen = item.cloneNode(true) as HTMLElement;
          for (const said of seen.querySelectorAll('.sr-only')) said.remove();
          const texts = [...seen.querySelectorAll('bdi, span, time')].filter(({ children }) => children.length === 0);
          return texts
            .map(({ textContent }) => textContent?.trim())
            .filter(Boolean)
            .join(' ');
        }),
      );
  await expect.poll(shown, { timeout: 60_000 }).toEqual(lines.map((line) => expect.stringMatching(line) as string));
}
