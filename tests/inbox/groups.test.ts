import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Interaction } from '../../packages/beckon/src/protocol/interaction.ts';
import { permission } from '../../packages/beckon/src/testing/harness/claude-hooks.ts';
import { runAxe } from './axe.ts';
import { describeInBrowser, expectShown, PageBench, readDrafts } from './page-bench.ts';
import { clear, middleOf, pause, statusOf } from './press-kinds.ts';

const FOUR = [
  { question: 'Which database should we use?', header: 'Database', options: toOptions('PostgreSQL', 'SQLite') },
  { question: 'Which region?', header: 'Region', options: toOptions('eu-west', 'us-east') },
  { question: 'Which cache?', header: 'Cache', options: toOptions('Redis', 'None') },
  { question: 'Which name?', header: 'Name', options: toOptions('shop', 'webshop') },
];

let bench: PageBench;
let page: Page;

describeInBrowser('the questions of one call', () => {
  beforeAll(async () => {
    bench = await PageBench.open();
    page = bench.page;
    await bench.logIn();
  });
  beforeEach(() => clear(bench));
  afterAll(() => bench?.close());

  test('four single-choice questions take four keys and Enter, and are recorded together', async () => {
    const next = await bench.ask({ kind: 'approval', request: { tool: 'Bash', input: { command: 'ls' } } });
    const ids = await open(FOUR);
    const keys = await countKeys(page, async () => {
      for (const key of ['1', '2', '1', '2']) await page.keyboard.press(key);
      await sendIsReady(page, 'Send 4 answers');
      await page.keyboard.press('Enter');
    });
    expect(keys).toBe(5);
    expect(await answersOf(ids)).toEqual(['PostgreSQL', 'us-east', 'Redis', 'webshop']);
    const settledAt = await Promise.all(ids.map(async (id) => (await read(id)).settledAt));
    expect(new Set(settledAt).size).toBe(1);
    await page.waitForURL(`**/i/${next}`);
    await expectShown(page.getByText('4 answers sent. 1 left.'));
  });

  test('four questions of one Claude Code call are one group, and the hook gets all answers', async () => {
    const questions = FOUR.map((question) => ({ ...question, multiSelect: false }));
    const reply = bench.call('/hooks/claude', permission('AskUserQuestion', { questions }));
    let ids: string[] = [];
    const list = async (): Promise<number> => {
      const { items } = await bench.call<{ items: Interaction[] }>('/v1/interactions?status=pending');
      ids = items.map(({ id }) => id).toReversed();
      return ids.length;
    };
    await expect.poll(list, { timeout: 60_000 }).toBe(4);
    await page.goto(`${bench.url}/i/${ids[0]}`);
    await seen(page);
    for (const key of ['2', '2', '2', '2']) await page.keyboard.press(key);
    await sendIsReady(page, 'Send 4 answers');
    await page.keyboard.press('Enter');
    expect(JSON.stringify(await reply)).toContain(
      JSON.stringify({
        'Which database should we use?': 'SQLite',
        'Which region?': 'us-east',
        'Which cache?': 'None',
        'Which name?': 'webshop',
      }),
    );
  });

  test('each tab shows its state, and one goes back and forth between them', async () => {
    await open(FOUR);
    const tabs = page.getByRole('tablist', { name: 'Questions of this call' });
    expect(await tabs.getByRole('tab').allInnerTexts()).toEqual(['Database', 'Region', 'Cache', 'Name', 'Review']);
    await page.keyboard.press('2');
    await tab('Region').and(page.locator('[aria-selected="true"]')).waitFor();
    await expectShown(tab('Database, chosen, not sent yet'));
    await page.keyboard.press('[');
    await page.getByRole('radio', { name: 'SQLite', checked: true }).waitFor();
    await page.keyboard.press(']');
    await page.getByRole('radio', { name: 'eu-west', checked: false }).waitFor();
    await tab('Region').focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('tab', { name: /Cache/, selected: true }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('End');
    await page.getByRole('heading', { name: 'Your answers' }).waitFor();
    expect(await page.getByRole('definition').locator('p').allInnerTexts()).toEqual([
      'SQLite',
      'Not answered yet',
      'Not answered yet',
      'Not answered yet',
    ]);
    await page.keyboard.press('ArrowRight');
    await page
      .getByRole('tab', { name: /Database/, selected: true })
      .and(page.locator(':focus'))
      .waitFor();
  });

  test('arrow keys look at options without leaving the question; Enter goes on, past what is chosen', async () => {
    await open(FOUR);
    await tab('Region').click();
    await page.keyboard.press('1');
    await page.getByRole('tab', { name: /Cache/, selected: true }).waitFor();
    await tab('Database').click();
    await page.getByRole('radio', { name: 'PostgreSQL' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('radio', { name: 'SQLite', checked: true }).waitFor();
    await page.keyboard.press('Enter');
    await expectShown(page.getByRole('tab', { name: /Cache/, selected: true }));
  });

  test('the address of a step opens its tab; drafts outlive a reload, and nobody else has them', async () => {
    const ids = await open(FOUR);
    await page.keyboard.press('2');
    await page.getByRole('tab', { name: /Region/, selected: true }).waitFor();
    await page.goto(`${bench.url}/i/${ids[2]}`);
    await page.getByRole('tab', { name: /Cache/, selected: true }).waitFor();
    await expectShown(tab('Database, chosen, not sent yet'));
    const bob = await bench.newLoggedInPage({ who: 'bob' });
    await bob.goto(`${bench.url}/i/${ids[0]}`);
    await bob.getByRole('radio', { name: 'SQLite', checked: false }).waitFor();
    expect(await readDrafts(bob)).toEqual([]);
    await bob.context().close();
    await bench.answer(ids[0] ?? '', { selected: ['PostgreSQL'] });
    await expect.poll(() => readDrafts(page), { timeout: 60_000 }).toEqual([]);
  });

  test('a step that was answered in a chat is shown as answered, and only the others are sent', async () => {
    const ids = await open(FOUR);
    await bench.answer(ids[1] ?? '', { selected: ['us-east'] });
    await tab('Region, answered').click();
    await page
      .getByRole('tabpanel')
      .getByRole('heading', { name: /^Answered by/ })
      .waitFor();
    await tab('Database').click();
    for (const key of ['1', '1', '1']) await page.keyboard.press(key);
    await sendIsReady(page, 'Send 3 answers');
    await expectShown(page.getByText('Already answered: us-east'));
    await page.getByRole('button', { name: 'Send 3 answers' }).click();
    expect(await answersOf(ids)).toEqual(['PostgreSQL', 'us-east', 'Redis', 'shop']);
  });

  test('if somebody was faster with one, none is sent, it says who, and the others stay as drafts', async () => {
    const ids = await open(FOUR);
    for (const key of ['1', '1', '1', '1']) await page.keyboard.press(key);
    await sendIsReady(page, 'Send 4 answers');
    const { isHeld, letGo } = await holdGroup(page);
    await page.keyboard.press('Enter');
    await isHeld;
    const bob = await bench.newLoggedInPage({ who: 'bob' });
    await bob.goto(`${bench.url}/i/${ids[1]}`);
    await bob.evaluate(
      async ({ id, url }) => {
        const answer = { answer: { selected: ['us-east'] }, via: 'inbox' };
        const headers = { 'content-type': 'application/json' };
        await fetch(`${url}/v1/interactions/${id}/answer`, { method: 'POST', headers, body: JSON.stringify(answer) });
      },
      { id: ids[1], url: bench.url },
    );
    await bob.context().close();
    letGo();
    await page.getByRole('alert').getByText('Your answers were not sent').waitFor();
    await expectShown(page.getByRole('alert').getByText('bob in the inbox answered “Region” first: us-east'));
    await expectShown(page.getByRole('alert').getByText('Your other answers are kept as drafts.'));
    expect(await statusOf(bench, ids[0] ?? '')).toBe('pending');
    await sendIsReady(page, 'Send 3 answers');
    await page.getByRole('button', { name: 'Send 3 answers' }).click();
    expect(await answersOf(ids)).toEqual(['PostgreSQL', 'us-east', 'Redis', 'shop']);
  });

  test('after a timeout, what was answered is shown as answered and the rest as expired', async () => {
    const ids = await open(FOUR.slice(0, 2), { timeout: '6s' });
    await bench.answer(ids[0] ?? '', { selected: ['SQLite'] });
    await page.getByRole('tab', { name: 'Region, expired' }).click();
    await page.getByRole('heading', { name: 'Expired: nobody answered in time' }).waitFor();
    await tab('Database, answered').click();
    await page
      .getByRole('tabpanel')
      .getByRole('heading', { name: /^Answered by/ })
      .waitFor();
    expect(await page.getByRole('tab', { name: 'Review' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: /^Send/ }).count()).toBe(0);
  });

  test('several choices, own words, notes and a preview that is Markdown', async () => {
    const fence = '```ts\nconst store = openStore();\n```';
    const ids = await open([
      { question: 'Which parts?', multiSelect: true, options: toOptions('Auth', 'Billing', 'Search') },
      {
        question: 'Which store?',
        header: 'Store',
        options: [{ label: 'One file', preview: fence }, { label: 'None' }],
      },
      { question: 'What name?', header: 'Name' },
    ]);
    await expectShown(tab('1, open'));
    await page.keyboard.press('3');
    await page.keyboard.press('1');
    await page.getByRole('button', { name: 'Add notes' }).click();
    await page.getByRole('textbox', { name: 'Notes' }).fill('In this order');
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    const preview = page.getByRole('region', { name: 'Preview of One file' });
    await preview.locator('pre code').getByText('const store = openStore();').waitFor();
    expect(await preview.innerText()).not.toContain('```');
    await page.keyboard.press('1');
    await page.getByRole('textbox', { name: 'Your answer' }).fill('Beckon');
    await page.keyboard.press('Enter');
    await sendIsReady(page, 'Send 3 answers');
    expect(await page.getByRole('definition').locator('p').allInnerTexts()).toEqual([
      'Auth, Search; In this order',
      'One file',
      'Beckon',
    ]);
    await page.getByRole('button', { name: 'Change Name' }).click();
    await page.getByRole('textbox', { name: 'Your answer' }).fill('Beckon 2');
    await page.keyboard.press('Enter');
    await sendIsReady(page, 'Send 3 answers');
    await page.keyboard.press('Enter');
    expect(await answersOf(ids)).toEqual(['Auth, Search', 'One file', 'Beckon 2']);
    expect((await read(ids[0] ?? '')).answer).toMatchObject({ notes: 'In this order' });
  });

  test('an empty last question says what is missing, and the review leads to it', async () => {
    await open(FOUR.slice(0, 2));
    await page.keyboard.press('1');
    await page.getByRole('tab', { name: /Region/, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await expectShown(page.getByText('Choose an option, or write an answer.'));
    await tab('Review').click();
    expect(await page.getByRole('button', { name: /^Send/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Change Region' }).click();
    await page.getByRole('tab', { name: /Region/, selected: true }).waitFor();
  });

  test('all questions of a call are dismissed together', async () => {
    const ids = await open(FOUR);
    await page.getByRole('article').getByRole('button', { name: 'Dismiss' }).click();
    const dialog = page.getByRole('dialog', { name: 'Dismiss all 4 questions of this call?' });
    await dialog.waitFor();
    await pause(1000);
    await dialog.getByRole('button', { name: 'Dismiss' }).click();
    const settled = await Promise.all(ids.map((id) => bench.settled(id)));
    expect(settled.map(({ status }) => status)).toEqual(['cancelled', 'cancelled', 'cancelled', 'cancelled']);
  });

  describe('what nobody meant', () => {
    test('keys typed ahead choose, but Enter among them does not send what was not yet in sight', async () => {
      const ids = await open(FOUR);
      for (const key of ['1', '1', '1', '1', 'Enter', 'Enter']) await page.keyboard.press(key);
      await page.getByText('Not sent: this request had just come into view. Press again.').first().waitFor();
      expect(await statusOf(bench, ids[0] ?? '')).toBe('pending');
    });

    test('a held Enter leads to the review and no further', async () => {
      const ids = await open(FOUR);
      for (const key of ['1', '1', '1']) await page.keyboard.press(key);
      await page.getByRole('radio', { name: 'shop' }).first().focus();
      await page.keyboard.press('Space');
      await page.getByRole('heading', { name: 'Your answers' }).waitFor();
      await tab('Name').click();
      await page.getByRole('radio', { name: 'shop' }).first().focus();
      await page.keyboard.down('Enter');
      for (let press = 0; press < 20; press += 1) {
        await pause(60);
        await page.keyboard.down('Enter');
      }
      await page.keyboard.up('Enter');
      await page.getByRole('heading', { name: 'Your answers' }).waitFor();
      expect(await statusOf(bench, ids[0] ?? '')).toBe('pending');
    });

    test('a double click on an option leaves the next question open', async () => {
      await open(FOUR);
      const at = await middleOf(page.getByRole('radio', { name: 'PostgreSQL' }));
      await page.mouse.dblclick(at.x, at.y);
      await page.getByRole('tab', { name: /Region/, selected: true }).waitFor();
      await pause(300);
      expect(await page.getByRole('tabpanel').getByRole('radio', { checked: true }).count()).toBe(0);
      await expectShown(page.getByRole('tab', { name: 'Region, open', selected: true }));
    });

    test('a double click on Next does not send what it brings up', async () => {
      const ids = await open(FOUR.slice(0, 2));
      const send = page.getByRole('button', { name: 'Send 2 answers', exact: true });
      // A key before the questions were seen does nothing, and on the review it does nothing either.
      await expect.poll(() => page.keyboard.press('1').then(() => send.isVisible())).toBe(true);
      await sendIsReady(page, 'Send 2 answers');
      await tab('Region').click();
      const at = await middleOf(page.getByRole('button', { name: 'Next', exact: true }));
      await page.mouse.dblclick(at.x, at.y);
      await page
        .getByText(/^Not sent/)
        .first()
        .waitFor();
      expect(await statusOf(bench, ids[0] ?? '')).toBe('pending');
    });

    test('a question that comes while the answers are reviewed has to be seen first', async () => {
      const ids = await open(FOUR.slice(0, 2));
      for (const key of ['1', '1']) await page.keyboard.press(key);
      await sendIsReady(page, 'Send 2 answers');
      const { groupId } = await read(ids[0] ?? '');
      await bench.ask({
        kind: 'question',
        request: { question: 'Delete everything?', header: 'Late', options: toOptions('Yes', 'No') },
        groupId: groupId ?? '',
        metadata: { step: 2, steps: 2 },
      });
      await expectShown(tab('Late, open'));
      expect(await page.getByRole('button', { name: /^Send/ }).count()).toBe(0);
    });
  });

  test('an answer that is sent while the connection is lost arrives once it is back', async () => {
    const ids = await open(FOUR.slice(0, 2));
    for (const key of ['1', '2']) await page.keyboard.press(key);
    await sendIsReady(page, 'Send 2 answers');
    await page.context().setOffline(true);
    await page.keyboard.press('Enter');
    await page.getByText('Sending…').waitFor();
    await pause(500);
    expect(await statusOf(bench, ids[0] ?? '')).toBe('pending');
    await page.context().setOffline(false);
    expect(await answersOf(ids)).toEqual(['PostgreSQL', 'us-east']);
  });

  test('a phone takes four taps and one', async () => {
    const phone = await bench.newLoggedInPage({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    const ids = await ask(FOUR);
    await phone.goto(`${bench.url}/i/${ids[0]}`);
    let taps = 0;
    const tap = async (name: string, role: 'radio' | 'button'): Promise<void> => {
      const { x, y } = await middleOf(phone.getByRole(role, { name, exact: true }));
      await pause(400);
      await phone.touchscreen.tap(x, y);
      taps += 1;
    };
    await seen(phone);
    for (const label of ['SQLite', 'eu-west', 'None', 'shop']) await tap(label, 'radio');
    await sendIsReady(phone, 'Send 4 answers');
    await tap('Send 4 answers', 'button');
    expect(taps).toBe(5);
    expect(await answersOf(ids)).toEqual(['SQLite', 'eu-west', 'None', 'shop']);
    await phone.context().close();
  });

  test.each(['a question', 'the review'])('axe finds nothing in %s, and it fits on a narrow phone', async (where) => {
    await open(FOUR);
    if (where === 'the review') for (const key of ['1', '1', '1', '1']) await page.keyboard.press(key);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect({ colorScheme, found: await runAxe(page) }).toEqual({ colorScheme, found: [] });
    }
    await page.setViewportSize({ width: 320, height: 640 });
    const { scrollWidth, clientWidth } = await page.locator('article').evaluate((article) => {
      return { scrollWidth: article.scrollWidth, clientWidth: article.clientWidth };
    });
    expect(scrollWidth).toBe(clientWidth);
    expect(await runAxe(page)).toEqual([]);
    await page.setViewportSize({ width: 1100, height: 800 });
  });

  test('nothing was thrown, and no policy was broken', () => {
    expect(bench.troubles).toEqual([]);
  });
});

function toOptions(...labels: string[]): { label: string; description: string }[] {
  return labels.map((label) => ({ label, description: `Take ${label}` }));
}

/** Asks the questions as one call, and gives their ids. */
async function ask(questions: readonly object[], more: object = {}): Promise<string[]> {
  const asks = questions.map((request) => ({ kind: 'question', request, timeout: null, sessionId: 'ses', ...more }));
  const { items } = await bench.call<{ items: Interaction[] }>('/v1/groups', { asks });
  return items.map(({ id }) => id);
}

/** Asks, and opens the first in the page. */
async function open(questions: readonly object[], more: object = {}): Promise<string[]> {
  const ids = await ask(questions, more);
  await page.goto(`${bench.url}/i/${ids[0]}`);
  await seen(page);
  return ids;
}

/** Waits until keys are meant for what is open. */
async function seen(of: Page): Promise<void> {
  await of.locator('form[data-inert="false"]').waitFor();
}

/** Waits until all answers are shown, and a press would send them. */
async function sendIsReady(of: Page, name: string): Promise<void> {
  await of.getByRole('button', { name, exact: true }).and(of.locator('[aria-disabled="false"]')).waitFor();
}

function tab(name: string) {
  return page.getByRole('tab', { name: name.includes(',') ? name : new RegExp(`^${name}`), exact: true });
}

function read(id: string): Promise<Interaction> {
  return bench.call<Interaction>(`/v1/interactions/${id}`);
}

/** Waits until each is settled, and gives the texts of their answers. */
async function answersOf(ids: readonly string[]): Promise<(string | undefined)[]> {
  const settled = await Promise.all(ids.map((id) => bench.settled(id)));
  return settled.map(({ answer }) => (answer !== undefined && 'text' in answer ? answer.text : undefined));
}

/** How many keys are pressed meanwhile. */
async function countKeys(of: Page, act: () => Promise<void>): Promise<number> {
  await of.evaluate(() => {
    (window as unknown as { __keys: number }).__keys = 0;
    window.addEventListener('keydown', () => (window as unknown as { __keys: number }).__keys++, true);
  });
  await act();
  return of.evaluate(() => (window as unknown as { __keys: number }).__keys);
}

/** Holds the answers of a group on their way to the server. */
async function holdGroup(of: Page): Promise<{ isHeld: Promise<void>; letGo: () => void }> {
  const held = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  await of.route(
    '**/v1/groups/*/answer',
    async (route) => {
      held.resolve();
      await go.promise;
      await route.continue();
    },
    { times: 1 },
  );
  return { isHeld: held.promise, letGo: go.resolve };
}
