/// <reference lib="dom" />
import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { describeInBrowser, look, PageBench } from './page-bench.ts';
import { clear, DECISIONS, decisionCalled, middleOf, openFirstOfTwo, pause, statusOf } from './press-kinds.ts';

const NOT_SENT = 'Not sent: this request had just come into view. Press again.';
const APPROVAL = { kind: 'approval', request: { tool: 'Bash', input: { command: 'rm -rf build' } } };
const FREE = { kind: 'question', request: { question: 'What else?' } };

let bench: PageBench;
let page: Page;
let debug: CDPSession;

describeInBrowser('a press decides only what was in front of the person when it began', () => {
  beforeAll(async () => {
    bench = await PageBench.open();
    page = bench.page;
    await bench.logIn();
    debug = await page.context().newCDPSession(page);
  });
  beforeEach(() => clear(bench));
  afterAll(() => bench?.close());

  test('what Claude Code asks by its hook is guarded as well', async () => {
    const hook = (command: string) => ({
      session_id: 'ses-1',
      hook_event_name: 'PermissionRequest',
      tool_name: 'Bash',
      tool_input: { command },
    });
    const replies = ['ls build', 'rm -rf build'].map((command) =>
      bench.call('/hooks/claude?timeout=5m', hook(command)),
    );
    const list = page.getByRole('list', { name: 'Pending requests' });
    await page.goto(bench.url);
    await list.getByText('rm -rf build').waitFor();
    await list.getByText('ls build').click();
    await look(page);
    const at = await middleOf(allow());
    await page.mouse.dblclick(at.x, at.y);
    await page.mouse.click(at.x, at.y, { delay: 20 });
    expect(JSON.stringify(await replies[0])).toContain('allow');
    await page.getByRole('article', { name: 'rm -rf build' }).waitFor();
    await page.mouse.click(at.x, at.y);
    await page.getByText(NOT_SENT).first().waitFor();
    const { items } = await bench.call<{ items: unknown[] }>('/v1/interactions?status=pending');
    expect(items).toMatchObject([{ request: { input: { command: 'rm -rf build' } } }]);
    await page.mouse.move(10, 10);
    await page.getByRole('button', { name: 'Deny', exact: true }).click();
    expect(JSON.stringify(await replies[1])).toContain('deny');
  });

  test.each(DECISIONS)('$name looks disabled from its first frame on', async ({ ask, control }) => {
    const tab = await bench.newLoggedInPage();
    await recordFirstLooks(tab);
    await tab.goto(`${bench.url}/i/${await bench.ask(ask)}`);
    await control(tab)
      .or(tab.getByRole('button', { name: 'Send back…' }))
      .first()
      .waitFor();
    await look(tab);
    const looks = await tab.evaluate(() => (window as unknown as { __looks: string[] }).__looks);
    expect(new Set(looks)).toEqual(new Set(['true']));
    await tab.context().close();
  });

  test('a dialog over a request that could be decided looks disabled from its first frame on', async () => {
    const tab = await bench.newLoggedInPage();
    await recordFirstLooks(tab);
    await tab.goto(`${bench.url}/i/${await bench.ask(APPROVAL)}`);
    await bench.ask(APPROVAL);
    await look(tab);
    await tab.evaluate(() => (window as unknown as { __looks: string[] }).__looks.splice(0));
    await tab.keyboard.press('a');
    await tab.getByRole('dialog').waitFor();
    const looks = await tab.evaluate(() => (window as unknown as { __looks: string[] }).__looks);
    expect(new Set(looks)).toEqual(new Set(['true']));
    await tab.context().close();
  });

  test('while others arrive and leave, a second press decides none of them', async () => {
    const ids = [await bench.ask(APPROVAL), await bench.ask(APPROVAL)];
    const first = await bench.ask(APPROVAL);
    await page.goto(`${bench.url}/i/${first}`);
    await look(page);
    const at = await middleOf(allow());
    let isOver = false;
    const traffic = (async () => {
      while (!isOver) {
        const id = await bench.ask(APPROVAL);
        ids.push(await bench.ask(APPROVAL));
        await bench.call(`/v1/interactions/${id}/cancel`, {});
      }
    })();
    for (let press = 0; press < 8; press += 1) {
      await page.mouse.click(at.x, at.y);
      await pause(150);
    }
    isOver = true;
    await traffic;
    expect(await statusOf(bench, first)).toBe('answered');
    for (const id of ids) expect(await statusOf(bench, id)).toBe('pending');
  });

  test('a press on a list that moves opens what was under the finger when it began', async () => {
    const phone = await bench.newLoggedInPage({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    const touch = await phone.context().newCDPSession(phone);
    // A project above the wanted one, which grows while the finger is down.
    const above = { project: 'above' };
    const first = await bench.ask({ kind: 'question', request: { question: 'First?' }, context: above });
    const wanted = await bench.ask({ kind: 'question', request: { question: 'Wanted?' }, context: { project: 'b' } });
    const row = phone.locator(`[data-id="${wanted}"]`);
    // Both, because the one above would move it later.
    await phone.locator(`[data-id="${first}"]`).waitFor();
    await row.waitFor();
    const at = await middleOf(row);
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at] });
    await bench.ask({ kind: 'question', request: { question: 'Another?' }, context: above });
    await expect.poll(async () => (await middleOf(row)).y).not.toBe(at.y);
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await phone.waitForURL(`**/i/${wanted}`);
    await phone.getByRole('article', { name: 'Wanted?' }).waitFor();
    await phone.context().close();
  });

  describe('what comes back into sight has to be seen again', () => {
    const ways: Record<string, () => Promise<unknown>> = {
      'back and forward': async () => {
        await page.getByRole('link', { name: 'History' }).first().click();
        await page.getByRole('heading', { name: 'History' }).waitFor();
        await page.mouse.move(...(await allowPlace()));
        await page.evaluate(() => history.back());
        await allow().waitFor();
      },
      'a tab that was hidden': () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange'))),
      'a window that was left': () => page.evaluate(() => window.dispatchEvent(new Event('focus'))),
      'a page from the back/forward cache': () =>
        page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))),
      'a tab that the browser froze': () => page.evaluate(() => document.dispatchEvent(new Event('resume'))),
      'a machine that slept': () =>
        page.evaluate(() => {
          const { now } = Date;
          Date.now = () => now.call(Date) + 3_600_000;
        }),
      'a page that nothing ran in': async () => {
        await debug.send('Debugger.enable');
        await debug.send('Debugger.pause');
        await pause(4000);
        await debug.send('Debugger.disable');
      },
      'a dialog that closes': async () => {
        await page.keyboard.press('?');
        await page.getByRole('dialog').waitFor();
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      },
    };
    let place: [number, number] = [0, 0];
    const allowPlace = async (): Promise<[number, number]> => place;

    test.each(Object.keys(ways))('%s', async (way) => {
      const id = await bench.ask(APPROVAL);
      await page.goto(`${bench.url}/i/${id}`);
      await look(page);
      const at = await middleOf(allow());
      place = [at.x, at.y];
      await page.mouse.move(at.x, at.y);
      // The press comes in the same moment, before a person could have looked.
      await page.evaluate(pressAtOnce);
      await ways[way]?.();
      await page.evaluate(() => window.dispatchEvent(new Event('press')));
      await page.getByText(NOT_SENT).first().waitFor();
      expect(await statusOf(bench, id)).toBe('pending');
      await page.mouse.move(at.x + 200, at.y);
      await look(page);
      await allow().click();
      expect((await bench.settled(id)).answer).toEqual({ decision: 'allow' });
    });
  });

  test.each(['Enter', ' '])('a held %j decides one and not the next', async (key) => {
    const { first, second } = await openFirstOfTwo(bench, page, decisionCalled('Allow'));
    await allow().focus();
    await page.keyboard.down(key);
    if (key === ' ') await page.keyboard.up(key);
    expect((await bench.settled(first)).status).toBe('answered');
    await page.waitForURL(`**/i/${second}`);
    await allow().focus();
    for (let repeat = 0; repeat < 40; repeat += 1) {
      await page.keyboard.down(key);
      await pause(50);
    }
    await page.keyboard.up(key);
    await pause(300);
    expect(await statusOf(bench, second)).toBe('pending');
    // Another key in between, and the same key means the one that is there.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+Tab');
    await look(page);
    await page.keyboard.press('Enter');
    expect((await bench.settled(second)).answer).toEqual({ decision: 'allow' });
  });

  test('Enter, pressed again and again, does not run through the questions of a call', async () => {
    const { first, second } = await openFirstOfTwo(bench, page, decisionCalled('Answer'));
    await page.getByRole('radio', { name: 'Yes', exact: true }).focus();
    for (let press = 0; press < 12; press += 1) {
      await page.keyboard.press('Enter');
      await pause(200);
    }
    expect(await statusOf(bench, first)).toBe('answered');
    expect(await statusOf(bench, second)).toBe('pending');
    await page.keyboard.press('1');
    await look(page);
    await page.keyboard.press('Enter');
    expect((await bench.settled(second)).status).toBe('answered');
  });

  test('nothing that was typed is lost by a press that is refused', async () => {
    const id = await bench.ask(FREE);
    await page.goto(`${bench.url}/i/${id}`);
    await look(page);
    await page.getByRole('textbox', { name: 'Your answer' }).fill('A long thought');
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await page.keyboard.press('Enter');
    await page.getByText(NOT_SENT).first().waitFor();
    expect(await statusOf(bench, id)).toBe('pending');
    await page.reload();
    expect(await page.getByRole('textbox', { name: 'Your answer' }).inputValue()).toBe('A long thought');
    await look(page);
    await page.getByRole('textbox', { name: 'Your answer' }).press('Enter');
    expect((await bench.settled(id)).answer).toEqual({ text: 'A long thought' });
  });

  test('a refusal is said to screen readers, and the focus stays', async () => {
    const id = await bench.ask(APPROVAL);
    await page.goto(`${bench.url}/i/${id}`);
    await look(page);
    await allow().focus();
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    expect(await allow().getAttribute('aria-disabled')).toBe('true');
    expect(await allow().isDisabled()).toBe(true);
    expect(await allow().getAttribute('disabled')).toBeNull();
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: NOT_SENT }).first().waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Allow', exact: true }).and(page.locator(':focus')).waitFor();
    await look(page);
    await page.keyboard.press('Enter');
    expect((await bench.settled(id)).answer).toEqual({ decision: 'allow' });
  });

  test('nothing was thrown, and no policy was broken', () => {
    expect(bench.troubles).toEqual([]);
  });
});

function allow() {
  return page.getByRole('article').getByRole('button', { name: 'Allow', exact: true });
}

/**
 * A press in the page itself, in the moment in which its controls turn inert, or else when it is told: one over the
 * wire could come too late to be too early.
 */
function pressAtOnce(): void {
  const find = (): HTMLElement | undefined =>
    [...document.querySelectorAll('button')].find((button) => /^Allowy?$/.test(button.textContent));
  const press = (): void => {
    observer.disconnect();
    window.removeEventListener('press', press);
    const box = find()?.getBoundingClientRect() ?? new DOMRect();
    const init = {
      bubbles: true,
      cancelable: true,
      pointerId: 1,
      detail: 1,
      clientX: box.x + box.width / 2,
      clientY: box.y + box.height / 2,
    };
    for (const type of ['pointerdown', 'pointerup', 'click']) find()?.dispatchEvent(new PointerEvent(type, init));
  };
  const observer = new MutationObserver(() => {
    if (find()?.ariaDisabled === 'true' && document.querySelector('[role="dialog"]') === null) press();
  });
  observer.observe(document.body, { subtree: true, childList: true, attributes: true });
  window.addEventListener('press', press);
}

/** Keeps whether each deciding control looks disabled when it comes into the page, before it can be painted. */
function recordFirstLooks(tab: Page): Promise<unknown> {
  return tab.addInitScript(() => {
    const looks: string[] = [];
    Object.assign(window, { __looks: looks });
    const known = new WeakSet<Element>();
    new MutationObserver(() => {
      for (const control of document.querySelectorAll('[data-decides], .drawn button')) {
        if (known.has(control)) continue;
        known.add(control);
        looks.push(control.getAttribute('aria-disabled') ?? 'none');
      }
    }).observe(document, { subtree: true, childList: true });
  });
}
