/// <reference lib="dom" />
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chooseSeed, Random } from '../harness/random.ts';
import { describeInBrowser, look, PageBench } from './page-bench.ts';
import {
  clear,
  DECISIONS,
  type Decision,
  decisionCalled,
  middleOf,
  openFirstOfTwo,
  pause,
  statusOf,
} from './press-kinds.ts';

/** How long after the first press the second begins: at once, as a double click, as a slow one, out of impatience. */
const GAPS = chooseGaps([0, 60, 300, 900]);
const FEW_GAPS = chooseGaps([60, 900]);

let bench: PageBench;
let page: Page;
let phone: Page;
let pairs = 0;

describeInBrowser('a second press at the same place decides nothing', () => {
  beforeAll(async () => {
    bench = await PageBench.open();
    page = bench.page;
    await bench.logIn();
    phone = await bench.newLoggedInPage({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  });
  afterAll(() => bench?.close());

  describe.each(DECISIONS)('$name', (decision) => {
    test.each(decision.name === 'Allow' || decision.name === 'Deny' ? GAPS : FEW_GAPS)(
      'by mouse, %i ms later; a deliberate press decides',
      async (gap) => {
        const { second, at } = await pressTwice(page, decision, gap, (x, y) => page.mouse.click(x, y));
        // Somebody who goes away from the place and comes back means what stands there.
        await page.mouse.move(at.x + 200, at.y - 100, { steps: 4 });
        expect(await decides(page, second, () => page.mouse.click(at.x, at.y))).toBe(true);
      },
    );

    test.each(FEW_GAPS)('by finger on a phone, %i ms later; a tap after a pause decides', async (gap) => {
      const tap = (x: number, y: number): Promise<void> => phone.touchscreen.tap(x, y);
      const { second } = await pressTwice(phone, decision, gap, tap);
      const tapAgain = async (): Promise<void> => {
        const { x, y } = await middleOf(decision.control(phone));
        await tap(x, y);
      };
      expect(await decides(phone, second, tapAgain)).toBe(true);
    });
  });

  test('nor does a third, a fourth or a tenth', async () => {
    const { second, at } = await openFirstOfTwo(bench, page, decisionCalled('Allow'));
    for (let press = 0; press < 10; press += 1) {
      await page.mouse.click(at.x, at.y);
      await pause(350);
    }
    expect(await statusOf(bench, second)).toBe('pending');
    await page.getByText('Not sent: this request had just come into view. Press again.').first().waitFor();
    await look(page);
    await page.mouse.click(at.x, at.y);
    expect((await bench.settled(second)).status).toBe('answered');
  });

  test.each([100, 600, 1000])('a double tap on a row of the list opens it and no more, %i ms apart', async (gap) => {
    await clear(bench);
    const ask = { kind: 'approval', request: { tool: 'Bash', input: { command: 'rm -rf build' } } };
    const ids: string[] = [];
    for (let number = 0; number < 12; number += 1) ids.push(await bench.ask(ask));
    await phone.goto(`${bench.url}/i/${ids[0]}`);
    await look(phone);
    const at = await middleOf(phone.getByRole('button', { name: 'Allow', exact: true }));
    await phone.goto(bench.url);
    const list = phone.getByRole('list', { name: 'Pending requests' });
    await list.waitFor();
    // The row that is nearest to where the button will be.
    at.y = await list.evaluate((element, { x, y }) => {
      let lowest = y;
      while (document.elementFromPoint(x, lowest)?.closest('[data-id]') == null && lowest > 0) lowest -= 4;
      return element.contains(document.elementFromPoint(x, lowest)) ? lowest : 0;
    }, at);
    expect(at.y).toBeGreaterThan(400);
    await phone.touchscreen.tap(at.x, at.y);
    await pause(gap);
    await phone.touchscreen.tap(at.x, at.y);
    await look(phone);
    const statuses = await Promise.all(ids.map((id) => statusOf(bench, id)));
    expect(statuses.filter((status) => status !== 'pending')).toEqual([]);
  });

  test('nothing was thrown, and no policy was broken', () => {
    console.log(`presses: ${JSON.stringify({ pairs })}`);
    expect(bench.troubles).toEqual([]);
  });
});

/** The gaps that differ, or as many at random in each round of `npm run soak`. */
function chooseGaps(decisive: number[]): number[] {
  if (process.env['BECKON_SOAK'] === undefined) return decisive;
  const random = new Random(chooseSeed());
  return decisive.map(() => random.below(1500));
}

/**
 * Presses twice at the same place, and expects that only the first counts. A machine that stood still before the first
 * press makes that one too early as well, and then nothing was tried: it is done again.
 */
async function pressTwice(
  tab: Page,
  decision: Decision,
  gap: number,
  press: (x: number, y: number) => Promise<void>,
): Promise<{ second: string; at: { x: number; y: number } }> {
  for (let tries = 0; tries < 3; tries += 1) {
    const { first, second, at } = await openFirstOfTwo(bench, tab, decision);
    await press(at.x, at.y);
    await pause(gap);
    await press(at.x, at.y);
    if (!(await isAnswered(first))) continue;
    pairs += 1;
    await tab.waitForURL(`**/i/${second}`);
    await pause(300);
    expect(await statusOf(bench, second)).toBe('pending');
    return { second, at };
  }
  throw new Error('Expected the first press to count.');
}

/** Presses once it can be pressed, and tells whether it counts. */
async function decides(tab: Page, id: string, press: () => Promise<void>): Promise<boolean> {
  for (let tries = 0; tries < 3; tries += 1) {
    await look(tab);
    await press();
    if (await isAnswered(id)) return true;
  }
  return false;
}

async function isAnswered(id: string): Promise<boolean> {
  return (await bench.call<{ status: string }>(`/v1/interactions/${id}?wait=5`)).status === 'answered';
}
