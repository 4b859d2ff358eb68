/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCorpus } from './hostile-corpus.ts';
import { PageBench } from './page-bench.ts';

/** A page that takes longer than this to react is not usable. Machines that run tests are slow. */
const USABLE_MS = 4_000;

let bench: PageBench;
/** What must not happen, in words. */
const alarms: string[] = [];

beforeAll(async () => {
  bench = await PageBench.open();
  await watch();
  await bench.logIn();
});

afterAll(() => bench?.close());

test('whatever an agent writes, nothing runs, nothing is loaded, and the page stays usable', async () => {
  const corpus = createCorpus();
  expect(corpus.length).toBeGreaterThan(100);
  const asked: { name: string; id: string }[] = [];
  for (const { name, kind, request } of corpus) {
    asked.push({ name, id: await bench.ask({ kind, request }) });
  }
  await open('/');
  expect(await findTraps()).toEqual([]);
  for (const { name, id } of asked) {
    await open(`/i/${id}`);
    await useForm();
    expect({ name, traps: await findTraps(), alarms }).toEqual({ name, traps: [], alarms: [] });
  }
}, 900_000);

test('what has ended is as harmless as what is pending', async () => {
  const { items } = await bench.call<{ items: { id: string }[] }>('/v1/interactions?status=pending&limit=80');
  for (const { id } of items) {
    await bench.call(`/v1/interactions/${id}/cancel`, {});
    await open(`/i/${id}`);
    expect({ id, traps: await findTraps(), alarms }).toEqual({ id, traps: [], alarms: [] });
  }
  await open('/history');
  expect(await findTraps()).toEqual([]);
}, 900_000);

test('what was watched for would have been seen', async () => {
  await bench.page.evaluate(() => {
    const image = document.createElement('img');
    image.src = 'http://evil.test/seen.png';
    document.querySelector('main')?.append(image);
  });
  await expect.poll(() => alarms.filter((alarm) => alarm.startsWith('policy')).length).toBeGreaterThan(0);
  expect(await findTraps()).not.toEqual([]);
});

/** Whatever a payload could do to somebody becomes an alarm. */
async function watch(): Promise<void> {
  const { browser, page, daemon } = bench;
  await browser.route('**/*', (route) => {
    const { origin } = new URL(route.request().url());
    if (origin === daemon.url || route.request().url().startsWith('data:')) return route.continue();
    alarms.push(`request to ${route.request().url()}`);
    return route.abort();
  });
  browser.on('page', (opened) => alarms.push(`window ${opened.url()}`));
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
}

/** Goes to a view without loading the page anew, and waits until it is there and still reacts. */
async function open(path: string): Promise<void> {
  const { page } = bench;
  const start = performance.now();
  // By way of a view without one, so that the article that comes is the one that was asked for.
  await page.evaluate(() => window.history.pushState(null, '', '/devices'));
  await page.locator('article').waitFor({ state: 'detached' });
  await page.evaluate((to) => window.history.pushState(null, '', to), path);
  if (path.startsWith('/i/')) await page.locator('article').waitFor();
  // Loading, and formatting, say so.
  const waiting = page.locator('main [role="status"]', { hasText: /^(?:Loading|Formatting)/ });
  await expect.poll(() => waiting.count(), { timeout: 15_000 }).toBe(0);
  const before = performance.now();
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
  expect({ path, reactsInTime: performance.now() - before < USABLE_MS }).toEqual({ path, reactsInTime: true });
  expect({ path, opensInTime: performance.now() - start < 20_000 }).toEqual({ path, opensInTime: true });
  expect(new URL(page.url()).pathname).toBe(path);
}

/** Does what a person would do before they answer: looks at every view of a plan, chooses, asks for more. */
async function useForm(): Promise<void> {
  const article = bench.page.locator('article');
  for (const name of ['As written', 'Edit the input', 'Something else', /^Show (?!log)/]) {
    const control = article.getByRole('button', { name }).or(article.getByRole('radio', { name })).first();
    if ((await control.count()) > 0) await control.click({ timeout: USABLE_MS });
  }
}

/** What on the page could run, load, send or cover something. */
function findTraps(): Promise<string[]> {
  return bench.page.evaluate(() => {
    const traps: string[] = [];
    const inside = [...document.querySelectorAll('main *')];
    const forbidden =
      'script, iframe, frame, object, embed, link, meta, base, style, img, picture, video, audio, math, marquee';
    for (const element of document.querySelectorAll(`main :is(${forbidden})`)) traps.push(element.tagName);
    for (const element of inside) {
      for (const { name, value } of element.attributes) {
        const isAddress = /^(?:href|src|srcset|action|formaction|data|poster|background|xlink:href)$/i.test(name);
        if (name.startsWith('on')) traps.push(`${element.tagName} ${name}`);
        if (isAddress && !/^(?:https?:\/\/|mailto:|\/(?!\/))/.test(value))
          traps.push(`${element.tagName} ${name}=${value.slice(0, 80)}`);
        if (name === 'style' && /url\(|fixed|expression/i.test(value)) traps.push(`${element.tagName} style=${value}`);
        if (name === 'id' && value === 'root') traps.push('a second root');
      }
      if (element instanceof HTMLAnchorElement && /^https?:/.test(element.getAttribute('href') ?? '')) {
        if (element.target !== '_blank' || !element.relList.contains('noopener')) traps.push(`link ${element.href}`);
      }
    }
    const root = document.documentElement;
    if (root.scrollWidth > root.clientWidth) traps.push(`wider than the window: ${root.scrollWidth}`);
    return traps;
  });
}
