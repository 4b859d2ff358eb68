import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { CliBench, type TestDaemon } from '../harness/cli.ts';

const CHROMIUM = process.env['BECKON_CHROMIUM'] ?? '/usr/bin/chromium';
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const INDEX = new URL('../../packages/beckon/dist/inbox/index.html', import.meta.url);

/** The built page, served by a real daemon with a store of its own, in a real browser that nobody is logged in to. */
export class PageBench {
  readonly daemon: TestDaemon;
  readonly browser: BrowserContext;
  readonly page: Page;
  readonly #cli: CliBench;
  readonly #profile: string;
  readonly #token: string;

  private constructor(parts: {
    cli: CliBench;
    daemon: TestDaemon;
    browser: BrowserContext;
    page: Page;
    profile: string;
    token: string;
  }) {
    this.#cli = parts.cli;
    this.daemon = parts.daemon;
    this.browser = parts.browser;
    this.page = parts.page;
    this.#profile = parts.profile;
    this.#token = parts.token;
  }

  static async open(): Promise<PageBench> {
    if (!existsSync(CHROMIUM))
      throw new Error(`Expected a browser at ${CHROMIUM}. Install it: apt-get install chromium`);
    if (!existsSync(INDEX)) throw new Error('Expected the page to be built. Build it: node scripts/setup.mjs --build');
    const cli = await CliBench.open();
    const daemon = await cli.up();
    const token = (await readFile(join(cli.home, 'token'), 'utf8')).trim();
    const profile = await mkdtemp(join(tmpdir(), 'beckon-chromium-'));
    const browser = await chromium.launchPersistentContext(profile, {
      executablePath: CHROMIUM,
      args: FLAGS,
      viewport: { width: 1100, height: 800 },
    });
    const page = browser.pages()[0] ?? (await browser.newPage());
    return new PageBench({ cli, daemon, browser, page, profile, token });
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.#cli.close();
    await rm(this.#profile, { recursive: true });
  }

  /** Logs the browser in, as the link does that `beckon up` prints. */
  async logIn(): Promise<void> {
    const { url } = await this.call<{ url: string }>('/v1/login-links', {});
    await this.page.goto(url);
    await this.page.getByRole('main').waitFor();
  }

  /** Asks as an agent, for as long as it takes. Gives the id. */
  async ask(input: { kind: string; request: unknown; groupId?: string; metadata?: object }): Promise<string> {
    const { id } = await this.call<{ id: string }>('/v1/interactions', { ...input, timeout: null });
    return id;
  }

  /** Calls the API with the token of the machine. With a body it is a POST. */
  async call<Reply>(path: string, body?: object): Promise<Reply> {
    const reply = await fetch(`${this.daemon.url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
    return (await reply.json()) as Reply;
  }
}
