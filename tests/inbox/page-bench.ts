/// <reference lib="dom" />
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { describe } from 'vitest';
import type { Interaction } from '../../packages/beckon/src/protocol/interaction.ts';
import { CHROMIUM, openBrowser } from '../harness/browser.ts';
import { CliBench, type TestDaemon } from '../harness/cli.ts';

const INDEX = new URL('../../packages/beckon/dist/inbox/index.html', import.meta.url);
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

/** What a test asks, with as little as it needs to say. */
export interface TestAsk {
  kind: string;
  request: unknown;
  chatId?: string;
  sessionId?: string;
  groupId?: string;
  metadata?: object;
  context?: object;
  timeout?: string | null;
}

/** The built page, served by a real daemon with a store of its own, in a real browser. */
export class PageBench {
  /** What no page may do: throw, or try what its policy forbids. In words. */
  readonly troubles: string[];
  readonly cli: CliBench;
  readonly browser: Browser;
  /** A page of a browser that nobody is logged in to. */
  readonly page: Page;
  #daemon: TestDaemon;
  readonly #token: string;

  private constructor(parts: {
    cli: CliBench;
    daemon: TestDaemon;
    browser: Browser;
    page: Page;
    token: string;
    troubles: string[];
  }) {
    this.cli = parts.cli;
    this.#daemon = parts.daemon;
    this.browser = parts.browser;
    this.page = parts.page;
    this.#token = parts.token;
    this.troubles = parts.troubles;
  }

  static async open(upArgs: readonly string[] = []): Promise<PageBench> {
    if (!existsSync(INDEX)) throw new Error('Expected the page to be built. Build it: npm run build');
    const cli = await CliBench.open();
    const [daemon, browser] = await Promise.all([cli.up(['--port', '0', ...upArgs]), openBrowser()]);
    const token = (await readFile(join(cli.home, 'token'), 'utf8')).trim();
    const troubles: string[] = [];
    const page = await openPage(browser, troubles);
    return new PageBench({ cli, daemon, browser, page, token, troubles });
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.cli.close();
  }

  get url(): string {
    return this.#daemon.url;
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
  async logIn(page: Page = this.page, who?: string): Promise<void> {
    await page.goto(await this.createLink(who));
    await page.getByRole('navigation', { name: 'Views' }).waitFor();
  }

  /** A link that logs one browser in, once. */
  async createLink(who?: string): Promise<string> {
    const body = who === undefined ? {} : { who, role: 'admin' };
    return (await this.call<{ url: string }>('/v1/login-links', body)).url;
  }

  /** Asks as an agent, for as long as it takes. Gives the id. */
  async ask(input: TestAsk): Promise<string> {
    return (await this.call<{ id: string }>('/v1/interactions', { timeout: null, ...input })).id;
  }

  /** Answers from somewhere that is not a browser. */
  async answer(id: string, answer: object): Promise<void> {
    await this.call(`/v1/interactions/${id}/answer`, { answer, via: 'telegram' });
  }

  /** Waits until it has ended, and gives it. */
  settled(id: string): Promise<Interaction> {
    return this.call<Interaction>(`/v1/interactions/${id}?wait=50`);
  }

  /** Calls the API with the token of the machine. With a body it is a POST, unless told otherwise. */
  async call<Reply>(path: string, body?: object, method = body === undefined ? 'GET' : 'POST'): Promise<Reply> {
    const reply = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
    return (await reply.json()) as Reply;
  }

  /** Ends the daemon with `kill -9`. */
  async kill(): Promise<void> {
    this.#daemon.child.kill('SIGKILL');
    await this.#daemon.exit;
  }

  /** Starts the daemon again, on the same port and store. */
  async restart(): Promise<void> {
    this.#daemon = await this.cli.up(['--port', this.#daemon.port]);
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
