/// <reference lib="dom" />
import type { Page } from 'playwright-core';

/**
 * Whatever a payload could do to somebody becomes an alarm: from the next load of the page on, in the list that is
 * returned. What `isOwn` says of an address may be loaded.
 */
export async function watchForAlarms(page: Page, isOwn: (url: URL) => boolean): Promise<string[]> {
  const alarms: string[] = [];
  const context = page.context();
  await context.route('**/*', (route) => {
    const url = route.request().url();
    if (isOwn(new URL(url))) return route.continue();
    alarms.push(`request to ${url}`);
    return route.abort();
  });
  context.on('page', (opened) => alarms.push(`window ${opened.url()}`));
  page.on('dialog', (dialog) => {
    alarms.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('pageerror', (error) => alarms.push(`error ${error.message}`));
  page.on('crash', () => alarms.push('crash'));
  page.on('download', (download) => alarms.push(`download ${download.url()}`));
  page.on('frameattached', (frame) => alarms.push(`frame ${frame.url()}`));
  await page.exposeFunction('__alarm', (alarm: string) => alarms.push(alarm));
  await page.addInitScript(() => {
    const alarm = (text: string): void => (window as unknown as { __alarm: (text: string) => void }).__alarm(text);
    document.addEventListener('securitypolicyviolation', (event) => {
      alarm(`policy ${event.effectiveDirective} ${event.blockedURI}`);
    });
    Object.defineProperty(window, '__pwned', {
      get: () => undefined,
      set(value: unknown) {
        alarm(`ran: ${String(value)}`);
      },
    });
  });
  return alarms;
}
