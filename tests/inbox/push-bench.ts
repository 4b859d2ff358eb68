/// <reference lib="dom" />
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, CDPSession, Page, Worker } from 'playwright-core';
import { describe, vi } from 'vitest';
import type { CertificateFiles } from '../../packages/beckon/src/testing/harness/certificates.ts';
import { CHROMIUM, openProfile } from '../harness/browser.ts';
import { Desktop, type ShownNotification } from '../harness/desktop.ts';
import { openTlsFront, type TlsFront } from '../harness/tls-front.ts';
import { DaemonBench, type StartedDaemon, startDaemon } from './daemon-bench.ts';

const LIMIT_MS = 60_000;

/** Tests that press notifications. They need Chromium, and Linux: other systems have desktops of their own. */
export function describeOnDesktop(name: string, tests: () => void): void {
  const options = { timeout: 4 * LIMIT_MS, skip: CHROMIUM === undefined || process.platform !== 'linux' };
  // oxlint-disable-next-line vitest/valid-title, vitest/valid-describe-callback -- the name and the tests are passed on
  describe(name, options, tests);
}

/** How a bench is opened. */
interface PushBenchOptions {
  upArgs?: readonly string[];
  env?: Record<string, string>;
  flags?: readonly string[];
  /** A proxy with TLS in front of the daemon, whose pages are below `prefix`. */
  front?: CertificateFiles & { prefix: string };
}

interface Parts extends StartedDaemon {
  desktop: Desktop;
  folder: string;
  context: BrowserContext;
  page: Page;
  pageUrl: string;
  front: TlsFront | undefined;
}

/** The built page in a Chromium with a profile, whose notifications are shown on a desktop that a test can press. */
export class PushBench extends DaemonBench {
  readonly desktop: Desktop;
  readonly context: BrowserContext;
  page: Page;
  /** Where the browser finds the page. */
  readonly pageUrl: string;
  readonly #front: TlsFront | undefined;
  readonly #folder: string;
  #session: { cdp: CDPSession; registrationId: string } | null = null;

  private constructor(parts: Parts) {
    super(parts);
    this.desktop = parts.desktop;
    this.context = parts.context;
    this.page = parts.page;
    this.pageUrl = parts.pageUrl;
    this.#front = parts.front;
    this.#folder = parts.folder;
  }

  /** A logged-in browser whose service worker runs. */
  static async open(options: PushBenchOptions = {}): Promise<PushBench> {
    const { upArgs = [], env = {}, flags = [] } = options;
    const [started, desktop, folder] = await Promise.all([
      startDaemon(upArgs, { env }),
      Desktop.open(),
      mkdtemp(join(tmpdir(), 'beckon-profile-')),
    ]);
    const context = await openProfile(folder, { env: desktop.env, flags });
    context.setDefaultTimeout(LIMIT_MS);
    const { url } = started.daemon;
    const front = options.front && (await openTlsFront(url, options.front, options.front.prefix));
    const pageUrl = front === undefined ? url : `https://localhost:${front.port}${options.front?.prefix}`;
    await context.grantPermissions(['notifications'], { origin: new URL(pageUrl).origin });
    const [first] = context.pages();
    const page = first ?? (await context.newPage());
    const bench = new PushBench({ ...started, desktop, folder, context, page, pageUrl, front });
    await bench.logInPage(page);
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    return bench;
  }

  async close(): Promise<void> {
    await this.context.close();
    await this.#front?.close();
    await this.desktop.close();
    await this.cli.close();
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  override async createLink(who?: string): Promise<string> {
    return (await super.createLink(who)).replace(this.url, this.pageUrl);
  }

  /** The service worker of the page. */
  async worker(): Promise<Worker> {
    const [worker] = this.context.serviceWorkers();
    return worker ?? (await this.context.waitForEvent('serviceworker'));
  }

  /** Hands a message to the service worker as the browser does once it has decrypted it. */
  async deliver(text: string): Promise<void> {
    const { cdp, registrationId } = await this.#findRegistration();
    await cdp.send('ServiceWorker.deliverPushMessage', { origin: this.url, registrationId, data: text });
  }

  /** Who the machine's token belongs to: the one whose links log in. */
  me(): Promise<{ who: string }> {
    return this.call('/v1/me');
  }

  /** The one notification on the screen, as soon as there is one with this title. */
  async shown(title: string): Promise<ShownNotification & { words: string }> {
    const find = (): ShownNotification | undefined => this.desktop.open.find((one) => one.title === title);
    const found = await vi.waitUntil(find, { timeout: LIMIT_MS }).catch(() => {
      throw new Error(`Expected a notification "${title}", got ${JSON.stringify(this.titles())}.`);
    });
    // Chromium puts the address of the site in front.
    return Object.assign(found, { words: found.body.replace(/^\S+(?:\n\n)?/, '') });
  }

  /** What is on the screen. */
  titles(): string[] {
    return this.desktop.open.map(({ title }) => title);
  }

  /** Takes the worker's clock, so that a press is as soon after another as a test says. It stands still until then. */
  async setWorkerTime(at: number): Promise<void> {
    await (await this.worker()).evaluate((now) => {
      Date.now = () => now;
    }, at);
  }

  /** Ends the service worker, as a browser does with one that has nothing to do. The next event starts it again. */
  async stopWorker(): Promise<void> {
    const { cdp } = await this.#findRegistration();
    await cdp.send('ServiceWorker.disable');
    await new Promise<void>((resolve, reject) => {
      let stopping: string | undefined;
      cdp.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
        for (const { versionId, runningStatus } of versions) {
          if (runningStatus === 'running' && stopping === undefined) {
            stopping = versionId;
            cdp.send('ServiceWorker.stopWorker', { versionId }).catch(reject);
          }
          if (runningStatus === 'stopped' && stopping === versionId) resolve();
        }
      });
      // It begins with what there is.
      cdp.send('ServiceWorker.enable').catch(reject);
    });
  }

  async #findRegistration(): Promise<{ cdp: CDPSession; registrationId: string }> {
    if (this.#session !== null) return this.#session;
    // A page of its own, because a test may close the other.
    const cdp = await this.context.newCDPSession(await this.context.newPage());
    const registrationId = await new Promise<string>((resolve, reject) => {
      cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const own = registrations.find(({ scopeURL }) => scopeURL.startsWith(this.url));
        if (own !== undefined) resolve(own.registrationId);
      });
      cdp.send('ServiceWorker.enable').catch(reject);
    });
    this.#session = { cdp, registrationId };
    return this.#session;
  }
}
