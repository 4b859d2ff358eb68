import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Browser, Locator, Page } from 'playwright-core';
import { connectBeckon } from '../../packages/beckon/src/client/index.ts';
import type { Beckon } from '../../packages/beckon/src/core/beckon.ts';
import type { AskInput, Kind } from '../../packages/beckon/src/protocol/index.ts';
import { openBrowser } from '../harness/browser.ts';
import { CliBench } from '../harness/cli.ts';

const example = fileURLToPath(new URL('../../examples/own-inbox/index.ts', import.meta.url));
const CHAT = 'support';

interface Parts {
  cli: CliBench;
  agent: Beckon;
  app: ChildProcess;
  address: string;
  browser: Browser;
}

/** The example own-inbox with a daemon of its own, and a browser. */
export class DeskBench {
  readonly agent: Beckon;
  readonly address: string;
  readonly #parts: Parts;
  readonly #complaints: string[] = [];
  #page: Page | undefined;

  private constructor(parts: Parts) {
    this.agent = parts.agent;
    this.address = parts.address;
    this.#parts = parts;
  }

  static async open(): Promise<DeskBench> {
    const cli = await CliBench.open();
    const { url } = await cli.up();
    const agent = connectBeckon(url, { token: (await readFile(join(cli.home, 'token'), 'utf8')).trim() });
    const created = await cli.run(['token', 'create', 'desk', '--role', 'person', '--chat', CHAT, '--json']);
    const { token } = JSON.parse(created.stdout) as { token: string };
    const port = await findPort();
    const env = { ...process.env, PORT: String(port), BECKON_URL: url, CHAT_TOKEN: token, CHAT_ID: CHAT, WHO: 'desk' };
    const app = spawn(process.execPath, [example], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    await once(createInterface({ input: app.stdout }), 'line');
    return new DeskBench({ cli, agent, app, address: `http://127.0.0.1:${port}`, browser: await openBrowser() });
  }

  async close(): Promise<void> {
    const { browser, app, agent, cli } = this.#parts;
    await browser.close();
    app.kill();
    await agent.close();
    await cli.close();
  }

  /** An empty page. */
  async openPage(): Promise<Page> {
    const page = await this.#parts.browser.newPage();
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) this.#complaints.push(message.text());
    });
    page.on('pageerror', (error) => this.#complaints.push(error.message));
    this.#page = page;
    return page;
  }

  /** Ends what is pending. A strict policy for content is in force, and nothing may have broken it. */
  async closePage(): Promise<void> {
    await this.agent.cancel({ chatId: CHAT });
    await this.page.close();
    const complaints = this.#complaints.splice(0);
    if (complaints.length > 0) throw new Error(`The browser complained: ${complaints.join('; ')}`);
  }

  get page(): Page {
    if (this.#page === undefined) throw new Error('Expected an open page.');
    return this.#page;
  }

  ask<K extends Kind>(input: AskInput<K>) {
    return this.agent.ask({ ...input, chatId: CHAT });
  }

  /** Asks three questions of one call, and gives their ids. */
  async askCall(): Promise<string[]> {
    const questions = [
      { question: 'Which database?', header: 'Database', options: [{ label: 'PostgreSQL' }, { label: 'SQLite' }] },
      { question: 'Which region?', header: 'Region', options: [{ label: 'eu-west' }, { label: 'us-east' }] },
      { question: 'Which name?', header: 'Name', options: [{ label: 'shop' }, { label: 'webshop' }] },
    ];
    const asked = await this.agent.askGroup(
      questions.map((request) => ({ kind: 'question' as const, chatId: CHAT, sessionId: 'ses', request })),
    );
    return asked.map(({ id }) => id);
  }

  async openChat(): Promise<void> {
    await this.page.goto(this.address);
    await this.page.getByRole('button', { name: 'Show the chat' }).click();
    await this.page.getByRole('article').first().waitFor();
  }

  button(name: string): Locator {
    return this.page.getByRole('article').getByRole('button', { name, exact: true });
  }

  /** Waits until a press would count. */
  async ready(control: Locator): Promise<void> {
    await control.and(this.page.locator(':not([aria-disabled="true"])')).waitFor();
  }

  /** Presses a control with the pointer, as soon as that would count. */
  async press(control: Locator): Promise<void> {
    await control.scrollIntoViewIfNeeded();
    await this.ready(control);
    const { x, y } = await this.#comeTo(control);
    await this.ready(control);
    await this.page.mouse.click(x, y);
  }

  /** Two quick presses at the place where a control is now. */
  async twice(control: Locator): Promise<void> {
    const { x, y } = await this.#comeTo(control);
    await this.page.mouse.dblclick(x, y);
  }

  // From elsewhere: somebody who comes back to a place means what is there now.
  async #comeTo(control: Locator): Promise<{ x: number; y: number }> {
    const { x, y } = await this.center(control);
    await this.page.mouse.move(x, y - 200);
    await this.page.mouse.move(x, y);
    return { x, y };
  }

  async center(control: Locator): Promise<{ x: number; y: number }> {
    const box = await control.boundingBox();
    if (box === null) throw new Error('Expected the control to be on the screen.');
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }
}

/** An approval of a command. */
export function approval(command: string): AskInput<'approval'> {
  return { kind: 'approval', request: { tool: 'Bash', input: { command } } };
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
