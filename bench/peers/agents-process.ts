import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Order, Report } from './agents/turns.ts';
import { endWithUs } from './end-with-us.ts';
import { People } from './people.ts';
import { readProcessorMs } from './processor-time.ts';

/** What a turn showed. */
export interface Turn {
  perSecond: number;
  p50Ms: number;
  /** Processor time per round trip: of the agents' process, and of all others that take part. */
  agentsMs: number;
  othersMs: number;
}

/** A program with agents, as agents/turns.ts says, and what it needs around it. */
export interface AgentsCommand {
  command: readonly string[];
  /** Where the program and its peer write their logs. */
  log: string;
  /** Processor time of the servers that it uses, in milliseconds since their start. */
  readServersMs(): Promise<number>;
}

const TURN_LIMIT_MS = 60_000;

/** Agents in a process of their own. The people are here if their answers come over HTTP, else in that process. */
export class AgentsProcess {
  readonly #child: ReturnType<typeof spawn>;
  readonly #input: AgentsCommand;
  readonly #failure: Promise<never>;
  #fail: (error: unknown) => void = () => undefined;
  #people: People | undefined;
  #onReport: (report: Report) => void = () => undefined;

  private constructor(input: AgentsCommand) {
    const [program = '', ...args] = input.command;
    const log = openSync(input.log, 'a');
    this.#input = input;
    this.#child = spawn(program, args, { stdio: ['pipe', log, log, 'pipe'], env: toQuietEnv() });
    closeSync(log);
    this.#failure = new Promise<never>((_, reject) => {
      this.#fail = reject;
    });
    this.#failure.catch(() => undefined);
    this.#child.once('error', this.#fail);
    this.#child.once('exit', () => this.#fail(new Error(`The agents ended:\n${tail(input.log)}`)));
    this.#child.stdin?.on('error', () => undefined);
    endWithUs(this.#child);
    createInterface({ input: this.#child.stdio[3] as Readable }).on('line', (line) => {
      const report = JSON.parse(line) as Report;
      if (report.type === 'asked') this.#people?.answer(report.path);
      else this.#onReport(report);
    });
  }

  static async start(input: AgentsCommand): Promise<AgentsProcess> {
    const agents = new AgentsProcess(input);
    try {
      const { url } = await agents.#next('ready');
      if (url !== undefined) agents.#people = new People(url, agents.#fail);
      return agents;
    } catch (error) {
      await agents.stop();
      throw error;
    }
  }

  async runTurn(order: Order): Promise<Turn> {
    await this.#people?.gather(order.atOnce);
    const before = await this.#readMs();
    const reported = this.#next('turn');
    this.#child.stdin?.write(`${JSON.stringify(order)}\n`);
    const { roundTrips, tookMs, p50Ms } = await reported;
    const after = await this.#readMs();
    return {
      perSecond: (roundTrips / tookMs) * 1000,
      p50Ms,
      agentsMs: (after.agents - before.agents) / roundTrips,
      othersMs: (after.others - before.others) / roundTrips,
    };
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }

  async #readMs(): Promise<{ agents: number; others: number }> {
    const servers = await this.#input.readServersMs();
    const { user, system } = process.cpuUsage();
    const people = this.#people === undefined ? 0 : (user + system) / 1000;
    return { agents: readProcessorMs(this.#child.pid ?? 0), others: people + servers };
  }

  async #next<Type extends Report['type']>(type: Type): Promise<Extract<Report, { type: Type }>> {
    const timer = setTimeout(
      () => this.#fail(new Error(`No report after a minute:\n${tail(this.#input.log)}`)),
      TURN_LIMIT_MS,
    );
    try {
      const report = await Promise.race([
        this.#failure,
        new Promise<Report>((resolve) => {
          this.#onReport = resolve;
        }),
      ]);
      if (report.type !== type) throw new Error(`Expected the report ${type}, got ${report.type}`);
      return report as Extract<Report, { type: Type }>;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** No peer reports home or looks for updates, and none takes settings of whoever runs the benchmark. */
function toQuietEnv(): NodeJS.ProcessEnv {
  const isForeign = (name: string): boolean => /^(?:BECKON_|RESTATE_|DBOS_|PG|LANG(?:CHAIN|SMITH))/.test(name);
  const own = Object.entries(process.env).filter(([name]) => !isForeign(name));
  return { ...Object.fromEntries(own), DO_NOT_TRACK: '1', LANGSMITH_TRACING: 'false' };
}

function tail(log: string): string {
  return readFileSync(log, 'utf8').slice(-3000);
}
