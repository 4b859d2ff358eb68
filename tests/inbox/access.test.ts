/// <reference lib="dom" />
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MachineLogin } from '../../packages/beckon/src/protocol/machine-login.ts';
import { makeMachineLogin } from '../../packages/beckon/src/testing/harness/machine-login.ts';
import { runAxe } from './axe.ts';
import { describeInBrowser, expectShown, PageBench } from './page-bench.ts';

let bench: PageBench;
/** Every view, and how to know that it is there. What the forms look like is in kinds.test.ts. */
const views: { name: string; path: string; isThere: (page: Page) => Promise<unknown>; isLoggedOut?: true }[] = [];

describeInBrowser('everybody can use every view', () => {
  beforeAll(async () => {
    bench = await PageBench.open(['--samples']);
    const shared = {
      sessionId: 'a-session-with-quite-a-long-name-0123456789',
      chatId: 'ops',
      metadata: { agent: 'scout' },
    };
    const answered = await bench.ask({ kind: 'question', request: { question: 'Answered?' }, ...shared });
    await bench.answer(answered, { text: 'Yes' });
    const cancelled = await bench.ask({
      kind: 'approval',
      request: { tool: 'Bash', input: { command: 'a-very-long-command '.repeat(30) } },
      ...shared,
    });
    await bench.call(`/v1/interactions/${cancelled}/cancel`, { reason: 'No longer needed' });
    const urgent = await bench.ask({ kind: 'question', request: { question: 'Urgent?' }, timeout: '50m', ...shared });
    await startMachine('approved');
    const waiting = await startMachine('waiting');
    views.push(
      { name: 'pending', path: '/', isThere: (p) => p.getByRole('link', { name: /Urgent\?/ }).waitFor() },
      { name: 'an interaction', path: `/i/${urgent}`, isThere: (p) => p.getByRole('textbox').first().waitFor() },
      {
        name: 'one that was answered',
        path: `/i/${answered}`,
        isThere: async (p) => {
          await p.getByRole('button', { name: 'Show log' }).click();
          await p.getByRole('region', { name: 'Log' }).getByRole('listitem').first().waitFor();
        },
      },
      {
        name: 'one that was cancelled',
        path: `/i/${cancelled}`,
        isThere: (p) => p.getByText('Reason: No longer').waitFor(),
      },
      { name: 'history', path: '/history', isThere: (p) => p.getByRole('link', { name: /Answered\?/ }).waitFor() },
      {
        name: 'an empty search',
        path: '/history?text=unicorn',
        isThere: (p) => p.getByText('Nothing matches').waitFor(),
      },
      {
        name: 'sessions',
        path: '/sessions',
        isThere: (p) =>
          p
            .getByRole('link', { name: /Session of/ })
            .first()
            .waitFor(),
      },
      {
        name: 'a session',
        path: `/sessions/${shared.sessionId}`,
        isThere: (p) => p.getByRole('region', { name: 'Timeline' }).waitFor(),
      },
      {
        name: 'statistics',
        path: '/statistics',
        isThere: (p) => p.locator('main .beckon-plot svg').nth(2).waitFor(),
      },
      { name: 'devices', path: '/devices', isThere: (p) => p.getByRole('list', { name: 'Devices' }).waitFor() },
      {
        name: 'machines',
        path: '/machines',
        isThere: (p) => p.getByRole('list', { name: 'Machines' }).waitFor(),
      },
      {
        name: 'the code of a machine',
        path: '/connect',
        isThere: (p) => p.getByRole('textbox', { name: 'Code' }).waitFor(),
      },
      {
        name: 'a wrong code of a machine',
        path: '/connect',
        isThere: async (p) => {
          await p.getByRole('textbox', { name: 'Code' }).fill('vowels');
          await p.keyboard.press('Enter');
          await p.getByText('A code has eight letters').waitFor();
        },
      },
      {
        name: 'a machine that waits, by a link',
        path: `/connect#${waiting}`,
        isThere: async (p) => {
          await p.getByRole('textbox', { name: /^Last four/ }).fill('AAAA');
          await p.getByText('These are not the letters').waitFor();
          await p.locator('button[aria-disabled="false"]').getByText('Refuse').waitFor();
        },
      },
      {
        name: 'a machine that waits, by its code',
        path: '/connect',
        isThere: async (p) => {
          await p.getByRole('textbox', { name: 'Code' }).fill(waiting);
          await p.keyboard.press('Enter');
          await p.getByRole('checkbox').press('Space');
          await p.locator('button[aria-disabled="false"]').getByText('Let it in').waitFor();
        },
      },
      {
        name: 'notifications',
        path: '/settings/notifications',
        isThere: (p) => p.getByRole('button', { name: 'Add ntfy' }).waitFor(),
      },
      {
        name: 'adding a phone',
        path: '/devices/add',
        isThere: (p) => p.getByText('A phone cannot open').waitFor(),
      },
      {
        name: 'settings',
        path: '/',
        isThere: async (p) => {
          await p.getByRole('link', { name: /Urgent\?/ }).waitFor();
          await p.keyboard.press(',');
          await p.getByRole('dialog', { name: 'Settings' }).waitFor();
        },
      },
      {
        name: 'shortcuts',
        path: '/',
        isThere: async (p) => {
          await p.getByRole('link', { name: /Urgent\?/ }).waitFor();
          await p.keyboard.press('?');
          await p.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
        },
      },
      { name: 'nowhere', path: '/nowhere', isThere: (p) => p.getByText('Page not found').waitFor() },
      { name: 'login', path: '/', isLoggedOut: true, isThere: (p) => p.getByText('Log in to Beckon').waitFor() },
    );
  });
  afterAll(() => bench?.close());

  // Zoom makes the pixels of the page larger, so fewer of them fit: half as many at 200 %.
  test('on every view axe finds nothing in either theme, and nothing is wider than the window at 200 % zoom', async () => {
    const whole = { width: 1280, height: 800 };
    await forEachView({ viewport: whole }, async (shown) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await shown.emulateMedia({ colorScheme });
        expect({ colorScheme, found: await runAxe(shown) }).toEqual({ colorScheme, found: [] });
      }
      await shown.setViewportSize({ width: 640, height: 400 });
      await expectNoSidewaysScroll(shown);
      await shown.setViewportSize(whole);
    });
  });

  test('no view is wider than a phone of 320 px', async () => {
    await forEachView({ viewport: { width: 320, height: 640 }, hasTouch: true }, expectNoSidewaysScroll);
  });

  test('a phone shows the list or what is open, and the way back', async () => {
    const phone = await bench.newLoggedInPage({
      viewport: { width: 390, height: 800 },
      hasTouch: true,
      isMobile: true,
    });
    const row = phone.getByRole('link', { name: /Urgent\?/ });
    await row.tap();
    await phone.getByRole('article', { name: 'Urgent?' }).waitFor();
    await row.waitFor({ state: 'hidden' });
    await phone.getByRole('button', { name: 'Back' }).tap();
    await row.waitFor();
    const bar = phone.getByRole('navigation', { name: 'Views' });
    for (const name of ['History', 'Sessions', 'Statistics']) {
      await bar.getByRole('link', { name }).tap();
      await phone.getByRole('heading', { name, level: 1 }).waitFor();
    }
    // Devices have no place in the bar of a phone; the settings lead there.
    await bar.getByRole('button', { name: 'Settings' }).tap();
    await phone.getByRole('dialog').getByRole('link', { name: 'Devices' }).tap();
    await expectShown(phone.getByRole('heading', { name: 'Devices', level: 1 }));
    await phone.context().close();
  });

  test('a dialog gives the focus back to what opened it', async () => {
    const page = await bench.newLoggedInPage();
    await page.getByRole('link', { name: /Urgent\?/ }).click();
    for (const [name, title] of [
      ['Settings', 'Settings'],
      ['Shortcuts', 'Keyboard shortcuts'],
      ['Dismiss', 'Dismiss this request?'],
    ] as const) {
      const opener = page.getByRole('button', { name, exact: true });
      await opener.press('Enter');
      await page.getByRole('dialog', { name: title }).waitFor();
      await page.keyboard.press('Escape');
      await expectShown(opener.and(page.locator(':focus')));
    }
    await page.context().close();
  });

  test('where a dialog removed what opened it, the focus goes to the content', async () => {
    const lost = await bench.newLoggedInPage({ userAgent: 'Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile' });
    const page = await bench.newLoggedInPage();
    await page.goto(`${bench.url}/devices`);
    const opener = page.getByRole('button', { name: 'Revoke Chrome on Android' });
    await opener.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).press('Enter');
    await opener.waitFor({ state: 'detached' });
    await expectShown(page.locator('main:focus'));
    await Promise.all([page.context().close(), lost.context().close()]);
  });

  test('nothing moves for those who asked for less motion', async () => {
    await forEachView({ reducedMotion: 'reduce' }, async (shown) => {
      const moving = await shown.evaluate(() =>
        document
          .getAnimations()
          .filter(({ effect }) => Number(effect?.getComputedTiming().activeDuration) > 50)
          .map((animation) => (animation as CSSAnimation).animationName ?? 'a transition'),
      );
      expect(moving).toEqual([]);
    });
  });

  test('nothing was thrown, and no policy was broken', () => {
    expect(bench.troubles).toEqual([]);
  });
});

/** A machine that waits to be let in, with a long name; `approved`: it is in. Gives its code. */
async function startMachine(how: 'waiting' | 'approved'): Promise<string> {
  const { body } = makeMachineLogin({ machine: 'a-machine-with-a-long-name.'.repeat(3), user: 'somebody' });
  const { userCode } = await bench.call<{ userCode: string }>('/v1/machine-logins', body);
  const { id, name } = await bench.call<MachineLogin>(`/v1/machine-logins/${userCode}`);
  if (how === 'approved') await bench.call(`/v1/machine-logins/${userCode}/approve`, { id, name });
  return userCode;
}

async function forEachView(
  options: Parameters<PageBench['newPage']>[0],
  check: (page: Page) => Promise<void>,
): Promise<void> {
  const [insider, outsider] = await Promise.all([bench.newLoggedInPage(options), bench.newPage(options)]);
  for (const { name, path, isThere, isLoggedOut } of views) {
    const shown = isLoggedOut === true ? outsider : insider;
    await shown.goto(`${bench.url}${path}`);
    await isThere(shown);
    try {
      await check(shown);
    } catch (error) {
      throw new Error(`On the view "${name}"`, { cause: error });
    }
  }
  await Promise.all([insider.context().close(), outsider.context().close()]);
}

async function expectNoSidewaysScroll(shown: Page): Promise<void> {
  const tooWide = await shown.evaluate(() => {
    const isScrollable = (element: Element): boolean =>
      element.scrollWidth > element.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(element).overflowX);
    const outside = [...document.querySelectorAll('main, header, [role="dialog"], article, article > *')];
    const root = document.documentElement;
    const found = outside.filter(isScrollable).map((element) => element.outerHTML.slice(0, 120));
    return root.scrollWidth > root.clientWidth ? [`the page: ${root.scrollWidth} px`, ...found] : found;
  });
  expect(tooWide).toEqual([]);
}
