/// <reference lib="dom" />
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { describeInBrowser, expectShown, PageBench } from './page-bench.ts';

let bench: PageBench;
let context: BrowserContext;

// A browser opens six connections to a server, for all of its tabs together.
describeInBrowser('many tabs of one browser', () => {
  beforeAll(async () => {
    bench = await PageBench.open();
  });
  afterEach(() => context?.close());
  afterAll(() => bench?.close());

  test('eight are live, and an answer from the first goes through and shows in all', async () => {
    const tabs = await openTabs(8);
    const [first] = tabs;
    const id = await ask('Eight tabs?');
    await expectAll(tabs, 'Eight tabs?');
    await first.getByRole('link', { name: 'Eight tabs?' }).click();
    await first.getByRole('textbox', { name: 'Your answer' }).fill('Yes');
    await first.getByRole('button', { name: 'Answer', exact: true }).click();
    await first.getByText(/^Answered: Eight tabs\?/).waitFor();
    expect(await bench.settled(id)).toMatchObject({ status: 'answered', answer: { text: 'Yes' } });
    await Promise.all(tabs.map((tab) => tab.getByRole('link', { name: 'Eight tabs?' }).waitFor({ state: 'detached' })));
    for (const tab of tabs) expect(await tab.getByText('Connecting').count()).toBe(0);
  });

  test('when the tab that follows the log is closed, another goes on and nothing is missed', async () => {
    const tabs = await openTabs(4);
    while (tabs.length > 1) {
      const name = `With ${tabs.length} tabs?`;
      const asked = [ask(`${name} Before`), ask(`${name} Meanwhile`)];
      await tabs.shift()?.close();
      await Promise.all([...asked, ask(`${name} After`)]);
      for (const when of ['Before', 'Meanwhile', 'After']) await expectAll(tabs, `${name} ${when}`);
    }
  });

  test('a daemon that is killed and comes back is missed and found by all', async () => {
    const tabs = await openTabs(3);
    await bench.kill();
    await Promise.all(tabs.map((tab) => tab.getByText('Connection lost, trying again').waitFor()));
    await bench.restart();
    await ask('After the restart?');
    await expectAll(tabs, 'After the restart?');
    const lost = tabs.map((tab) => tab.getByText('Connection lost, trying again').waitFor({ state: 'detached' }));
    await Promise.all(lost);
  });

  test('a tab that is frozen holds nobody up, and has everything when it goes on', async () => {
    const [frozen, ...others] = await openTabs(3);
    // As a browser does it to a tab in the background: nothing in it runs.
    const debug = await context.newCDPSession(frozen);
    await debug.send('Debugger.enable');
    await debug.send('Debugger.pause');
    await ask('While one is frozen?');
    await expectAll(others, 'While one is frozen?');
    await debug.send('Debugger.disable');
    await expectAll([frozen], 'While one is frozen?');
    await ask('After it was frozen?');
    await expectAll([frozen, ...others], 'After it was frozen?');
  });

  test('a tab that has missed something reloads what it shows', async () => {
    const [holder, deaf] = await openTabs(2);
    const settled = await ask('Settled unheard?');
    await expectAll([holder, deaf], 'Settled unheard?');
    await deaf.evaluate(() => window.dispatchEvent(new Event('deaf')));
    await bench.answer(settled, { text: 'Done' });
    await ask('Asked unheard?');
    await expectAll([holder], 'Asked unheard?');
    expect(await deaf.getByRole('link', { name: 'Asked unheard?' }).count()).toBe(0);
    await deaf.evaluate(() => window.dispatchEvent(new Event('hearing')));
    await ask('Heard again?');
    await expectAll([deaf], 'Heard again?');
    await expectAll([deaf], 'Asked unheard?');
    await deaf.getByRole('link', { name: 'Settled unheard?' }).waitFor({ state: 'detached' });
  });

  test.each(['the first', 'the last'])('logging out in %s logs all of them out', async (which) => {
    const tabs = await openTabs(3);
    const tab = which === 'the first' ? tabs[0] : tabs[tabs.length - 1];
    await tab?.getByRole('link', { name: 'Devices' }).click();
    await tab?.getByRole('button', { name: 'Log out', exact: true }).click();
    const headings = tabs.map((each) => each.getByRole('heading', { name: 'Log in to Beckon' }));
    await Promise.all(headings.map((heading) => expectShown(heading)));
  });

  test('a login that is revoked is over in all of them', async () => {
    const tabs = await openTabs(3);
    await tabs[1].evaluate(async () => {
      const { device } = (await (await fetch('/v1/me')).json()) as { device: string };
      await fetch(`/v1/devices/${device}`, { method: 'DELETE' });
    });
    const headings = tabs.map((each) => each.getByRole('heading', { name: 'Log in to Beckon' }));
    await Promise.all(headings.map((heading) => expectShown(heading)));
  });

  test('somebody else who logs in hears by themselves', async () => {
    const [first] = await openTabs(1);
    const second = await context.newPage();
    await bench.logIn(second, 'bob');
    await ask('For both?');
    await expectAll([first, second], 'For both?');
  });

  test('where a browser has no locks, as over plain HTTP, each follows by itself', async () => {
    const tabs = await openTabs(3, () => Object.defineProperty(navigator, 'locks', { value: undefined }));
    await ask('Without locks?');
    await expectAll(tabs, 'Without locks?');
  });

  test('nothing was thrown, and no policy was broken', () => {
    expect(bench.troubles).toEqual([]);
  });
});

/** Tabs of one browser that is logged in. The first is the one that follows the log. */
async function openTabs(count: number, prepare: () => void = () => undefined): Promise<[Page, Page, ...Page[]]> {
  const page = await bench.newPage();
  context = page.context();
  await context.addInitScript(prepare);
  await context.addInitScript(standIn);
  await bench.logIn(page);
  const tabs = [page];
  while (tabs.length < count) {
    const tab = await context.newPage();
    await tab.goto(bench.url);
    await tab.getByRole('heading', { name: 'Inbox' }).waitFor();
    tabs.push(tab);
  }
  return tabs as [Page, Page, ...Page[]];
}

/** Lets a test take a tab's hearing away: no message of another tab reaches it. */
function standIn(): void {
  let isDeaf = false;
  window.addEventListener('deaf', () => (isDeaf = true));
  window.addEventListener('hearing', () => (isDeaf = false));
  const { addEventListener: listen } = BroadcastChannel.prototype;
  Object.defineProperty(BroadcastChannel.prototype, 'addEventListener', {
    value(this: BroadcastChannel, type: string, listener: EventListener): void {
      listen.call(this, type, (event) => isDeaf || listener(event));
    },
  });
}

function ask(question: string): Promise<string> {
  return bench.ask({ kind: 'question', request: { question } });
}

async function expectAll(tabs: readonly Page[], name: string): Promise<void> {
  await Promise.all(tabs.map((tab) => tab.getByRole('link', { name }).waitFor()));
}
