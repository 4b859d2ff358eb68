/// <reference lib="dom" />
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
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
    const served = await servePage(new URL('page/main.tsx', import.meta.url), without);
    const browser = await (await openBrowser()).newContext(options);
    const bench = new PageBench(browser, await browser.newPage(), served);
    await bench.page.goto(served.url);
    return bench;
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
