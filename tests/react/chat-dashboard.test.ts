/// <reference lib="dom" />
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openBrowser } from '../harness/browser.ts';
import { describeInChromium } from './describe-in-chromium.ts';

const example = fileURLToPath(new URL('../../examples/chat-dashboard/index.ts', import.meta.url));
let folder: string;
let env: NodeJS.ProcessEnv;
let agent: ChildProcess;
let browser: Browser;
let page: Page;

describeInChromium('the example chat-dashboard', () => {
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'beckon-chat-'));
    env = { ...process.env, PORT: String(await findPort()), BECKON_EXAMPLE_PORT: String(await findPort()) };
    browser = await openBrowser();
    page = await browser.newPage();
  });
  afterEach(async () => {
    await stopAgent();
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('an agent streams, a dashboard appears, the person clicks, the agent goes on, three rounds', async () => {
    await startAgent();
    await openChat();
    await page.getByText('Sales in the third quarter').waitFor();
    // The dashboard can be seen while it is written, and is then not in use yet.
    expect(await page.evaluate(() => 'wasPartial' in globalThis)).toBe(true);
    await button('Deep Dive').click();
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

  test('an agent that restarts in the middle goes on where it was', async () => {
    env['BECKON_EXAMPLE_STORE'] = `sqlite:${join(folder, 'beckon.db')}`;
    await startAgent();
    await openChat();
    await button('Deep Dive').click();
    await button('Choose Europe').waitFor();
    await stopAgent();
    // The person acts while nobody is there. The page tries again until somebody is.
    await button('Choose Europe').click();
    expect(await page.getByRole('status').textContent()).toBe('Sending …');
    await startAgent();
    await button('That is all').waitFor();
    expect(await page.locator('.asked').allTextContents()).toEqual(['Show sales dashboard', 'Deep Dive', 'Europe']);
    await stopAgent();
    await startAgent();
    await button('That is all').click();
    await page.getByText('The conversation is over.').waitFor();
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
