/// <reference lib="dom" />
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openBrowser } from '../harness/browser.ts';
import { CliBench } from '../harness/cli.ts';
import { describeInChromium } from './describe-in-chromium.ts';

const example = fileURLToPath(new URL('../../examples/chat-dashboard/index.ts', import.meta.url));
let env: NodeJS.ProcessEnv;
let agent: ChildProcess;
let browser: Browser;
let page: Page;

describeInChromium('the example chat-dashboard', () => {
  beforeEach(async () => {
    env = { ...process.env, PORT: String(await findPort()) };
    browser = await openBrowser();
    page = await browser.newPage();
  });
  afterEach(async () => {
    await stopAgent();
    await browser?.close();
  });

  test('an agent streams, a dashboard appears, the person clicks, the agent goes on, three rounds', async () => {
    await page.addInitScript(() => {
      const look = (): void => {
        if (document.querySelector('.beckon[aria-busy="true"] .beckon-card'))
          Object.assign(globalThis, { wasPartial: 1 });
      };
      new MutationObserver(look).observe(document, { subtree: true, childList: true });
    });
    await startAgent();
    await openChat();
    await page.getByText('Sales in the third quarter').waitFor();
    await button('Deep Dive').click();
    // The dashboard could be seen while it was written.
    expect(await page.evaluate(() => 'wasPartial' in globalThis)).toBe(true);
    await page.getByText('North America leads').waitFor();
    await button('Choose Europe').click();
    await page.getByText('Germany and France made the difference').first().waitFor();
    await button('That is all').click();
    await page.getByText('The conversation is over.').waitFor();
    expect(await page.locator('.asked').allTextContents()).toEqual([
      'Show sales dashboard',
      'Deep Dive',
      'Europe',
      'That is all',
    ]);
    // What is past can still be read, and no longer be used.
    expect(await button('Deep Dive').isDisabled()).toBe(true);
  });

  test('a browser that is reloaded in the middle goes on where it was', async () => {
    await startAgent();
    await openChat();
    await button('Deep Dive').click();
    await button('Choose Europe').waitFor();
    await page.reload();
    await button('Choose Europe').click();
    await button('That is all').waitFor();
    await page.reload();
    await button('That is all').click();
    await page.getByText('The conversation is over.').waitFor();
    expect(await page.locator('.asked').count()).toBe(4);
  });

  test('a person sees why the agent cannot go on', async () => {
    env['BECKON_EXAMPLE_PORT'] = env['PORT'];
    await startAgent();
    await openChat();
    expect(await page.getByRole('alert').textContent()).toContain(`Port ${env['PORT']} on 127.0.0.1 is taken.`);
  });

  test('an agent that restarts in the middle goes on where it was', async () => {
    const bench = await CliBench.open();
    try {
      const { url } = await bench.up();
      env['BECKON_URL'] = url;
      env['BECKON_TOKEN'] = (await readFile(join(bench.home, 'token'), 'utf8')).trim();
      await startAgent();
      await openChat();
      await button('Deep Dive').click();
      // While the agent still writes, nothing can be pressed.
      await expect.poll(() => button('Choose Europe').isEnabled()).toBe(true);
      await stopAgent();
      // The person acts while the agent is gone.
      await button('Choose Europe').click();
      await expect.poll(() => page.getByRole('status').textContent()).toBe('Sent');
      await startAgent();
      await button('That is all').waitFor();
      expect(await page.locator('.asked').allTextContents()).toEqual(['Show sales dashboard', 'Deep Dive', 'Europe']);
      await stopAgent();
      await startAgent();
      await button('That is all').click();
      await page.getByText('The conversation is over.').waitFor();
    } finally {
      await bench.close();
    }
  });
});

/** What can be pressed now: what is past has the same names, and comes before it. */
function button(name: string) {
  return page.getByRole('button', { name }).last();
}

async function openChat(): Promise<void> {
  await page.goto(`http://127.0.0.1:${env['PORT']}`);
}

async function startAgent(): Promise<void> {
  agent = spawn(process.execPath, [example], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  await once(createInterface({ input: agent.stdout! }), 'line');
}

/** As a power cut would. */
async function stopAgent(): Promise<void> {
  if (agent === undefined || agent.exitCode !== null || agent.signalCode !== null) return;
  agent.kill('SIGKILL');
  await once(agent, 'exit');
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
