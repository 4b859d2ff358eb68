/// <reference lib="dom" />
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { describeInChromium } from './describe-in-chromium.ts';
import { PageBench } from './page-bench.ts';
import { SAMPLES } from './samples.ts';

let bench: PageBench;
let server: Server;
let url: string;
/** What the callback's server replies, in order; the last one again and again. 0 cuts the connection. */
let replies: number[];
/** The replies wait for it. */
let mayReply: Promise<void>;
let received: unknown[];

describeInChromium('a canvas', () => {
  beforeAll(async () => {
    bench = await PageBench.open();
  }, 120_000);
  afterAll(() => bench?.close());

  beforeEach(async () => {
    replies = [200];
    mayReply = Promise.resolve();
    received = [];
    server = createServer((request, response) => void reply(request, response)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback/1`;
    await bench.page.reload();
    await bench.page.evaluate((to) => testPage.openCanvas(to), url);
    await bench.page.locator('.beckon-canvas').waitFor({ state: 'attached' });
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const status = () => bench.page.getByRole('status');
  const deepDive = () => bench.page.getByRole('button', { name: 'Deep Dive' });

  test('a click is sent, the person sees it, and a second click does nothing', async () => {
    await show([SAMPLES['card']]);
    await deepDive().dblclick();
    await expect.poll(() => status().textContent()).toBe('Sent');
    expect(received).toEqual([{ action: 'click', data: { button: 'Deep Dive', id: 'revenue' }, component: 'card' }]);
    expect(await deepDive().isDisabled()).toBe(true);
    // The next thing that is shown can be acted on again, also at the same address.
    await show([{ ...SAMPLES['card'], title: 'Next' }]);
    expect(await status().textContent()).toBe('');
    await deepDive().click();
    await expect.poll(() => status().textContent()).toBe('Sent');
    expect(received).toHaveLength(2);
  });

  test.each([200, 409])(
    'what is shown before the reply %i to the last click has come can be acted on when it has, also at the same address',
    async (first) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      mayReply = promise;
      replies = [first, 200];
      await show([SAMPLES['card']]);
      await deepDive().click();
      await expect.poll(() => received.length).toBe(1);
      await show([{ ...SAMPLES['card'], title: 'Next' }]);
      expect(await deepDive().isDisabled()).toBe(true);
      resolve();
      await deepDive().click();
      await expect.poll(() => status().textContent()).toBe('Sent');
      expect(received).toHaveLength(2);
    },
  );

  test('a server that is busy or out of reach is tried again', async () => {
    replies = [503, 0, 200];
    await show([SAMPLES['card']]);
    await deepDive().click();
    expect(await status().textContent()).toBe('Sending…');
    await expect.poll(() => status().textContent(), { timeout: 10_000 }).toBe('Sent');
    expect(received.length).toBeGreaterThanOrEqual(3);
  });

  test.each([
    [404, 'Nobody is waiting for this anymore.'],
    [409, 'This was already answered.'],
    [410, 'This came too late.'],
    [400, 'It could not be sent.'],
  ])('a reply %i is final, and the person is told', async (reply, text) => {
    replies = [reply];
    await show([SAMPLES['card']]);
    await deepDive().click();
    await expect.poll(() => status().textContent()).toBe(text);
    expect(received).toHaveLength(1);
    expect(await deepDive().isDisabled()).toBe(true);
  });

  test('what could not be sent can be sent again', async () => {
    replies = [500];
    await show([SAMPLES['card']]);
    await bench.page.clock.install();
    await deepDive().click();
    for (let tries = 1; tries <= 5; tries += 1) {
      await expect.poll(() => received.length).toBe(tries);
      await bench.page.waitForTimeout(50).catch(() => undefined);
      await bench.page.clock.runFor(10_000);
    }
    await expect.poll(() => status().textContent()).toContain('It could not be sent.');
    replies = [200];
    await bench.page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => status().textContent()).toBe('Sent');
  });

  test('a tree grows while it is written, whatever is missing, and can be used when it is whole', async () => {
    const whole = [
      [SAMPLES['card']],
      ...Object.values(SAMPLES).filter(({ type }) => type !== 'image' && type !== 'embed'),
    ];
    const text = JSON.stringify(whole);
    const errors: string[] = [];
    bench.page.on('pageerror', (error) => errors.push(error.message));
    for (let length = 1; length < text.length; length += 11) {
      const partial = closeJson(text.slice(0, length));
      if (partial === undefined) continue;
      await bench.page.evaluate((json) => testPage.canvas().showPartial(json), partial);
      expect(await bench.page.getByRole('note').count()).toBe(0);
    }
    expect(await bench.page.locator('.beckon[aria-busy="true"]').count()).toBe(1);
    expect(await deepDive().first().isDisabled()).toBe(true);
    await show(whole);
    expect(await bench.page.getByRole('note').count()).toBe(0);
    await deepDive().first().click();
    await expect.poll(() => status().textContent()).toBe('Sent');
    expect(errors).toEqual([]);
  });

  test('what was typed and opened stays while more is added below', async () => {
    await show([SAMPLES['form'], SAMPLES['accordion']]);
    await bench.page.getByLabel('Name').fill('Spring');
    await bench.page.getByRole('button', { name: 'Which currencies?' }).click();
    await bench.page.evaluate((json) => testPage.canvas().append(json), SAMPLES['suggestions']);
    await bench.page.getByRole('button', { name: 'Show the forecast' }).waitFor();
    expect(await bench.page.getByLabel('Name').inputValue()).toBe('Spring');
    await bench.page.getByRole('region', { name: 'Which currencies?' }).waitFor();
    await bench.page.evaluate(() => testPage.canvas().clear());
    await expect.poll(() => bench.page.locator('.beckon-form').count()).toBe(0);
  });
});

async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'content-type' };
  if (request.method === 'OPTIONS') return void response.writeHead(204, headers).end();
  const chunks = await request.toArray();
  received.push(JSON.parse(Buffer.concat(chunks as Buffer[]).toString()));
  await mayReply;
  const status = replies.length > 1 ? replies.shift() : replies[0];
  if (status) response.writeHead(status, headers).end();
  else request.socket.destroy();
}

async function show(json: unknown): Promise<void> {
  await bench.page.evaluate((tree) => testPage.canvas().show(tree), json);
}

/** A JSON text that was cut somewhere, with what is open closed; `undefined` where the cut left no value. */
function closeJson(cut: string): unknown {
  const closers: string[] = [];
  let isInText = false;
  for (let at = 0; at < cut.length; at += 1) {
    const letter = cut[at] ?? '';
    if (isInText && letter === '\\') at += 1;
    else if (letter === '"') isInText = !isInText;
    else if (!isInText && (letter === '{' || letter === '[')) closers.unshift(letter === '{' ? '}' : ']');
    else if (!isInText && (letter === '}' || letter === ']')) closers.shift();
  }
  const open = cut + (isInText ? '"' : '');
  for (const end of ['', 'null', ':null']) {
    try {
      return JSON.parse(open.replace(/,$/, '') + end + closers.join(''));
    } catch {
      // The next ending may fit.
    }
  }
  return undefined;
}
