/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hook } from '../../packages/beckon/src/testing/harness/claude-hooks.ts';
import { watchForAlarms } from '../harness/alarms.ts';
import { within } from '../harness/within.ts';
import { HookProject, type Said } from './hook-project.ts';
import { createCorpus } from './hostile-corpus.ts';
import { HOSTILE_TEXTS } from './hostile-texts.ts';
import { describeInBrowser, PageBench } from './page-bench.ts';

/** A page that has not come through one visit by then is not usable. Machines that run tests are slow. */
const LIMIT_MS = 60_000;
/** How many are asked at once. */
const BATCH = 40;

let bench: PageBench;
let page: Page;
/** What must not happen, in words. */
let alarms: string[];

describeInBrowser('what a hostile agent writes', () => {
  beforeAll(async () => {
    bench = await PageBench.open();
    page = bench.page;
    alarms = await watchForAlarms(page, ({ origin, protocol }) => origin === bench.url || protocol === 'data:');
    await bench.logIn();
  });
  afterAll(() => bench?.close());

  test.each(listBatches())(
    'while it is pending, from number %i on, nothing runs, nothing is loaded, and the page stays usable',
    async (_, batch) => {
      const ids = await Promise.all(
        batch.map(({ kind, request, context }) => bench.ask({ kind, request, ...(context && { context }) })),
      );
      expect({ traps: await visit('/'), alarms }).toEqual({ traps: [], alarms: [] });
      for (const [index, { name }] of batch.entries()) {
        const traps = await visit(`/i/${ids[index]}`, name);
        expect({ name, traps, alarms }).toEqual({ name, traps: [], alarms: [] });
      }
    },
  );

  test('as questions of one call, each tab and the review are harmless', async () => {
    const texts = [...Object.values(HOSTILE_TEXTS), '', 'a'.repeat(5_000), '\u202egnorts', '\u200b'];
    for (let from = 0; from < texts.length; from += 20) {
      const asks = texts.slice(from, from + 20).map((whole) => {
        const text = whole.slice(0, 5_000);
        const options = [{ label: text || 'a', description: text, preview: `${text}\n\n\`\`\`\n${text}\n\`\`\`` }];
        return { kind: 'question', request: { question: text || 'a', header: text, options }, timeout: null };
      });
      const { items } = await bench.call<{ items: { id: string }[] }>('/v1/groups', { asks });
      expect({ from, traps: await visit(`/i/${items[0]?.id}`), alarms }).toEqual({ from, traps: [], alarms: [] });
      await expect.poll(() => page.getByRole('tab').count(), { timeout: LIMIT_MS }).toBe(asks.length + 1);
      const names = await page.getByRole('tab').allInnerTexts();
      expect(names.filter((name) => name.trim() === '' || /[\u200b\u202e]/.test(name))).toEqual([]);
      for (const tab of await page.getByRole('tab').all()) {
        await tab.evaluate((button: HTMLElement) => button.click());
        expect({ from, traps: await page.evaluate(findTraps), alarms }).toEqual({ from, traps: [], alarms: [] });
      }
    }
  });

  test('as comments on a plan and as an earlier version of it, it is harmless', async () => {
    const texts = Object.values(HOSTILE_TEXTS).map((text) => text.slice(0, 4_000));
    const ask = (plan: string) => bench.ask({ kind: 'plan_review', request: { plan }, sessionId: 'hostile-plans' });
    for (let from = 0; from < texts.length; from += 50) {
      const some = texts.slice(from, from + 50);
      const comments = some.map((text, index) => ({ quote: text, line: index + 1, comment: text.trim() || 'a' }));
      const first = await ask(some.join('\n\n'));
      await bench.call(`/v1/interactions/${first}/answer`, { answer: { decision: 'adjust', comments } });
      const second = await ask(some.toReversed().join('\n\n'));
      for (const id of [first, second]) {
        expect({ from, traps: await visit(`/i/${id}`), alarms }).toEqual({ from, traps: [], alarms: [] });
        for (const view of await page.getByRole('group', { name: 'How to show the plan' }).getByRole('button').all()) {
          // The conversation may cover it.
          await view.evaluate((button: HTMLElement) => button.click());
          expect({ from, traps: await page.evaluate(findTraps), alarms }).toEqual({ from, traps: [], alarms: [] });
        }
      }
    }
  });

  test('after it has ended it is as harmless', async () => {
    const { items } = await bench.call<{ items: { id: string }[] }>('/v1/interactions?status=pending&limit=80');
    await Promise.all(items.map(({ id }) => bench.call(`/v1/interactions/${id}/cancel`, {})));
    for (const { id } of items) {
      expect({ id, traps: await visit(`/i/${id}`), alarms }).toEqual({ id, traps: [], alarms: [] });
    }
    expect({ traps: await visit('/history'), alarms }).toEqual({ traps: [], alarms: [] });
  });

  test('a hostile file and a hostile transcript, as the hook command gathers them', async () => {
    const project = new HookProject(bench);
    try {
      const texts = Object.values(HOSTILE_TEXTS).map((text) => text.slice(0, 500).toWellFormed());
      const path = project.write('a.ts', texts.join('\n'));
      const said = texts.slice(0, 120).flatMap((text): Said[] => [{ person: text }, { agent: text }]);
      const input = { file_path: path, content: texts.toReversed().join('\n') };
      const { id } = await project.ask('Write', input, said);
      expect({ traps: await visit(`/i/${id}`), alarms }).toEqual({ traps: [], alarms: [] });
    } finally {
      project.close();
    }
  });

  test('a hostile conversation, as hooks tell it', async () => {
    const session = 'hostile-session';
    for (const text of Object.values(HOSTILE_TEXTS)) {
      const prompt = text.slice(0, 10_000).toWellFormed();
      await bench.call('/hooks/claude', { ...hook('UserPromptSubmit', { prompt }), session_id: session });
    }
    const id = await bench.ask({ kind: 'question', request: { question: 'Which?' }, sessionId: session });
    expect({ traps: await visit(`/i/${id}`), alarms }).toEqual({ traps: [], alarms: [] });
    const said = page.getByRole('group', { name: 'What was said' });
    for (let turn = 0; turn < 60; turn += 1) {
      await said.evaluate((list) => list.scrollBy(0, -600));
      expect({ turn, traps: await page.evaluate(findTraps), alarms }).toEqual({ turn, traps: [], alarms: [] });
    }
  });

  test('what was watched for would have been seen', async () => {
    expect(bench.troubles).toEqual([]);
    await page.evaluate(() => {
      const image = document.createElement('img');
      image.src = 'http://evil.test/seen.png';
      document.querySelector('main')?.append(image);
      (window as unknown as { __pwned: number }).__pwned = 1;
    });
    await expect.poll(() => alarms.some((alarm) => alarm.startsWith('policy')), { timeout: LIMIT_MS }).toBe(true);
    await expect.poll(() => alarms.includes('ran: 1'), { timeout: LIMIT_MS }).toBe(true);
    expect(await page.evaluate(findTraps)).not.toEqual([]);
  });
});

function listBatches(): [number, ReturnType<typeof createCorpus>][] {
  const corpus = createCorpus();
  expect(corpus.length).toBeGreaterThan(100);
  const starts = Array.from({ length: Math.ceil(corpus.length / BATCH) }, (__, index) => index * BATCH);
  return starts.map((from) => [from, corpus.slice(from, from + BATCH)]);
}

/** Goes to a view, does there what a person would do, and gives what could run, load, send or cover something. */
async function visit(path: string, name = path): Promise<string[]> {
  await within(`the visit to ${name}`, page.evaluate(usePath, { path, limitMs: LIMIT_MS / 2 }), LIMIT_MS);
  return page.evaluate(findTraps);
}

/**
 * Runs in the page, because there are hundreds of visits: goes to a view without reloading the page, waits until it
 * is there, looks at every view of a plan, chooses, and asks for more.
 */
async function usePath({ path, limitMs }: { path: string; limitMs: number }): Promise<void> {
  const until = async (what: string, isTrue: () => boolean): Promise<void> => {
    const end = performance.now() + limitMs;
    while (!isTrue()) {
      if (performance.now() > end) throw new Error(`Still waiting for ${what} at ${path}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  const hasWaiting = (): boolean =>
    [...document.querySelectorAll('main [role="status"]')].some((status) =>
      /^(?:Loading|Formatting)/.test(status.textContent),
    );
  const settle = async (): Promise<void> => {
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    await until('what is loaded', () => !hasWaiting());
  };
  // By way of an address that leads nowhere, so that the article that comes is the one that was asked for.
  window.history.pushState(null, '', '/nowhere');
  await until('the article to go', () => document.querySelector('article') === null);
  window.history.pushState(null, '', path);
  await settle();
  if (path.startsWith('/i/'))
    await until('the article', () => document.querySelector('article :is(form, h2, section)') !== null);
  await settle();
  const wanted = [
    /^As written/,
    /^(?:Something else|Also, or instead)/,
    /^Show (?!log)/,
    /^Agent’s claim/,
    /^Conversation/,
  ];
  // A call is edited where it stands.
  if (document.querySelector('article h2')?.textContent.startsWith('Allow ') === true) wanted.push(/^Edite?$/);
  for (const name of wanted) {
    const controls = document.querySelectorAll<HTMLElement>('article :is(button, label)');
    const control = [...controls].find(({ textContent }) => name.test(textContent.trim()));
    if (control === undefined) continue;
    control.click();
    await settle();
  }
  if (window.location.pathname !== path) throw new Error(`Ended at ${window.location.pathname}, not at ${path}`);
}

/** What on the page could run, load, send or cover something. */
function findTraps(): string[] {
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
}
