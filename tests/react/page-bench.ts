/// <reference lib="dom" />
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { openBrowser } from '../harness/browser.ts';
import { type BuiltPage, servePage } from '../harness/built-page.ts';
import type { TestPage } from './test-page.ts';

/** The page under test in a browser of its own. */
export class PageBench {
  readonly browser: BrowserContext;
  readonly page: Page;
  readonly url: string;
  readonly #served: BuiltPage;

  private constructor(browser: BrowserContext, page: Page, served: BuiltPage) {
    this.browser = browser;
    this.page = page;
    this.url = served.url;
    this.#served = served;
  }

  /** Opens the page; packages in `without` count as not installed. */
  static async open(options?: BrowserContextOptions, without?: readonly string[]): Promise<PageBench> {
    const page = new URL('page/main.tsx', import.meta.url);
    const [served, browser] = await Promise.all([servePage(page, without), openBrowser()]);
    return PageBench.#open(browser, served, options);
  }

  static async #open(browser: Browser, served: BuiltPage, options?: BrowserContextOptions): Promise<PageBench> {
    const context = await browser.newContext(options);
    const bench = new PageBench(context, await context.newPage(), served);
    await bench.page.goto(served.url);
    return bench;
  }

  /** Opens the same page in the same browser, as if it had never been used. It closes with this one. */
  openAnother(options: BrowserContextOptions): Promise<PageBench> {
    const browser = this.browser.browser();
    if (browser === null) throw new Error('The browser is closed.');
    return PageBench.#open(browser, this.#served, options);
  }

  /** Draws a tree, as the first thing on an empty page. */
  async render(json: unknown, options: Parameters<TestPage['render']>[1] = {}): Promise<void> {
    await this.page.evaluate(
      ([tree, how]) => {
        testPage.events.length = 0;
        testPage.render([]);
        return new Promise<void>((resolve) => {
          requestAnimationFrame(() => {
            testPage.render(JSON.parse(tree), how);
            requestAnimationFrame(() => resolve());
          });
        });
      },
      // As text: the tool itself gives up on what is nested too deep.
      [JSON.stringify(json), options] as const,
    );
  }

  events(): Promise<unknown[]> {
    return this.page.evaluate(() => testPage.events);
  }

  async close(): Promise<void> {
    await this.browser.browser()?.close();
    this.#served.close();
  }
}
