/// <reference lib="dom" />
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { describeInBrowser, expectShown, look, PageBench } from './page-bench.ts';

const COLOUR = {
  kind: 'question',
  request: { question: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] },
};

let bench: PageBench;
let page: Page;

describeInBrowser('what is pending', () => {
  beforeAll(async () => {
    bench = await PageBench.open(['--samples']);
    page = bench.page;
    await bench.logIn();
  });
  afterAll(() => bench?.close());

  test('samples are marked, and go with one click', async () => {
    await expectTitle('(3) Beckon');
    const samples = page.getByRole('list', { name: 'Pending requests' }).getByText('Sample', { exact: true });
    await expect.poll(() => samples.count()).toBe(3);
    await page.getByRole('button', { name: 'Remove samples' }).click();
    await page.getByText('Nothing is waiting.').waitFor();
    await expectTitle('Beckon');
    expect(await page.getByRole('button', { name: 'Remove samples' }).count()).toBe(0);
  });

  test('the command to try is not broken inside of an option', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    const lines = await page.getByText('--option no').evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return range.getClientRects().length;
    });
    expect(lines).toBe(1);
    await page.setViewportSize({ width: 1100, height: 800 });
  });

  describe('when nothing else is', () => {
    beforeEach(async () => {
      const { items } = await bench.call<{ items: { id: string }[] }>('/v1/interactions?status=pending');
      for (const { id } of items) await bench.call(`/v1/interactions/${id}/cancel`, {});
      await page.goto(bench.url);
      await page.getByText('Nothing is waiting.').waitFor();
    });

    test('what is asked appears by itself, with who asks, little time left and a count in the title', async () => {
      await page.getByText('Nothing is waiting.').waitFor();
      await expectTitle('Beckon');
      await bench.ask({
        ...COLOUR,
        sessionId: 'session-one',
        chatId: 'design',
        metadata: { agent: 'painter' },
        timeout: '2h',
      });
      const row = page.getByRole('link', { name: /Which colour\?/ });
      await row.waitFor();
      // A line has room for what is asked; two lines also have who asks. Much time left is not worth a place.
      await page.getByRole('button', { name: 'Two lines per request' }).click();
      expect(await row.innerText()).toMatch(/calls itself “painter”[^]*design[^]*now/);
      await row.click();
      const header = page.getByRole('article').locator('header');
      expect(await header.innerText()).toMatch(/2 h left|1 h 59 min left/);
      await page.getByRole('button', { name: 'One line per request' }).click();
      const hurried = await bench.ask({ kind: 'question', request: { question: 'Hurry?' }, timeout: '4m' });
      await page
        .getByRole('link', { name: /Hurry\?/ })
        .getByText(/^[34]:\d\d$/)
        .waitFor();
      await bench.call(`/v1/interactions/${hurried}/cancel`, {});
      await expectTitle('(1) Beckon');
      const gone = await bench.ask(COLOUR);
      await expectTitle('(2) Beckon');
      await bench.call(`/v1/interactions/${gone}/cancel`, {});
      await expectTitle('(1) Beckon');
    });

    test('a chat is named, but not the default one', async () => {
      const named = await bench.ask({ kind: 'question', request: { question: 'Named?' }, chatId: 'design' });
      const plain = await bench.ask({ kind: 'question', request: { question: 'Plain?' } });
      for (const [id, question, isNamed] of [
        [named, 'Named?', true],
        [plain, 'Plain?', false],
      ] as const) {
        await page.goto(`${bench.url}/i/${id}`);
        const article = page.getByRole('article', { name: question });
        await article.getByRole('heading', { name: /^Question from / }).waitFor();
        expect((await article.locator('header').innerText()).includes('Chat')).toBe(isNamed);
        await page.evaluate(() => localStorage.setItem('beckon.density', 'roomy'));
        await page.reload();
        const row = page.getByRole('link', { name: question });
        expect(/design|default/.test(await row.innerText())).toBe(isNamed);
      }
    });

    test('what has waited longest comes first', async () => {
      await bench.ask({ kind: 'question', request: { question: 'First?' }, timeout: '2h' });
      await bench.ask({ kind: 'question', request: { question: 'Second?' }, timeout: '10m' });
      await bench.ask({ kind: 'question', request: { question: 'Third?' } });
      await expectRows(['First?', 'Second?', 'Third?']);
    });

    test('one is opened by click, by keyboard and by link', async () => {
      const first = await bench.ask({ kind: 'question', request: { question: 'First?' } });
      const second = await bench.ask({ kind: 'question', request: { question: 'Second?' } });
      await page.getByRole('link', { name: /First\?/ }).click();
      await page.getByRole('article', { name: 'First?' }).waitFor();
      expect(page.url()).toBe(`${bench.url}/i/${first}`);
      await page.keyboard.press('Escape');
      await page.getByRole('article').waitFor({ state: 'detached' });

      await page.goto(bench.url);
      await page.getByRole('link', { name: /First\?/ }).waitFor();
      await page.keyboard.press('j');
      await page.locator(`[data-id="${first}"]:focus`).waitFor();
      await page.keyboard.press('j');
      await page.locator(`[data-id="${second}"]:focus`).waitFor();
      await page.getByRole('article', { name: 'Second?' }).waitFor();
      await page.keyboard.press('k');
      await page.locator(`[data-id="${first}"]:focus`).waitFor();
      // Beside the list it is open already; Enter goes into it.
      await page.getByRole('article', { name: 'First?' }).waitFor();
      await page.keyboard.press('Enter');
      await page.locator('article h1:focus').waitFor();

      const other = await page.context().newPage();
      await other.goto(`${bench.url}/i/${first}`);
      await other.getByRole('article', { name: 'First?' }).waitFor();
      await other.close();
    });

    test('a link that leads nowhere says so', async () => {
      await page.goto(`${bench.url}/i/int_none`);
      await expectShown(page.getByText('No such request'));
      await page.goto(`${bench.url}/nowhere`);
      await expectShown(page.getByText('Page not found'));
    });

    test('a double click answers once', async () => {
      const id = await bench.ask({ kind: 'approval', request: { tool: 'Bash', input: { command: 'ls' } } });
      await bench.ask({ kind: 'approval', request: { tool: 'Bash', input: { command: 'rm -rf /' } } });
      await page.goto(`${bench.url}/i/${id}`);
      const sent: string[] = [];
      const note = (request: { method(): string; url(): string }): void => {
        if (request.method() === 'POST' && request.url().endsWith('/answer')) sent.push(request.url());
      };
      page.on('request', note);
      await page.getByRole('button', { name: 'Allow', exact: true }).dblclick();
      expect((await bench.settled(id)).answer).toEqual({ decision: 'allow' });
      await page.getByText(/^Allowed: ls\. 1 left\./).waitFor();
      page.off('request', note);
      expect(sent).toEqual([`${bench.url}/v1/interactions/${id}/answer`]);
      await expectTitle('(1) Beckon');
    });

    test('requests of one call that are no questions are steps, and each keeps its draft', async () => {
      const ask = (step: number, message: string): Promise<string> =>
        bench.ask({
          kind: 'form',
          request: { message, schema: { type: 'object', properties: { name: { type: 'string', title: 'Name' } } } },
          groupId: 'call-1',
          metadata: { step, steps: 2 },
        });
      const first = await ask(1, 'Tests');
      const second = await ask(2, 'Docs');
      await page.goto(`${bench.url}/i/${first}`);
      const steps = page.getByRole('navigation', { name: 'Related questions' });
      await steps.getByText('1 of 2').waitFor();
      await page.getByRole('textbox', { name: 'Name' }).fill('unit');
      await steps.getByRole('link', { name: /Docs/ }).click();
      await page.getByRole('article', { name: 'Docs' }).waitFor();
      await steps.getByRole('link', { name: /Tests/ }).click();
      await page.getByRole('article', { name: 'Tests' }).waitFor();
      expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('unit');
      await page.reload();
      await look(page);
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      expect((await bench.settled(first)).answer).toMatchObject({ values: { name: 'unit' } });
      await page.getByRole('article', { name: 'Docs' }).waitFor();
      await steps.getByText('2 of 2').waitFor();
      await page.getByRole('textbox', { name: 'Name' }).fill('inbox');
      await look(page);
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      expect((await bench.settled(second)).answer).toMatchObject({ values: { name: 'inbox' } });
    });

    test('one is dismissed with a reason, which is not an answer', async () => {
      const id = await bench.ask(COLOUR);
      await page.goto(`${bench.url}/i/${id}`);
      await page.getByRole('button', { name: 'Dismiss' }).click();
      await page.getByRole('textbox', { name: 'Reason (optional)' }).fill('Not today');
      await page.getByRole('dialog').getByRole('button', { name: 'Dismiss' }).click();
      expect(await bench.settled(id)).toMatchObject({ status: 'cancelled', reason: 'Not today' });
    });

    test('the shortcuts are shown, and lead to every view', async () => {
      await page.keyboard.press('?');
      const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
      await help.waitFor();
      for (const text of ['Next', 'Close or go back', 'Statistics', 'Choose an option', 'Next, or send the answer'])
        await help.getByText(text, { exact: true }).waitFor();
      await page.keyboard.press('Escape');
      await help.waitFor({ state: 'detached' });
      const views = { h: 'History', s: 'Sessions', t: 'Statistics', d: 'Devices', i: 'Inbox' };
      for (const [key, name] of Object.entries(views)) {
        await page.keyboard.press('g');
        await page.keyboard.press(key);
        await page.getByRole('heading', { name, level: 1 }).waitFor();
      }
      await page.keyboard.press(',');
      await expectShown(page.getByRole('dialog', { name: 'Settings' }));
    });

    test('nothing was thrown, and no policy was broken', () => {
      expect(bench.troubles).toEqual([]);
    });

    // The last one here, because it leaves so much behind.
    test('of ten thousand only what is in sight is in the page, and the last can be reached', async () => {
      const count = 10_000;
      for (let from = 0; from < count; from += 100) {
        await Promise.all(
          Array.from({ length: 100 }, (_, index) =>
            bench.ask({ kind: 'question', request: { question: `Number ${from + index}?` }, chatId: 'many' }),
          ),
        );
      }
      await page.goto(bench.url);
      await page.locator('main').getByText(`${count} pending`, { exact: true }).waitFor();
      await expectTitle(`(${count}) Beckon`);
      const list = page.getByRole('list', { name: 'Pending requests' });
      const rows = list.getByRole('listitem');
      expect(await rows.count()).toBeLessThan(60);
      for (const part of [0.25, 0.5, 0.75, 1]) {
        await list.evaluate((element, to) => {
          const scroller = element.parentElement;
          if (scroller !== null) scroller.scrollTop = scroller.scrollHeight * to;
        }, part);
        await list.locator(`[aria-posinset="${Math.round(count * part)}"]`).waitFor();
        expect(await rows.count()).toBeLessThan(60);
      }
      const last = list.locator(`[aria-posinset="${count}"]`);
      expect(await last.getAttribute('aria-setsize')).toBe(String(count));
      await last.getByRole('link').click();
      await page.getByRole('article').getByRole('button', { name: 'Answer', exact: true }).waitFor();
      expect(bench.troubles).toEqual([]);
    });
  });
});

async function expectTitle(title: string): Promise<void> {
  await expect.poll(() => page.title(), { timeout: 60_000 }).toBe(title);
}

async function expectRows(questions: string[]): Promise<void> {
  const shown = (): Promise<string[]> =>
    page
      .getByRole('list', { name: 'Pending requests' })
      .locator('li[aria-posinset]')
      .evaluateAll((rows) =>
        rows
          .sort((a, b) => Number(a.ariaPosInSet) - Number(b.ariaPosInSet))
          .map((row) => /\w+\?/.exec((row as HTMLElement).innerText)?.[0] ?? ''),
      );
  await expect.poll(shown, { timeout: 60_000 }).toEqual(questions);
}
