import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Beckon, connectBeckon, type Interaction, type LogEvent } from '../../packages/beckon/src/index.ts';
import { isRunning } from '../../packages/beckon/src/machine/is-running.ts';
import { until } from '../../packages/beckon/src/testing/suites/until.ts';
import { saveProfile } from '../../packages/beckon/src/where/profiles.ts';
import { CliBench, type Run, type TestDaemon } from '../harness/cli.ts';

/** What one run of the hook command needs besides its body. */
interface HookRun {
  args?: readonly string[];
  env?: Record<string, string>;
}

/** A machine on which Beckon runs, and a laptop without one, whose hooks go there. */
export class TwoMachines {
  readonly server: CliBench;
  readonly laptop: CliBench;
  readonly #env: Record<string, string>;
  #daemon: TestDaemon | undefined;
  #beckon: Beckon | undefined;
  #token = '';

  private constructor(server: CliBench, laptop: CliBench, env: Record<string, string>) {
    this.server = server;
    this.laptop = laptop;
    this.#env = env;
  }

  /** Opens both, with Beckon running. `env` is the server's. */
  static async open(env: Record<string, string> = {}): Promise<TwoMachines> {
    const machines = new TwoMachines(await CliBench.open(), await CliBench.open(), env);
    await machines.up();
    const created = await machines.server.run(['token', 'create', 'laptop', '--role', 'agent'], { env });
    machines.#token = created.stdout.trim();
    return machines;
  }

  get daemon(): TestDaemon {
    if (this.#daemon === undefined) throw new Error('Beckon does not run');
    return this.#daemon;
  }

  /** The token of the laptop's agents. */
  get token(): string {
    return this.#token;
  }

  /** The token of the person who runs the server. */
  get adminToken(): string {
    return readFileSync(join(this.server.home, 'token'), 'utf8').trim();
  }

  /** Beckon, for the person who answers. */
  get beckon(): Beckon {
    if (this.#beckon === undefined) throw new Error('Beckon does not run');
    return this.#beckon;
  }

  /** Starts Beckon; again, at the same address. */
  async up(): Promise<void> {
    const port = this.#daemon?.port ?? '0';
    this.#daemon = await this.server.up(['--port', port, '--log-level', 'error'], { env: this.#env });
    await this.#beckon?.close();
    this.#beckon = connectBeckon(this.#daemon.url, { token: this.adminToken, retryFor: '1m' });
  }

  /** Ends Beckon as a power cut would. */
  async kill(): Promise<void> {
    this.daemon.child.kill('SIGKILL');
    await this.daemon.exit;
  }

  /** Keeps a profile on the laptop, as `beckon login` does. */
  logIn(profile: string, url: string, token = this.#token): void {
    saveProfile(this.laptop.home, profile, {
      url,
      token,
      name: 'laptop',
      owner: 'ada',
      savedAt: new Date().toISOString(),
    });
  }

  /** Runs the hook command on the laptop, as Claude Code does. */
  hook(url: string, hook: object, { args = ['--url', url], env = {} }: HookRun = {}): Run {
    const run = this.laptop.start(['hook', 'claude-code', '--timeout', '1h', ...args], {
      env: { BECKON_TOKEN: this.#token, ...env },
    });
    run.child.stdin?.end(JSON.stringify(hook));
    return run;
  }

  /** What a session has asked, once there is something. Fails if that is more than one request. */
  async asked(sessionId: string): Promise<Interaction> {
    return until(async () => {
      const { items } = await this.beckon.list({ sessionId });
      const [asked] = items;
      if (asked === undefined || items.length > 1) throw new Error(`${sessionId} has asked ${items.length} times`);
      return asked;
    });
  }

  /** Everything on the log. */
  async log(): Promise<LogEvent[]> {
    const events: LogEvent[] = [];
    const { lastSeq } = await this.beckon.list({ limit: 1 });
    if (lastSeq === 0) return events;
    for await (const event of this.beckon.events({ after: 0 })) {
      events.push(event);
      if (event.seq >= lastSeq) break;
    }
    return events;
  }

  /** The numbers of the processes that send what waits on the laptop. */
  senders(): number[] {
    const root = join(this.laptop.home, 'elsewhere');
    const folders = existsSync(root) ? readdirSync(root) : [];
    return folders
      .map((name) => join(root, name, 'sender.lock'))
      .filter((path) => existsSync(path))
      .map((path) => Number(readFileSync(path, 'utf8')))
      .filter((pid) => pid > 0 && isRunning(pid));
  }

  /** Ends the processes that send, as a power cut would. */
  async killSenders(): Promise<number> {
    const pids = this.senders();
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    await until(() => {
      if (pids.some(isRunning)) throw new Error('A sender still runs');
    });
    return pids.length;
  }

  async close(): Promise<void> {
    // One may be about to start.
    for (let times = 0; times < 3; times += 1) {
      await this.killSenders();
      await sleep(100);
    }
    await this.#beckon?.close();
    await this.laptop.close();
    await this.server.close();
  }
}

/** A permission that Claude Code asks for. */
export function permission(sessionId: string, command: string): object {
  return { session_id: sessionId, hook_event_name: 'PermissionRequest', tool_name: 'Bash', tool_input: { command } };
}

/** What the hook command prints if a person denies. */
export function denial(message: string): string {
  const decision = { behavior: 'deny', message };
  return `${JSON.stringify({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } })}\n`;
}
