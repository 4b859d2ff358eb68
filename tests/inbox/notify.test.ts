/// <reference lib="dom" />
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser, PageBench } from './page-bench.ts';

/** What the stand-ins in the page have noted. */
interface Noted {
  __asked: number;
  __shown: { title: string; body: string; actions?: unknown }[];
  __tones: number;
  __isHidden: boolean;
}

interface Changes {
  isSecureContext?: boolean;
  isPhone?: boolean;
  PushManager?: null;
  permission?: string;
}

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1';

let bench: PageBench;
let page: Page;

describeInBrowser('notifications', () => {
  beforeAll(async () => {
    bench = await PageBench.open();
    page = bench.page;
    await page.addInitScript(standIn);
    await bench.logIn();
  });
  afterAll(() => bench?.close());

  test('nobody is asked, and nothing is shown, before the person turns them on', async () => {
    await setHidden(true);
    await ask('Quiet?');
    await page.getByRole('link', { name: /Quiet\?/ }).waitFor();
    expect(await noted()).toEqual({ asked: 0, shown: [], tones: 0 });
  });

  test('a hidden tab tells what arrives, a visible one is quiet', async () => {
    await setHidden(false);
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('switch', { name: 'Browser notifications' }).click();
    await page.getByRole('button', { name: 'Try it' }).waitFor();
    expect((await noted()).asked).toBe(1);
    await page.getByRole('switch', { name: 'Sound' }).click();
    await expect.poll(async () => (await noted()).tones, { timeout: 60_000 }).toBe(1);
    await page.keyboard.press('Escape');

    await ask('Looked at?');
    await page.getByRole('link', { name: /Looked at\?/ }).waitFor();
    // A screen reader hears of it.
    await page.getByText('New: Looked at?').waitFor({ state: 'attached' });
    expect(await noted()).toMatchObject({ shown: [], tones: 1 });

    await setHidden(true);
    await ask('Not looked at?');
    await expect
      .poll(async () => (await noted()).shown, { timeout: 60_000 })
      .toEqual([
        {
          title: 'Not looked at?',
          body: expect.stringMatching(/^Question from (?!scout)\S+ \(calls itself "scout"\)$/),
        },
      ]);
    await expect.poll(async () => (await noted()).tones, { timeout: 60_000 }).toBe(2);
  });

  test('a notification marks what would not be seen, and a tool that poses as another', async () => {
    const request = { tool: 'Bаsh', input: { command: 'rm\u202e\u{e0041}\u3164\u200d' } };
    await bench.ask({ kind: 'approval', request, metadata: { agent: 'scout' } });
    await expect.poll(async () => (await noted()).tones, { timeout: 60_000 }).toBe(3);
    await expect
      .poll(async () => (await noted()).shown.at(-1)?.title, { timeout: 60_000 })
      .toBe('⚠ Dangerous: Bа[U+0430]sh: rm[U+202E][U+E0041][U+3164][U+200D]');
    await setHidden(false);
    await ask('Heard\u202e?');
    await page.getByText('New: Heard[U+202E]?').waitFor({ state: 'attached' });
    await setHidden(true);
  });

  test('a dangerous request is named so, and no notification has a button that answers', async () => {
    const request = { tool: 'Bash', input: { command: 'git push --force origin main' } };
    const before = (await noted()).tones;
    await bench.ask({ kind: 'approval', request, metadata: { agent: 'scout' } });
    await expect
      .poll(async () => (await noted()).shown.at(-1)?.title, { timeout: 60_000 })
      .toBe('⚠ Dangerous: git push --force origin main');
    await expect.poll(async () => (await noted()).tones, { timeout: 60_000 }).toBe(before + 1);
    expect((await noted()).shown.filter((one) => 'actions' in one)).toEqual([]);
    await setHidden(false);
    await bench.ask({ kind: 'approval', request, metadata: { agent: 'scout' } });
    await page.getByText('New: ⚠ Dangerous: git push --force origin main').waitFor({ state: 'attached' });
    await setHidden(true);
  });

  test('of several tabs one tells, the one that was looked at last, and none while it is looked at', async () => {
    const second = await page.context().newPage();
    await second.addInitScript(standIn);
    await second.goto(bench.url);
    const tones = async (): Promise<number[]> => [(await noted()).tones, (await noted(second)).tones];
    const askBoth = async (question: string): Promise<void> => {
      await ask(question);
      for (const tab of [page, second]) await tab.getByRole('link', { name: question }).waitFor();
    };
    await setHidden(true, second);
    await askBoth('Two tabs?');
    await expect.poll(tones, { timeout: 60_000 }).toEqual([5, 0]);

    const findHolder = (): Promise<string | undefined> =>
      second.evaluate(async () => (await navigator.locks.query()).held?.[0]?.clientId);
    const before = await findHolder();
    await setHidden(false, second);
    await expect.poll(findHolder, { timeout: 60_000 }).not.toBe(before);
    await askBoth('The second is looked at?');
    await setHidden(true, second);
    await askBoth('The second was looked at?');
    await expect.poll(tones, { timeout: 60_000 }).toEqual([5, 1]);
    await second.close();
  });

  test('the choice outlives a reload, and can be taken back', async () => {
    await page.reload();
    await page.getByRole('button', { name: 'Settings' }).click();
    const choice = page.getByRole('switch', { name: 'Browser notifications' });
    expect(await choice.getAttribute('aria-checked')).toBe('true');
    await choice.click();
    await page.getByRole('switch', { name: 'Sound' }).click();
    await page.keyboard.press('Escape');
    await setHidden(true);
    await ask('Quiet again?');
    await page.getByRole('link', { name: /Quiet again\?/ }).waitFor();
    expect(await noted()).toMatchObject({ shown: [], tones: 0 });
  });

  test.each<[string, Changes, string]>([
    ['is not secure', { isSecureContext: false }, 'This page is not secure'],
    ['is an iPhone whose page is not on the home screen', { isPhone: true }, 'Add Beckon to your home screen first'],
    ['has no push service', { PushManager: null }, 'This browser cannot be told while Beckon is closed'],
    ['blocks notifications', { permission: 'denied' }, 'Your browser blocks notifications from this page'],
  ])('a browser that %s is told what to do, and not asked', async (_, changes, advice) => {
    const other = await bench.newPage(changes.isPhone === true ? { userAgent: IPHONE } : {});
    await other.addInitScript(standIn);
    await other.addInitScript(change, changes);
    await bench.logIn(other);
    await other.getByRole('button', { name: 'Settings' }).click();
    const section = other.getByRole('region', { name: 'Notifications on this device' });
    await section.getByText(advice).waitFor();
    expect(await section.getByRole('button').count()).toBe(0);
    expect((await noted(other)).asked).toBe(0);
    await other.context().close();
  });

  test('nothing was thrown, and no policy was broken', () => {
    expect(bench.troubles).toEqual([]);
  });
});

/** Makes a browser one of another kind. */
function change({ isSecureContext, PushManager, permission }: Changes): void {
  if (isSecureContext !== undefined) Object.defineProperty(window, 'isSecureContext', { value: isSecureContext });
  if (PushManager === null) Reflect.deleteProperty(window, 'PushManager');
  if (permission !== undefined) Object.defineProperty(Notification, 'permission', { value: permission });
}

async function ask(question: string): Promise<void> {
  await bench.ask({ kind: 'question', request: { question }, metadata: { agent: 'scout' } });
}

async function setHidden(isHidden: boolean, tab = page): Promise<void> {
  await tab.evaluate((hidden) => {
    (window as unknown as Noted).__isHidden = hidden;
    document.dispatchEvent(new Event('visibilitychange'));
  }, isHidden);
}

async function noted(tab = page): Promise<{ asked: number; shown: Noted['__shown']; tones: number }> {
  return tab.evaluate(() => {
    const { __asked: asked, __shown: shown, __tones: tones } = window as unknown as Noted;
    return { asked, shown, tones };
  });
}

/**
 * A browser without a screen shows no notifications, plays nothing and hides no tab; this notes what it would have
 * done.
 */
function standIn(): void {
  const notes = window as unknown as Noted;
  Object.assign(notes, { __asked: 0, __shown: [], __tones: 0, __isHidden: false });
  const show = (title: string, options: NotificationOptions & { actions?: unknown } = {}): void => {
    const { body = '', actions } = options;
    notes.__shown.push({ title, body, ...(actions !== undefined && { actions }) });
  };
  let permission: NotificationPermission = sessionStorage.getItem('granted') === null ? 'default' : 'granted';
  class NotedNotification extends EventTarget {
    static get permission(): NotificationPermission {
      return permission;
    }
    static requestPermission(): Promise<NotificationPermission> {
      notes.__asked += 1;
      permission = 'granted';
      sessionStorage.setItem('granted', 'yes');
      return Promise.resolve(permission);
    }
    constructor(title: string, options?: NotificationOptions) {
      super();
      show(title, options);
    }
    close(): void {}
  }
  Object.defineProperty(window, 'Notification', { value: NotedNotification });
  ServiceWorkerRegistration.prototype.showNotification = (title, options) => Promise.resolve(show(title, options));
  ServiceWorkerRegistration.prototype.getNotifications = () => Promise.resolve([]);
  Object.defineProperty(document, 'hidden', { get: () => notes.__isHidden });
  const { close } = AudioContext.prototype;
  AudioContext.prototype.close = function closeNoted() {
    notes.__tones += 1;
    return close.call(this);
  };
}
