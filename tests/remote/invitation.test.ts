/// <reference lib="dom" />
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  type Authority,
  type CertificateFiles,
  createAuthority,
  toTrustedKey,
} from '../../packages/beckon/src/testing/harness/certificates.ts';
import { saveProfile } from '../../packages/beckon/src/where/profiles.ts';
import { CHROMIUM, openBrowser } from '../harness/browser.ts';
import { CliBench, type TestDaemon } from '../harness/cli.ts';
import { describeOnNetwork, type Machine, TestNetwork } from '../harness/network.ts';
import { NGINX, type Nginx, PROXY_HEADERS, startNginx } from '../harness/nginx.ts';

const HOST = 'beckon.test';
/** A page that takes longer has failed. */
const LIMIT_MS = 60_000;
const FAULT = NGINX === undefined ? 'there is no nginx' : CHROMIUM === undefined ? 'there is no Chromium' : null;

let network: TestNetwork;
let server: Machine;
let proxy: Machine;
let phone: Machine;
let authority: Authority;
let files: CertificateFiles;
let beckon: CliBench;
let laptop: CliBench;
let nginx: Nginx | undefined;
let browser: Browser;
const troubles: string[] = [];

describeOnNetwork('an invitation made on the server opens in a browser elsewhere', FAULT, () => {
  beforeAll(async () => {
    network = TestNetwork.open();
    server = network.add('server');
    proxy = network.add('proxy', [HOST, 'apps.test']);
    phone = network.add('phone');
    [beckon, laptop] = await Promise.all([CliBench.open(server.run), CliBench.open(phone.run)]);
    authority = createAuthority(beckon.folder);
    files = authority.issue('proxy', [HOST, 'apps.test']);
    browser = await openBrowser({ run: phone.run, trustedKeys: [toTrustedKey(files)] });
  });
  afterAll(async () => {
    await browser?.close();
    await nginx?.stop();
    await laptop?.close();
    await beckon?.close();
    network?.close();
  });
  afterEach(async () => {
    await beckon.run(['cancel', '--chat', 'default']);
    await beckon.run(['down']);
  });

  test.each([
    ['on a host of its own', `https://${HOST}`, 'location / { proxy_pass http://server:8228;', ''],
    [
      'below a path that the proxy strips',
      `https://apps.test/beckon`,
      'location /beckon/ { proxy_pass http://server:8228/;',
      '',
    ],
    [
      'below a path that the proxy keeps',
      `https://apps.test/beckon`,
      'location /beckon/ { proxy_pass http://server:8228;',
      '',
    ],
    [
      'below a deep path that the proxy strips and names',
      `https://apps.test/tools/beckon`,
      'location /tools/beckon/ { proxy_pass http://server:8228/;',
      'proxy_set_header X-Forwarded-Prefix /tools/beckon;',
    ],
  ])('%s, with a public URL', async (_, publicUrl, location, more) => {
    await up(['--public-url', publicUrl, '--trusted-proxy', proxy.address]);
    await serve(`${location} ${PROXY_HEADERS} ${more} }`);
    const { stdout: link, stderr } = await beckon.run(['open', '--who', 'ada', '--print']);
    expect(link).toMatch(new RegExp(`^${publicUrl}/login#[\\w-]{32}\n$`));
    expect(stderr).not.toContain('only on this machine');
    await useIt(link.trim(), publicUrl);
    expect((await beckon.run(['open', '--qr'])).stdout).toContain(`${publicUrl}/login#`);
  });

  test.each([
    ['on a host of its own', `https://${HOST}`, 'location / { proxy_pass http://server:8228;', ''],
    [
      'below a path that the proxy strips and names',
      `https://apps.test/beckon`,
      'location /beckon/ { proxy_pass http://server:8228/;',
      'proxy_set_header X-Forwarded-Prefix /beckon;',
    ],
    [
      'below a path that the proxy keeps and names',
      `https://apps.test/beckon`,
      'location /beckon/ { proxy_pass http://server:8228;',
      'proxy_set_header X-Forwarded-Prefix /beckon;',
    ],
  ])('%s, without a public URL: the link has the address that its maker came by', async (_, url, location, more) => {
    await up(['--trusted-proxy', proxy.address, '--allow-host', HOST, '--allow-host', 'apps.test']);
    await serve(`${location} ${PROXY_HEADERS} ${more} }`);
    const token = readFileSync(join(beckon.home, 'token'), 'utf8').trim();
    saveProfile(laptop.home, 'team', { url, token, name: 'root', owner: 'root', savedAt: new Date().toISOString() });
    const env = { NODE_EXTRA_CA_CERTS: authority.file };
    const { stdout: link } = await laptop.run(['open', '--who', 'ada', '--print'], { env });
    expect(link).toMatch(new RegExp(`^${url}/login#`));
    await useIt(link.trim(), url);
  });

  test('straight from a Beckon with TLS of its own', async () => {
    const own = authority.issue('own', ['server']);
    const trusting = await openBrowser({ run: phone.run, trustedKeys: [toTrustedKey(own)] });
    try {
      await up(['--tls-cert', own.cert, '--tls-key', own.key]);
      const { stdout: link } = await beckon.run(['open', '--who', 'ada', '--print']);
      expect(link).toMatch(/^https:\/\/server:8228\/login#/);
      await useIt(link.trim(), 'https://server:8228', trusting);
    } finally {
      await trusting.close();
    }
  });

  test('not through a proxy that nobody trusts: what it says of the sender does not count', async () => {
    await up(['--public-url', `https://${HOST}`]);
    await serve(`location / { proxy_pass http://server:8228; ${PROXY_HEADERS} }`);
    const { stdout } = await laptop.run(['doctor', '--json', '--url', `https://${HOST}`], {
      env: { NODE_EXTRA_CA_CERTS: authority.file, BECKON_TOKEN: 'bkn_0000000000000000_wrong' },
    });
    expect(stdout).toContain(`at https://${HOST}`);
    expect(stdout).toContain('Beckon rejected it');
    const other = await laptop.run(['list', '--url', 'https://apps.test'], {
      env: { NODE_EXTRA_CA_CERTS: authority.file, BECKON_TOKEN: 'bkn_0000000000000000_wrong' },
    });
    expect(other.stderr).toContain('does not answer for the host');
  });
});

async function up(args: readonly string[]): Promise<TestDaemon> {
  return beckon.up(['--host', '0.0.0.0', '--port', '8228', ...args]);
}

async function serve(locations: string): Promise<void> {
  if (nginx === undefined)
    nginx = await startNginx({ machine: proxy, folder: join(beckon.folder, 'nginx'), files, locations });
  else await nginx.restart(locations);
}

/** Opens a link as the person who got it, answers a request, and looks around. */
async function useIt(link: string, base: string, chromium: Browser = browser): Promise<void> {
  const page = await openPage(chromium);
  try {
    await page.goto(link);
    await page.getByRole('navigation', { name: 'Views' }).waitFor();
    expect(page.url()).toBe(`${base}/`);
    const [cookie, ...others] = await page.context().cookies();
    expect(others).toEqual([]);
    const path = new URL(base).pathname;
    expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: 'Strict', path });
    expect(cookie?.name).toMatch(path === '/' ? /^__Host-beckon_device/ : /^__Secure-beckon_device/);

    // The request arrives by itself, through the stream of events.
    const asked = await beckon.ask(['Ship it?', '--option', 'yes', '--option', 'no']);
    await page
      .locator(`a[href="${path === '/' ? '' : path}/i/${asked.id}"]`)
      .first()
      .click();
    expect(page.url()).toBe(`${base}/i/${asked.id}`);
    await page.reload();
    await page.getByRole('article').locator('button[aria-disabled="false"]:visible').first().waitFor();
    await page.getByRole('radio', { name: 'yes' }).click();
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    expect(await beckon.finish(asked)).toMatchObject({ code: 0, stdout: 'yes\n' });

    await page.getByRole('link', { name: 'History' }).click();
    expect(page.url()).toBe(`${base}/history`);
    await page.reload();
    const csv = page.getByRole('link', { name: /CSV/ });
    await csv.waitFor();
    const exported = await page.evaluate(
      async (href) => (await fetch(href)).text(),
      (await csv.getAttribute('href')) ?? '',
    );
    expect(exported).toContain('Ship it?');
    expect(await page.evaluate(readOwn)).toEqual({
      scope: `${base}/`,
      isSecure: true,
      start: `${base}/`,
      isEveryIconThere: true,
      socket: 'open',
    });
    expect(troubles.splice(0)).toEqual([]);
  } finally {
    await page.context().close();
  }
}

/** What the page has of its own below the path: the service worker, the manifest, and a WebSocket to Beckon. */
async function readOwn(): Promise<object> {
  const { scope } = await navigator.serviceWorker.ready;
  const { href } = document.querySelector<HTMLLinkElement>('link[rel="manifest"]') ?? { href: '' };
  const { icons, start_url: start } = (await (await fetch(href)).json()) as {
    icons: { src: string }[];
    start_url: string;
  };
  const found = await Promise.all(icons.map(async ({ src }) => (await fetch(new URL(src, href))).ok));
  const socket = await new Promise((resolve) => {
    const opening = new WebSocket(new URL('v1/ws', scope.replace(/^http/, 'ws')));
    opening.addEventListener('open', () => resolve('open'));
    opening.addEventListener('error', () => resolve('refused'));
  });
  return {
    scope,
    isSecure: isSecureContext,
    start: new URL(start, href).href,
    isEveryIconThere: found.every(Boolean),
    socket,
  };
}

async function openPage(chromium: Browser): Promise<Page> {
  const context = await chromium.newContext({ viewport: { width: 1100, height: 800 } });
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
