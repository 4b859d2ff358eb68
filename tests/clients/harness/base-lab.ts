import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type AnswerInput, type Beckon, type Interaction, openBeckon } from '../../../packages/beckon/src/index.ts';
import { within } from '../../harness/within.ts';
import { ScriptedModel } from './model.ts';
import { type Network, openNetwork } from './network.ts';
import { Tui } from './tui.ts';

/** The entry of Beckon's command line. */
export const BECKON_MAIN = fileURLToPath(new URL('../../../packages/beckon/src/cli/main.ts', import.meta.url));
/** An MCP server on stdio: its tool `ping` answers, `elicit` asks for a name. */
export const MCP_SERVER = fileURLToPath(new URL('mcp-server-child.ts', import.meta.url));
/** How long anything may take on a machine that is busy. */
const LIMIT_MS = Number(process.env['BECKON_LAB_LIMIT_MS'] ?? 90_000);

/** What a run of a program left. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A run of a program that goes on. */
export interface ClientRun {
  /** Waits for the end, with a limit. */
  end(): Promise<Ended>;
  child: ChildProcess;
}

/**
 * A HOME and a network of their own for a real client, with a scripted model and a Beckon beside it. Nothing of the
 * person who runs the tests is read. What differs from client to client is in its subclasses.
 */
export abstract class BaseLab {
  readonly folder: string;
  readonly model = new ScriptedModel();
  readonly #children = new Set<ChildProcess>();
  readonly #tuis: Tui[] = [];
  #network: Network | undefined;
  #beckon: Beckon | undefined;
  #daemon: ChildProcess | undefined;

  protected constructor() {
    this.folder = mkdtempSync(join(tmpdir(), 'beckon-lab-'));
    for (const name of ['home', 'tmp', 'beckon']) mkdirSync(join(this.folder, name));
  }

  /** Everything that a program in this folder sees of its surroundings. */
  abstract env(cwd: string): Record<string, string>;

  /** Opens the network, and runs Beckon. */
  protected async openBase(): Promise<void> {
    this.#network = await openNetwork(this.model, this.folder);
    await this.up();
    // A second node on the same store: it sees and answers what the daemon inside the network is asked.
    this.#beckon = await openBeckon({ store: `sqlite:${join(this.folder, 'beckon', 'beckon.db')}` });
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
    this.model.close();
    // A client whose terminal was closed writes its last words a moment later.
    for (let times = 0; times < 10; times += 1) {
      rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
      await sleep(200);
    }
  }

  /** Starts Beckon, and resolves when it accepts requests. */
  async up(): Promise<void> {
    const daemon = this.start(process.execPath, [BECKON_MAIN, 'up', '--port', '0', '--json'], this.folder);
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

  /** Runs a command of Beckon to its end. */
  cli(args: readonly string[], cwd: string): Promise<Ended> {
    const { child, end } = this.start(process.execPath, [BECKON_MAIN, ...args], cwd);
    child.stdin?.end();
    return end();
  }

  /** Runs any program on a terminal. */
  terminal(project: string, command: readonly string[], moving?: RegExp): Tui {
    const env = this.env(project);
    const tui = new Tui({ network: this.network, project, command, env, ...(moving !== undefined && { moving }) });
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

  /** Everything that was asked in this project, the latest first. */
  async asksOf(project: string): Promise<Interaction[]> {
    const { items } = await this.beckon.list();
    return items.filter(({ metadata }) => metadata?.['cwd'] === project);
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
      const results = this.model.results(scenario);
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
}
