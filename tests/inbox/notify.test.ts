/// <reference lib="dom" />
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser, PageBench } from './page-bench.ts';

/** What the stand-ins in the page have noted. */
interface Noted {
  __asked: number;
  __shown: { title: string; body: string }[];
  __tones: number;
  __isHidden: boolean;
}

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
      .toEqual([{ title: 'Not looked at?', body: 'Question from scout' }]);
    await expect.poll(async () => (await noted()).tones, { timeout: 60_000 }).toBe(2);
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

  test('nothing was thrown, and no policy was broken', () => {
    expect(bench.troubles).toEqual([]);
  });
});

async function ask(question: string): Promise<void> {
  await bench.ask({ kind: 'question', request: { question }, metadata: { agent: 'scout' } });
}

async function setHidden(isHidden: boolean): Promise<void> {
  await page.evaluate((hidden) => {
    (window as unknown as Noted).__isHidden = hidden;
    document.dispatchEvent(new Event('visibilitychange'));
  }, isHidden);
}

async function noted(): Promise<{ asked: number; shown: Noted['__shown']; tones: number }> {
  return page.evaluate(() => {
    const { __asked: asked, __shown: shown, __tones: tones } = window as unknown as Noted;
    return { asked, shown, tones };
  });
}

/** A browser without a screen shows no notifications, plays nothing and hides no tab; this notes what it would have done. */
function standIn(): void {
  const notes = window as unknown as Noted;
  Object.assign(notes, { __asked: 0, __shown: [], __tones: 0, __isHidden: false });
  const show = (title: string, { body = '' }: NotificationOptions = {}): void => {
    notes.__shown.push({ title, body });
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
