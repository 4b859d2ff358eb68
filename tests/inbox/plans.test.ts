/// <reference lib="dom" />
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Interaction } from '../../packages/beckon/src/protocol/interaction.ts';
import type { JsonObject } from '../../packages/beckon/src/protocol/json.ts';
import { permission } from '../../packages/beckon/src/testing/harness/claude-hooks.ts';
import { runAxe } from './axe.ts';
import { describeInBrowser, expectShown, look, PageBench } from './page-bench.ts';
import { clear, middleOf, pause, statusOf } from './press-kinds.ts';

const FIRST = [
  '# Rate limits',
  '',
  'We limit each token to 60 calls a minute.',
  '',
  '1. Write a middleware',
  '2. Ship it on Friday',
  '   after lunch',
  '',
  '```ts',
  'const limit = 60;',
  '```',
  '',
].join('\n');
const SECOND = FIRST.replace('on Friday', 'on Monday').replace('60 calls', '90 calls');

let bench: PageBench;
let page: Page;
let sessions = 0;

describeInBrowser('a plan', () => {
  beforeAll(async () => {
    bench = await PageBench.open();
    page = bench.page;
    await bench.logIn();
  });
  beforeEach(() => clear(bench));
  afterAll(() => bench?.close());

  test('is sent back with comments on its lines, and the agent reads each below its passage', async () => {
    const { id, reply } = await open(FIRST);
    await page.getByRole('button', { name: 'Comment on line 6' }).click();
    await write('Comment on line 6', 'Not on a Friday');
    await page.getByRole('button', { name: 'Comment on line 3' }).click();
    await write('Comment on line 3', 'Is that enough?');
    await expectShown(page.getByText('2 comments, sent when you send the plan back'));
    await decide('Send back with 2 comments');
    expect((await bench.settled(id)).answer).toEqual({
      decision: 'adjust',
      comments: [
        { quote: '2. Ship it on Friday\n   after lunch', line: 6, comment: 'Not on a Friday' },
        { quote: 'We limit each token to 60 calls a minute.', line: 3, comment: 'Is that enough?' },
      ],
    });
    expect(JSON.stringify(await reply)).toContain(
      JSON.stringify('Line 6:\n> 2. Ship it on Friday\n>    after lunch\nNot on a Friday').slice(1, -1),
    );
  });

  test('comments are edited, deleted, outlive a reload, and go along with feedback', async () => {
    const { id } = await open(FIRST);
    for (const [line, text] of [
      [1, 'Which?'],
      [5, 'Where?'],
      [9, 'Why 60?'],
    ] as const) {
      await page.getByRole('button', { name: `Comment on line ${line}` }).click();
      await write(`Comment on line ${line}`, text);
    }
    await page.reload();
    await look(page);
    await expectShown(page.getByText('Where?'));
    await page.getByRole('button', { name: 'Delete the comment on line 1' }).click();
    await page.getByRole('button', { name: 'Edit the comment on line 5' }).click();
    await write('Comment on line 5', 'In which folder?');
    await page.keyboard.press('r');
    await page.getByRole('textbox', { name: 'What should change?' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Almost');
    await decide('Send back with 2 comments');
    expect((await bench.settled(id)).answer).toEqual({
      decision: 'adjust',
      feedback: 'Almost',
      comments: [
        { quote: '1. Write a middleware', line: 5, comment: 'In which folder?' },
        { quote: '```ts\nconst limit = 60;\n```', line: 9, comment: 'Why 60?' },
      ],
    });
    await page.goto(`${bench.url}/i/${id}`);
    await expectShown(page.getByText('Sent back with 2 comments'));
    await expectShown(page.getByText('In which folder?'));
  });

  test('a selected passage is commented on, with its line', async () => {
    const { id } = await open(FIRST);
    const { x, y } = await middleOf(page.getByText('Ship it on Friday'));
    await page.mouse.click(x, y, { clickCount: 3 });
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await write('Comment on line 6', 'On Monday');
    await decide('Send back with 1 comment');
    const { answer } = await bench.settled(id);
    expect(answer).toMatchObject({ comments: [{ line: 6, comment: 'On Monday' }] });
    expect(JSON.stringify(answer)).toContain('Ship it on Friday');
  });

  test('a finger comments on a line and sends the plan back', async () => {
    const { id } = await open(FIRST);
    const phone = await bench.newLoggedInPage({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    await phone.goto(`${bench.url}/i/${id}`);
    await look(phone);
    await phone.getByRole('button', { name: 'Comment on line 5' }).tap();
    await phone.getByRole('textbox', { name: 'Comment on line 5' }).fill('Where?');
    await phone.getByRole('button', { name: 'Add comment' }).tap();
    const send = phone.getByRole('button', { name: 'Send back with 1 comment' });
    await send.and(phone.locator('[aria-disabled="false"]')).waitFor();
    await pause(400);
    await send.tap();
    expect((await bench.settled(id)).answer).toMatchObject({ comments: [{ line: 5, comment: 'Where?' }] });
    await phone.context().close();
  });

  test('the keyboard alone comments on a line', async () => {
    const { id } = await open(FIRST);
    await page.keyboard.press('+');
    await page.getByRole('button', { name: 'Comment on line 1' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Comment on line 5' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Where?');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('button', { name: 'Comment on line 5' }).and(page.locator(':focus')).waitFor();
    await look(page);
    await page.keyboard.press('n');
    expect((await bench.settled(id)).answer).toMatchObject({ comments: [{ line: 5, comment: 'Where?' }] });
  });

  test('as written, each line takes a comment', async () => {
    await open(FIRST);
    await page.getByRole('button', { name: 'As written' }).click();
    await page.getByRole('button', { name: 'Comment on line 7' }).click();
    await write('Comment on line 7', 'Or before');
    await page.getByRole('button', { name: 'Plan', exact: true }).click();
    await expectShown(page.getByRole('listitem').getByText('Or before'));
  });

  test('accepting would drop the comments, so it takes a second, later press', async () => {
    const { id } = await open(FIRST);
    await page.getByRole('button', { name: 'Comment on line 1' }).click();
    await write('Comment on line 1', 'Which?');
    await look(page);
    const at = await middleOf(page.getByRole('button', { name: 'Accept', exact: true }));
    await page.mouse.dblclick(at.x, at.y);
    await page.getByText(/1 comment would be dropped/).waitFor();
    expect(await statusOf(bench, id)).toBe('pending');
    await page.mouse.move(at.x - 200, at.y - 200, { steps: 3 });
    await decide('Accept anyway');
    expect((await bench.settled(id)).answer).toEqual({ decision: 'edit' });
  });

  test('the choices are those of its agent, in the bar, in sight without scrolling', async () => {
    await open(`${FIRST}\n${'A further line.\n\n'.repeat(140)}`);
    const bar = page.getByRole('group', { name: 'Decision' });
    const names = (await bar.getByRole('button').allInnerTexts()).map((name) => name.split('\n')[0]?.trim());
    expect(names.filter((name) => name !== '')).toEqual(['Accept, and ask before each edit', 'Send back…', 'Accept']);
    for (const name of ['Accept', 'Accept, and ask before each edit', 'Send back…']) {
      const box = await page.getByRole('button', { name, exact: true }).boundingBox();
      expect((box?.y ?? 9999) + (box?.height ?? 0)).toBeLessThanOrEqual(800);
    }
    await page.keyboard.press('y');
    await page.waitForURL((url) => !url.pathname.startsWith('/i/'));
  });

  test('a second version opens with what changed, and says which passages with comments are still there', async () => {
    const first = await open(FIRST, { session_id: 'versions' });
    await bench.answer(first.id, {
      decision: 'adjust',
      comments: [
        { quote: '2. Ship it on Friday', line: 6, comment: 'Not on a Friday' },
        { quote: '1. Write a middleware', line: 5, comment: 'Where?' },
      ],
    });
    await first.reply;
    const { id } = await open(SECOND, { session_id: 'versions' });
    await page.getByRole('button', { name: 'Changes since version 1', pressed: true }).waitFor();
    await expectShown(page.getByText('2 added, 2 removed'));
    const remarks = page.getByRole('region', { name: 'What became of version 1' });
    await expectShown(remarks.getByText('no longer there'));
    await expectShown(remarks.getByText('still there'));
    await expectShown(remarks.getByText(/^Version 1: Sent back by .+: with 2 comments$/));
    await page.getByRole('button', { name: 'Version 1', exact: true }).click();
    await expectShown(page.getByText('Ship it on Friday').last());
    await page.getByRole('button', { name: 'Plan', exact: true }).click();
    await page.getByRole('button', { name: 'Comment on line 6' }).click();
    await write('Comment on line 6', 'Better');
    await decide('Send back with 1 comment');
    expect((await bench.settled(id)).answer).toMatchObject({ comments: [{ line: 6, comment: 'Better' }] });
  });

  test('a plan of another session is no version of this one', async () => {
    const other = await open(FIRST, { session_id: 'other-session' });
    await bench.answer(other.id, { decision: 'reject' });
    await open(SECOND, { session_id: 'lonely-session' });
    expect(await page.getByRole('button', { name: /version/i }).count()).toBe(0);
  });

  test.each(['with comments', 'with an earlier version'])(
    'axe finds nothing %s, and it fits on a phone',
    async (how) => {
      const first = await open(FIRST, { session_id: `axe ${how}`.replaceAll(' ', '-') });
      if (how === 'with comments') {
        await page.getByRole('button', { name: 'Comment on line 6' }).click();
        await write('Comment on line 6', 'Not on a Friday');
        await page.getByRole('button', { name: 'Comment on line 1' }).click();
      } else {
        await bench.answer(first.id, { comments: [{ quote: 'Ship it', line: 6, comment: 'When?' }] });
        await open(SECOND, { session_id: `axe ${how}`.replaceAll(' ', '-') });
      }
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect({ colorScheme, found: await runAxe(page) }).toEqual({ colorScheme, found: [] });
      }
      await page.setViewportSize({ width: 320, height: 640 });
      const { scrollWidth, clientWidth } = await page.locator('article').evaluate((article) => {
        return { scrollWidth: article.scrollWidth, clientWidth: article.clientWidth };
      });
      expect(scrollWidth).toBe(clientWidth);
      await page.setViewportSize({ width: 1100, height: 800 });
    },
  );

  test('nothing was thrown, and no policy was broken', () => {
    expect(bench.troubles).toEqual([]);
  });
});

/** Asks as Claude Code does when it leaves plan mode, and opens it in the page. `reply` is what Claude Code gets. */
async function open(plan: string, fields: JsonObject = {}): Promise<{ id: string; reply: Promise<unknown> }> {
  const before = new Set((await list()).map(({ id }) => id));
  sessions += 1;
  const asked = permission('ExitPlanMode', { plan }, { session_id: `session-${sessions}`, ...fields });
  const reply = bench.call('/hooks/claude', asked).catch(() => null);
  let id: string | undefined;
  await expect
    .poll(async () => (id = (await list()).find((one) => !before.has(one.id))?.id), { timeout: 60_000 })
    .toBeDefined();
  await page.goto(`${bench.url}/i/${id}`);
  await page.getByRole('group', { name: 'How to show the plan' }).waitFor();
  await look(page);
  return { id: id ?? '', reply };
}

async function list(): Promise<Interaction[]> {
  return (await bench.call<{ items: Interaction[] }>('/v1/interactions?status=pending')).items;
}

/** Writes into the open editor, and keeps it. */
async function write(label: string, text: string): Promise<void> {
  await page.getByRole('textbox', { name: label }).fill(text);
  await page.getByRole('button', { name: 'Add comment' }).click();
  await page.getByRole('textbox', { name: label }).waitFor({ state: 'detached' });
}

/** Presses once it may decide. */
async function decide(name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true });
  await button.and(page.locator('[aria-disabled="false"]')).waitFor();
  await pause(400);
  await button.click();
}
