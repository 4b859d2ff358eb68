import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type AnswerInput, type Beckon, type Interaction, openBeckon } from '../../../packages/beckon/src/index.ts';
import { within } from '../../harness/within.ts';
import { CLAUDE } from './client.ts';
import { seedClient, toClientEnv } from './client-env.ts';
import { MessagesApi } from './messages-api.ts';
import { type Network, openNetwork } from './network.ts';
import { Tui } from './tui.ts';

const main = fileURLToPath(new URL('../../../packages/beckon/src/cli/main.ts', import.meta.url));
/** How long anything may take on a machine that is busy. */
const LIMIT_MS = Number(process.env['BECKON_LAB_LIMIT_MS'] ?? 90_000);

/** What a run of the client left. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A run of the client that goes on. */
export interface ClientRun {
  /** Waits for the end, with a limit. */
  end(): Promise<Ended>;
  child: ChildProcess;
}

/**
 * The real client in a HOME, a network and a project of its own, with a Beckon beside it. Nothing of the person who
 * runs the tests is read.
 */
export class Lab {
  readonly folder: string;
  readonly api = new MessagesApi();
  readonly #children = new Set<ChildProcess>();
  readonly #tuis: Tui[] = [];
  #network: Network | undefined;
  #beckon: Beckon | undefined;
  #daemon: ChildProcess | undefined;
  #projects = 0;

  private constructor() {
    this.folder = mkdtempSync(join(tmpdir(), 'beckon-lab-'));
    for (const name of ['home', 'config', 'tmp', 'beckon']) mkdirSync(join(this.folder, name));
  }

  /** Opens the lab, with Beckon running. */
  static async open(): Promise<Lab> {
    const lab = new Lab();
    lab.#network = await openNetwork(lab.api, lab.folder);
    await lab.up();
    // A second node on the same store: it sees and answers what the daemon inside the network is asked.
    lab.#beckon = await openBeckon({ store: `sqlite:${join(lab.folder, 'beckon', 'beckon.db')}` });
    return lab;
  }

  get beckon(): Beckon {
    if (this.#beckon === undefined) throw new Error('The lab is not open');
    return this.#beckon;
  }

  get isIsolated(): boolean {
    return this.network.isIsolated;
  }

  get network(): Network {
    if (this.#network === undefined) throw new Error('The lab is not open');
    return this.#network;
  }

  async close(): Promise<void> {
    for (const tui of this.#tuis) tui.close();
    for (const child of this.#children) child.kill('SIGKILL');
    await Promise.all([...this.#children].map((child) => once(child, 'close')));
    await this.#beckon?.close();
    await this.#network?.close();
    this.api.close();
    // A client whose terminal was closed writes its last words a moment later.
    for (let times = 0; times < 10; times += 1) {
      rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
      await sleep(200);
    }
  }

  /** Starts Beckon, and resolves when it accepts requests. */
  async up(): Promise<void> {
    const daemon = this.start(process.execPath, [main, 'up', '--port', '0', '--json'], this.folder);
    this.#daemon = daemon.child;
    await within('Beckon', once(daemon.child.stdout!, 'data'), LIMIT_MS);
  }

  /** Ends Beckon as a power cut would. */
  async kill(): Promise<void> {
    if (this.#daemon?.exitCode !== null) return;
    const closed = once(this.#daemon, 'close');
    this.#daemon.kill('SIGKILL');
    await closed;
  }

  /** Makes an empty project that the client trusts, with Beckon's hooks, and gives its folder. */
  async project(...install: string[]): Promise<string> {
    this.#projects += 1;
    const folder = join(this.folder, `project-${this.#projects}`);
    mkdirSync(folder);
    this.#seed(folder);
    const { code, stderr } = await this.cli(['claude', 'install', '--scope', 'local', '--yes', ...install], folder);
    if (code !== 0) throw new Error(stderr);
    return folder;
  }

  /** The arguments that give the client the MCP server of the lab. */
  mcp(): string[] {
    const server = {
      command: process.execPath,
      args: [fileURLToPath(new URL('mcp-server-child.ts', import.meta.url))],
    };
    return ['--mcp-config', JSON.stringify({ mcpServers: { lab: server } }), '--strict-mcp-config'];
  }

  /** Runs a command of Beckon to its end. */
  cli(args: readonly string[], cwd: string): Promise<Ended> {
    const { child, end } = this.start(process.execPath, [main, ...args], cwd);
    child.stdin?.end();
    return end();
  }

  /** Runs the client without a terminal, to its end. */
  print(project: string, scenario: string, ...args: string[]): ClientRun {
    const run = this.start(CLAUDE ?? '', ['-p', `SCENARIO:${scenario}`, '--output-format', 'json', ...args], project);
    run.child.stdin?.end();
    return run;
  }

  /**
   * Runs the client with this process as its host, as an SDK does: only so do questions and plans exist without a
   * terminal.
   */
  host(project: string, scenario: string, ...args: string[]): ClientRun {
    const stream = ['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'];
    const run = this.start(CLAUDE ?? '', ['-p', ...stream, '--permission-prompt-tool', 'stdio', ...args], project);
    const content = `SCENARIO:${scenario}`;
    run.child.stdin?.write(`${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`);
    run.child.stdout?.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes('"type":"result"')) run.child.stdin?.end();
    });
    return run;
  }

  /** Gives the host's own answer to the one thing that the client asks it, once it may. */
  async answerAsHost({ child }: ClientRun, allowed: Promise<unknown>, response: object): Promise<void> {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    await allowed;
    const id = await this.poll(
      'a question to the host',
      () => /"type":"control_request","request_id":"([^"]+)"/.exec(text)?.[1],
    );
    const reply = { type: 'control_response', response: { subtype: 'success', request_id: id, response } };
    child.stdin?.write(`${JSON.stringify(reply)}\n`);
  }

  /** Runs the client on a terminal. */
  tui(project: string, scenario: string, ...args: string[]): Tui {
    return this.terminal(project, [CLAUDE ?? '', ...args, `SCENARIO:${scenario}`]);
  }

  /** Runs any program on a terminal. */
  terminal(project: string, command: readonly string[]): Tui {
    const tui = new Tui({ network: this.network, folder: this.folder, project, command, env: this.env(project) });
    this.#tuis.push(tui);
    return tui;
  }

  /** What waits for an answer, once there is something of this kind in this project. */
  async pending<Kind extends Interaction['kind']>(
    project: string,
    kind: Kind,
  ): Promise<Extract<Interaction, { kind: Kind }>> {
    return this.poll(`a pending ${kind}`, async () => {
      const { items } = await this.beckon.list({ status: 'pending', kind });
      return items.find(({ metadata }) => metadata?.['cwd'] === project) as Extract<Interaction, { kind: Kind }>;
    });
  }

  /** The open questions of the call that this project waits for, in their order. */
  async steps(project: string): Promise<Interaction[]> {
    const { groupId } = await this.pending(project, 'question');
    if (groupId === undefined) throw new Error('The question is not in a group');
    return (await this.beckon.list({ groupId, status: 'pending' })).items.toReversed();
  }

  /** What nobody answered in time in this project, once there is something. */
  expired(project: string): Promise<Interaction> {
    return this.poll('something that expired', async () => {
      const { items } = await this.beckon.list({ status: 'expired' });
      return items.find(({ metadata }) => metadata?.['cwd'] === project);
    });
  }

  async answer({ id }: Interaction, answer: AnswerInput): Promise<void> {
    const { result } = await this.beckon.answer(id, answer, { who: 'ana', via: 'inbox' });
    if (result !== 'accepted') throw new Error(`The answer was ${result}`);
  }

  /** How an interaction ended. */
  settled({ id }: Interaction): Promise<Interaction> {
    return within(`the end of ${id}`, this.beckon.wait(id), LIMIT_MS);
  }

  /** The last tool result that the model received in a scenario, once there are so many. */
  result(scenario: string, count = 1): Promise<string> {
    return this.poll(`${count} tool results of ${scenario}`, () => {
      const results = this.api.results(scenario);
      return results.length >= count ? results[count - 1]?.text : undefined;
    });
  }

  /** Looks again and again until there is something. */
  async poll<Found>(what: string, look: () => Promise<Found | undefined> | Found | undefined): Promise<Found> {
    const until = Date.now() + LIMIT_MS;
    for (;;) {
      const found = await look();
      if (found !== undefined) return found;
      if (Date.now() > until)
        throw new Error(`There never was ${what}.${this.#tuis.map((tui) => `\n${tui.screen()}`).join('')}`);
      await sleep(50);
    }
  }

  /** Starts a program inside the network. */
  start(command: string, args: readonly string[], cwd: string): ClientRun {
    const [program, ...rest] = this.network.enter(command, args);
    const child = spawn(program, rest, { cwd, env: this.env(cwd) });
    this.#children.add(child);
    let stdout = '';
    let stderr = '';
    child.stdin.on('error', () => undefined);
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    const closed = once(child, 'close').then(([code]) => {
      this.#children.delete(child);
      return { code: code as number | null, stdout, stderr };
    });
    return { child, end: () => within(`the end of ${command} ${args.join(' ')}`, closed, LIMIT_MS) };
  }

  /**
   * Everything that the client sees of its surroundings. Its own settings are those of the project, so that two clients
   * do not share them.
   */
  env(project: string): Record<string, string> {
    return {
      ...toClientEnv(this.network.apiUrl),
      HOME: join(this.folder, 'home'),
      CLAUDE_CONFIG_DIR: this.#configOf(project),
      BECKON_HOME: join(this.folder, 'beckon'),
      TMPDIR: join(this.folder, 'tmp'),
    };
  }

  #configOf(project: string): string {
    return join(this.folder, 'config', basename(project));
  }

  #seed(project: string): void {
    seedClient(this.#configOf(project), project);
  }
}
