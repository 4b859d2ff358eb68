import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Interaction } from '../../packages/beckon/src/protocol/interaction.ts';
import { CliBench, type RunOptions, type TestDaemon } from '../harness/cli.ts';

const INDEX = new URL('../../packages/beckon/dist/inbox/index.html', import.meta.url);

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

/** A daemon of its own that runs. */
export interface StartedDaemon {
  cli: CliBench;
  daemon: TestDaemon;
  token: string;
}

/** Starts a daemon with the built page, and a store of its own. */
export async function startDaemon(upArgs: readonly string[] = [], options: RunOptions = {}): Promise<StartedDaemon> {
  if (!existsSync(INDEX)) throw new Error('Expected the page to be built. Build it: npm run build');
  const cli = await CliBench.open();
  const daemon = await cli.up(['--port', '0', ...upArgs], options);
  const token = (await readFile(join(cli.home, 'token'), 'utf8')).trim();
  return { cli, daemon, token };
}

/** A real daemon with a store of its own, and what agents and people do with it. */
export class DaemonBench {
  readonly cli: CliBench;
  #daemon: TestDaemon;
  readonly #token: string;

  protected constructor({ cli, daemon, token }: StartedDaemon) {
    this.cli = cli;
    this.#daemon = daemon;
    this.#token = token;
  }

  get url(): string {
    return this.#daemon.url;
  }

  /** Logs a browser in, as the link does that `beckon up` prints; as somebody else with `who`. */
  async logInPage(page: Page, who?: string): Promise<void> {
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
  async restart(upArgs: readonly string[] = [], options: RunOptions = {}): Promise<void> {
    this.#daemon = await this.cli.up(['--port', this.#daemon.port, ...upArgs], options);
  }
}
