/// <reference lib="dom" />
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { describeInBrowser, look, PageBench } from './page-bench.ts';
import { clear, measurePress, pause, SOON_MS, statusOf } from './press-kinds.ts';
import { API, askPermission, CART, DOCS, readDecision, type TestCall } from './triage-asks.ts';

const NOT_SENT = 'Not sent: this request had just come into view. Press again.';

let bench: PageBench;
let page: Page;

describeInBrowser('keys and decisions about several requests decide nothing by accident', () => {
  beforeAll(async () => {
    bench = await PageBench.open();
    page = bench.page;
    await bench.logIn();
    await page.setViewportSize({ width: 1280, height: 800 });
  });
  beforeEach(() => clear(bench));
  afterAll(() => bench?.close());

  describe('a key decides only what was in front of the person', () => {
    const openFirst = async (): Promise<{ first: TestCall; second: TestCall }> => {
      const first = await askPermission(bench, CART, 'Bash', { command: 'ls build' });
      const second = await askPermission(bench, CART, 'Bash', { command: 'rm -rf build' });
      await page.goto(`${bench.url}/i/${first.id}`);
      await look(page);
      return { first, second };
    };

    test.each(['y', 'n'])('when %s is held', async (key) => {
      const { first, second } = await openFirst();
      const isRepeated = 40;
      await page.keyboard.down(key);
      // A held key repeats: the browser sends the press again and again.
      for (let repeat = 0; repeat < isRepeated; repeat += 1) {
        await page.keyboard.down(key);
        await pause(50);
      }
      await page.keyboard.up(key);
      expect((await bench.settled(first.id)).status).toBe('answered');
      expect(await statusOf(bench, second.id)).toBe('pending');
    });

    test.each([0, 60, 300, 900])('when y is pressed again %i ms later', async (gap) => {
      const { first, second } = await openFirst();
      await page.keyboard.press('y');
      await pause(gap);
      await page.keyboard.press('y');
      expect((await bench.settled(first.id)).status).toBe('answered');
      await article('rm -rf build').waitFor();
      await pause(300);
      expect(await statusOf(bench, second.id)).toBe('pending');
      // Somebody who has looked at it means it.
      await look(page);
      await page.keyboard.press('y');
      expect((await bench.settled(second.id)).status).toBe('answered');
    });

    test('when the other key follows at once', async () => {
      for (;;) {
        await clear(bench);
        const { first, second } = await openFirst();
        const pressedAfter = measurePress(page, 'article', 'rm -rf build', 'n');
        await page.keyboard.press('y');
        await article('rm -rf build').waitFor();
        await page.keyboard.press('n');
        // A busy machine may be too slow to be that quick: then the case is set up again.
        if ((await pressedAfter) >= SOON_MS) continue;
        await page.getByText(NOT_SENT).first().waitFor();
        expect((await bench.settled(first.id)).answer).toMatchObject({ decision: 'allow' });
        expect(await statusOf(bench, second.id)).toBe('pending');
        return;
      }
    });

    test('when the view changes just before, or between the press and the release', async () => {
      const { first, second } = await openFirst();
      // Both are on their way at once: a busy machine puts no time between them.
      await Promise.all([page.keyboard.press('j'), page.keyboard.press('y')]);
      await page.getByText(NOT_SENT).first().waitFor();
      expect(await statusOf(bench, second.id)).toBe('pending');
      await page.getByRole('link', { name: 'History' }).click();
      await page.getByRole('searchbox').waitFor();
      await page.keyboard.down('y');
      await page.evaluate((path) => {
        history.pushState(null, '', path);
        dispatchEvent(new PopStateEvent('popstate'));
      }, `/i/${first.id}`);
      await article('ls build').waitFor();
      await page.keyboard.down('y');
      await page.keyboard.up('y');
      await pause(500);
      expect([await statusOf(bench, first.id), await statusOf(bench, second.id)]).toEqual(['pending', 'pending']);
    });

    test('when somebody types it', async () => {
      const { first } = await openFirst();
      await page.keyboard.press('/');
      await page.keyboard.type('yny');
      await pause(300);
      expect(await statusOf(bench, first.id)).toBe('pending');
      expect(await page.getByRole('searchbox').inputValue()).toBe('yny');
    });
  });

  describe('several at once', () => {
    test('those like this one get one decision in one commit; what comes later is not among them', async () => {
      const calls: TestCall[] = [];
      for (const name of ['api', 'web', 'cart', 'mail'])
        calls.push(await askPermission(bench, API, 'Bash', { command: `npm test -- --run ${name}` }));
      const other = await askPermission(bench, API, 'Bash', { command: 'npm publish' });
      await page.goto(`${bench.url}/i/${calls[0]?.id}`);
      await look(page);
      await page.keyboard.press('a');
      const dialog = page.getByRole('dialog', { name: 'Decide 4 requests together' });
      await dialog.waitFor();
      const later = await askPermission(bench, API, 'Bash', { command: 'npm test -- --run later' });
      // It is in the list behind the dialog, which nobody can reach now.
      await page.locator(`[data-id="${later.id}"]`).waitFor();
      await dialog.getByRole('button', { name: 'Take out: npm test -- --run web' }).click();
      const [taken] = calls.splice(1, 1);
      await page.getByRole('dialog', { name: 'Decide 3 requests together' }).waitFor();
      await dialogReady();
      await page.getByRole('button', { name: 'Allow all 3' }).click();
      await page.getByText('3 allowed', { exact: true }).waitFor();
      expect(await Promise.all(calls.map(readDecision))).toEqual(calls.map(() => ({ behavior: 'allow' })));
      for (const one of [taken, other, later]) expect(await statusOf(bench, one?.id ?? '')).toBe('pending');
      // One commit: their entries stand beside each other in the log.
      const seqs = await Promise.all(calls.map(({ id }) => readAnsweredSeq(id)));
      expect(Math.max(...seqs) - Math.min(...seqs)).toBe(2);
    });

    test('with x, a range and checkboxes; somebody else who was faster is named', async () => {
      const calls: TestCall[] = [];
      for (const name of ['one', 'two', 'three', 'four'])
        calls.push(await askPermission(bench, DOCS, 'Bash', { command: `make ${name}` }));
      await bench.ask({
        kind: 'question',
        request: { question: 'Go on?' },
        context: { project: 'docs', branch: 'main' },
      });
      await page.goto(bench.url);
      await row('make one').waitFor();
      await page.keyboard.press('j');
      await article('make one').waitFor();
      await page.keyboard.press('x');
      await page.getByText('1 selected').waitFor();
      await row('make three').click({ modifiers: ['Shift'] });
      await page.getByText('3 selected').waitFor();
      await page.getByRole('checkbox', { name: 'Select: make four' }).click();
      await page.getByText('4 selected').waitFor();
      await row('Go on?').focus();
      await page.keyboard.press('x');
      await page.getByText('Only approvals can be decided together.').waitFor();
      // With a selection, a key is about all of it, which has to be seen first.
      await page.keyboard.press('n');
      await page.getByRole('dialog', { name: 'Decide 4 requests together' }).waitFor();
      const bob = await bench.newLoggedInPage({ who: 'bob' });
      await bench.call(`/v1/interactions/${calls[1]?.id}`);
      await page.route('**/v1/answers', async (route) => {
        // Bob decides while the decision is under way.
        await bob.evaluate(async (id) => {
          await fetch(`/v1/interactions/${id}/answer`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ answer: { decision: 'allow' }, via: 'inbox' }),
          });
        }, calls[1]?.id);
        await route.continue();
      });
      await page.getByRole('textbox', { name: 'Reason, if you deny (optional)' }).fill('Not today');
      await dialogReady();
      await page.getByRole('button', { name: 'Deny all 4' }).click();
      await page.getByText('3 denied, 1 had already been answered by bob in the inbox').waitFor();
      await page.unroute('**/v1/answers');
      const decisions = await Promise.all(calls.map(readDecision));
      expect(decisions.map(({ behavior }) => behavior)).toEqual(['deny', 'allow', 'deny', 'deny']);
      expect(decisions[0]?.message).toContain('Not today');
      await bob.context().close();
    });

    test.each(['key', 'mouse'])('a second press with the %s that opened the dialog decides nothing', async (by) => {
      for (;;) {
        await clear(bench);
        const calls: TestCall[] = [];
        for (const name of ['one', 'two'])
          calls.push(await askPermission(bench, DOCS, 'Bash', { command: `make ${name}` }));
        await page.goto(bench.url);
        await row('make one').waitFor();
        for (const name of ['make one', 'make two']) {
          await row(name).focus();
          await page.keyboard.press('x');
        }
        await page.getByText('2 selected').waitFor();
        // The key that opens the dialog is pressed before it is there, and does not count.
        const pressedAfter = measurePress(page, '[role="dialog"]', '', 'y');
        if (by === 'key') await Promise.all(['y', 'y', 'y'].map((key) => page.keyboard.press(key)));
        else await page.getByRole('button', { name: 'Decide together…' }).dblclick();
        await page.getByRole('dialog').waitFor();
        await page.keyboard.press('y');
        if ((await pressedAfter) >= SOON_MS) continue;
        await pause(400);
        for (const { id } of calls) expect(await statusOf(bench, id)).toBe('pending');
        await dialogReady();
        await page.keyboard.press('y');
        await page.getByText('2 allowed', { exact: true }).waitFor();
        return;
      }
    });
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

/** Waits until a press decides what the dialog shows. */
function dialogReady(): Promise<void> {
  return page.getByRole('dialog').locator('button[data-decides][aria-disabled="false"]').first().waitFor();
}

async function readAnsweredSeq(id: string): Promise<number> {
  const { events } = await bench.call<{ events: { seq: number; type: string }[] }>(`/v1/interactions/${id}/log`);
  return events.find(({ type }) => type === 'interaction.answered')?.seq ?? 0;
}
