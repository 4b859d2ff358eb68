import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Interaction } from '../../../packages/beckon/src/index.ts';
import { BaseLab, type ClientRun, MCP_SERVER } from '../../clients/harness/base-lab.ts';
import type { ScriptedModel } from '../../clients/harness/model.ts';
import type { Tui } from '../../clients/harness/tui.ts';
import { CLAUDE } from './client.ts';
import { seedClient, toClientEnv } from './client-env.ts';

/** The real Claude Code in a lab, with projects that have Beckon's hooks. */
export class Lab extends BaseLab {
  #projects = 0;

  /** Opens the lab, with Beckon running. */
  static async open(): Promise<Lab> {
    const lab = new Lab();
    await lab.openBase();
    return lab;
  }

  get api(): ScriptedModel {
    return this.model;
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
    const server = { command: process.execPath, args: [MCP_SERVER] };
    return ['--mcp-config', JSON.stringify({ mcpServers: { lab: server } }), '--strict-mcp-config'];
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
