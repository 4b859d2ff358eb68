/// <reference lib="dom" />
import { once } from 'node:events';
import { createServer, type Server, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toQrPath } from '../../apps/inbox/src/views/devices/qr-path.ts';
import { runAxe } from './axe.ts';
import { describeInBrowser, expectShown, PageBench } from './page-bench.ts';

/** The name of this machine in the network of the phone. */
const NAME = 'beckon.lan';
const BELOW = '/team';
const PIXEL = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36';
const PHONE = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true, userAgent: PIXEL };

let bench: PageBench;
let network: Server;
const button = (on: Page | Locator, name: string): Locator => on.getByRole('button', { name, exact: true });
const dialogOf = (page: Page): Locator => page.getByRole('dialog', { name: 'Add a phone' });

/** What a camera reads: the code on the screen is that of the link. */
async function scan(page: Page): Promise<string> {
  const code = dialogOf(page).getByRole('img', { name: /^QR code of a login link at / });
  await code.waitFor();
  await button(dialogOf(page), 'Show the link').click();
  const link = await dialogOf(page).getByRole('textbox', { name: 'Link for the phone' }).inputValue();
  expect(await code.locator('path').getAttribute('d')).toBe(toQrPath(link).path);
  return link;
}

/** The network of the phone, which knows this machine by its name. In it a proxy serves Beckon below a path, too. */
async function startNetwork(): Promise<Server> {
  const server = createServer((request, response) => {
    const { port, pathname, search } = new URL(request.url ?? '');
    const { method } = request;
    const isBelow = pathname.startsWith(`${BELOW}/`);
    const headers = { ...request.headers, ...(isBelow && { 'x-forwarded-prefix': BELOW }) };
    const path = `${isBelow ? pathname.slice(BELOW.length) : pathname}${search}`;
    const passed = sendRequest({ host: '127.0.0.1', port, path, method, headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(response);
    });
    passed.on('error', () => response.destroy());
    response.on('close', () => passed.destroy());
    request.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** A phone in that network, which nobody is logged in to. */
function openPhone(): Promise<Page> {
  const proxy = { server: `http://127.0.0.1:${(network.address() as AddressInfo).port}` };
  return bench.newPage({ ...PHONE, proxy });
}

/** Logs a browser in as a guest, who may only answer. */
async function openGuest(): Promise<Page> {
  const page = await bench.newPage();
  await page.goto((await bench.call<{ url: string }>('/v1/login-links', { who: 'guest' })).url);
  await page.getByRole('navigation', { name: 'Views' }).waitFor();
  return page;
}

describeInBrowser('a phone that is added', () => {
  // What a phone can open is not loopback.
  beforeAll(async () => {
    network = await startNetwork();
    bench = await PageBench.open(['--host', '0.0.0.0', '--allow-host', NAME, '--trusted-proxy', 'loopback']);
  });
  afterAll(async () => {
    await bench?.close();
    network?.closeAllConnections();
    network?.close();
  });

  test('comes in by the code, the page says so by itself, and the code is gone and used up', async () => {
    await bench.logIn();
    const { page } = bench;
    await page.goto(`${bench.url}/devices`);
    await page.getByRole('link', { name: 'Add a phone' }).click();
    const link = await scan(page);
    // The page came by loopback; the code leads to where a phone gets in.
    expect(link).toMatch(/^http:\/\/beckon\.lan:\d+\/login#[\w-]{48}$/);
    expect(page.url()).toContain('127.0.0.1');
    await expectShown(dialogOf(page).getByText('Works once.'));
    await expectShown(dialogOf(page).getByText('Logging in works, notifications do not'));
    expect(await runAxe(page)).toEqual([]);

    // Somebody else who comes in is not the phone.
    const bo = await bench.newLoggedInPage({ who: 'bo' });
    await page.waitForResponse(
      async (reply) => reply.url().endsWith('/devices') && (await reply.text()).includes('"bo"'),
    );
    await dialogOf(page)
      .getByRole('img', { name: /^QR code/ })
      .waitFor();

    const phone = await openPhone();
    await phone.goto(link);
    await phone.getByRole('navigation', { name: 'Views' }).waitFor();
    expect(await phone.evaluate(() => isSecureContext)).toBe(false);

    await dialogOf(page).getByRole('status').getByText('Chrome on Android is logged in').waitFor();
    expect(await page.getByRole('img', { name: /^QR code/ }).count()).toBe(0);
    await button(dialogOf(page), 'Done').click();
    await dialogOf(page).waitFor({ state: 'detached' });
    await page.getByRole('list', { name: 'Devices' }).getByText('Chrome on Android').waitFor();
    expect(page.url()).toBe(`${bench.url}/devices`);

    const second = await openPhone();
    await second.goto(link);
    await second.getByText('This link no longer works').waitFor();
    await Promise.all([bo, phone, second].map((one) => one.context().close()));
  });

  test('has no more rights than who added it', async () => {
    const guest = await openGuest();
    await guest.goto(`${bench.url}/devices/add`);
    const link = await scan(guest);
    const phone = await openPhone();
    const [reply] = await Promise.all([phone.waitForResponse(/\/v1\/login$/), phone.goto(link)]);
    expect(await reply.json()).toMatchObject({ who: 'guest', role: 'person', answerOnly: true });
    await dialogOf(guest).getByText('Chrome on Android is logged in').waitFor();
    await Promise.all([guest.context().close(), phone.context().close()]);
  });

  test('comes in below a path as well, where the rest of the settings works too', async () => {
    const base = `http://${NAME}:${new URL(bench.url).port}${BELOW}`;
    const laptop = await openPhone();
    await laptop.goto(`${base}/login${new URL(await bench.createLink()).hash}`);
    await laptop.getByRole('navigation', { name: 'Views' }).waitFor();
    await laptop.goto(`${base}/devices/add`);
    const link = await scan(laptop);
    expect(link.split('#')[0]).toBe(`${base}/login`);
    const phone = await openPhone();
    await phone.goto(link);
    await dialogOf(laptop).getByText('Chrome on Android is logged in').waitFor();
    await phone.getByRole('navigation', { name: 'Views' }).waitFor();
    expect(phone.url()).toBe(`${base}/`);
    await laptop.goto(`${base}/settings/notifications`);
    await laptop.getByText('Nowhere yet, except on this page.').waitFor();
    await laptop.goto(`${base}/machines`);
    await laptop.getByText(`beckon login ${base}`).waitFor();
    await Promise.all([laptop, phone].map((one) => one.context().close()));
  });

  test('is told when the code has expired, and another is made', async () => {
    const page = await bench.newPage();
    await page.clock.install();
    await bench.logIn(page);
    await page.goto(`${bench.url}/devices/add`);
    const first = await scan(page);
    await page.clock.fastForward('10:01');
    await dialogOf(page).getByText('This code has expired').waitFor();
    expect(await page.getByRole('img', { name: /^QR code/ }).count()).toBe(0);
    await button(dialogOf(page), 'Make a new one').click();
    // The clock of the server has not moved, so the page must be back there to find the new one good.
    await page.clock.setSystemTime(new Date());
    expect(await scan(page)).not.toBe(first);
    await page.context().close();
  });

  test('on a phone itself the code fits, and closing it leads back', async () => {
    const phone = await bench.newLoggedInPage(PHONE);
    await phone.getByRole('button', { name: 'Settings' }).tap();
    await phone.getByRole('dialog').getByRole('link', { name: 'Add a phone' }).tap();
    const code = dialogOf(phone).getByRole('img', { name: /^QR code/ });
    await code.waitFor();
    const { width = 0, x = 0 } = (await code.boundingBox()) ?? {};
    expect(width).toBeGreaterThan(200);
    expect(x + width).toBeLessThanOrEqual(390);
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await button(dialogOf(phone).locator('[class*="border-t"]'), 'Close').tap();
    await phone.getByRole('heading', { name: 'Devices', level: 1 }).waitFor();
    await phone.context().close();
  });

  test('nothing was thrown, and no policy was broken', () => {
    expect(bench.troubles).toEqual([]);
  });
});

describeInBrowser('a phone that cannot come in', () => {
  beforeAll(async () => {
    bench = await PageBench.open();
  });
  afterAll(() => bench?.close());

  test('is not shown a code that leads nowhere: the page says why, and every way out with its command', async () => {
    await bench.logIn();
    const { page } = bench;
    await page.goto(`${bench.url}/devices/add`);
    const dialog = dialogOf(page);
    await dialog.getByText(`A phone cannot open ${new URL(bench.url).host}`).waitFor();
    expect(await page.getByRole('img', { name: /^QR code/ }).count()).toBe(0);
    const commands = await dialog.locator('pre').allInnerTexts();
    const { port } = new URL(bench.url);
    expect(commands[0]).toBe(`beckon up --host 0.0.0.0 --port ${port}`);
    expect(commands[1]).toContain('--tls-cert');
    expect(commands[2]).toContain('--public-url');
    expect(commands[3]).toContain(`tailscale serve --bg ${port}`);
    expect(commands[4]).toContain('ssh -N -R');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await runAxe(page)).toEqual([]);
    }
    const guest = await openGuest();
    await guest.goto(`${bench.url}/devices/add`);
    await expectShown(dialogOf(guest).getByText('Whoever runs this Beckon can start it in one of these ways:'));
    await guest.context().close();
    expect(bench.troubles).toEqual([]);
  });
});
