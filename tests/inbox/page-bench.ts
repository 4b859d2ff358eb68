/// <reference lib="dom" />
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { describe } from 'vitest';
import { CHROMIUM, openBrowser } from '../harness/browser.ts';
import { DaemonBench, type StartedDaemon, startDaemon } from './daemon-bench.ts';

/** How long a page may take for anything. Machines that run tests are slow, and nothing here measures time. */
const LIMIT_MS = 60_000;

/** Tests that need a browser. They are skipped where there is none; `npm test` says so. */
export function describeInBrowser(name: string, tests: () => void): void {
  // Longer than what a page may take, so that a failure names what was waited for.
  const options = { timeout: 4 * LIMIT_MS, skip: CHROMIUM === undefined };
  // oxlint-disable-next-line vitest/valid-title, vitest/valid-describe-callback -- the name and the tests are passed on
  describe(name, options, tests);
}

/** Waits until it can be seen. Nothing that follows is needed to know that it is there. */
export function expectShown(locator: Locator): Promise<void> {
  return locator.waitFor();
}

/** Waits until a press decides what is open, as somebody does who looks at it first. */
export function look(page: Page): Promise<void> {
  return page.getByRole('article').locator('button[aria-disabled="false"]:visible').first().waitFor();
}

/** What a tab keeps of answers that are half written: the ids of their interactions. */
export function readDrafts(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    Object.keys(sessionStorage)
      .filter((name) => name.startsWith('beckon.draft.'))
      .map((name) => name.slice('beckon.draft.'.length)),
  );
}

/** The built page, served by a real daemon with a store of its own, in a real browser. */
export class PageBench extends DaemonBench {
  /** What no page may do: throw, or try what its policy forbids. In words. */
  readonly troubles: string[];
  readonly browser: Browser;
  /** A page of a browser that nobody is logged in to. */
  readonly page: Page;

  private constructor(parts: StartedDaemon & { browser: Browser; page: Page; troubles: string[] }) {
    super(parts);
    this.browser = parts.browser;
    this.page = parts.page;
    this.troubles = parts.troubles;
  }

  /** `env` is for the daemon. */
  static async open(upArgs: readonly string[] = [], env: Record<string, string> = {}): Promise<PageBench> {
    const [started, browser] = await Promise.all([startDaemon(upArgs, { env }), openBrowser()]);
    const troubles: string[] = [];
    const page = await openPage(browser, troubles);
    return new PageBench({ ...started, browser, page, troubles });
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.cli.close();
  }

  /** A page in a browser that has never been used. */
  newPage(options: BrowserContextOptions = {}): Promise<Page> {
    return openPage(this.browser, this.troubles, options);
  }

  /** The same, logged in; as somebody else with `who`. */
  async newLoggedInPage({ who, ...options }: BrowserContextOptions & { who?: string } = {}): Promise<Page> {
    const page = await this.newPage(options);
    await this.logIn(page, who);
    return page;
  }

  /** Logs a browser in, as the link does that `beckon up` prints. */
  logIn(page: Page = this.page, who?: string): Promise<void> {
    return this.logInPage(page, who);
  }
}

async function openPage(browser: Browser, troubles: string[], options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1100, height: 800 }, ...options });
  context.setDefaultTimeout(LIMIT_MS);
  context.on('weberror', (error) => troubles.push(`error ${error.error().message}`));
  await context.exposeFunction('__trouble', (trouble: string) => troubles.push(trouble));
  await context.addInitScript(() => {
    const { __trouble: tell } = window as unknown as { __trouble: (text: string) => void };
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
      tell(`policy ${effectiveDirective} ${blockedURI}`),
    );
  });
  return context.newPage();
}
