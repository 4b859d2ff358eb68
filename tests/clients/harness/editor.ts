import { createInterface } from 'node:readline';
import type { ClientRun } from './base-lab.ts';
import type { ClientLab } from './client-lab.ts';
import type { Attended } from './driver.ts';

/** A message of the protocol, as far as an editor looks at it. */
export interface EditorMessage {
  id?: number | string;
  method?: string;
  params?: Record<string, any>; // oxlint-disable-line typescript/no-explicit-any -- any agent's message
  result?: Record<string, any>; // oxlint-disable-line typescript/no-explicit-any -- any agent's message
  error?: unknown;
}

/** What the editor starts, and how it sets the agent up. */
export interface EditorRun {
  command: readonly string[];
  project: string;
  prompt: string;
  mode?: string | undefined;
  settings?: Readonly<Record<string, string>>;
}

/** An editor that speaks the Agent Client Protocol: it shows what the agent asks, and answers when it is told to. */
export class Editor implements Attended {
  /** Everything that came, in order. */
  readonly heard: EditorMessage[] = [];
  readonly run: ClientRun;
  readonly #lab: ClientLab;
  readonly #calls = new Map<number, (message: EditorMessage) => void>();
  readonly #open = new Map<number | string, EditorMessage>();
  sessionId = '';
  /** Why the turn ended. */
  stopReason: string | undefined;
  #count = 0;

  constructor(lab: ClientLab, { command, project, ...task }: EditorRun) {
    this.#lab = lab;
    this.run = lab.run(command, project);
    createInterface({ input: this.run.child.stdout! }).on('line', (line) => this.#hear(JSON.parse(line)));
    void this.#work(project, task);
  }

  /** The request that is open in the editor. */
  async asks(): Promise<EditorMessage> {
    return this.#lab.poll(
      `a request in the editor. It heard: ${this.#lately()}`,
      () => this.#open.values().next().value,
    );
  }

  async allow(): Promise<void> {
    await this.choose('allow_once');
  }

  async deny(): Promise<void> {
    await this.choose('reject_once');
  }

  async isDone(): Promise<void> {
    await this.#lab.poll('the end of the request in the editor', () => (this.#open.size === 0 ? true : undefined));
  }

  /** Waits until the turn is over. */
  async whenIdle(): Promise<string> {
    return this.#lab.poll(`the end of the turn. The editor heard: ${this.#lately()}`, () => this.stopReason);
  }

  /** Chooses the first option of a kind. */
  async choose(kind: string): Promise<void> {
    const { params } = await this.asks();
    const options: { kind: string; optionId: string }[] = params?.['options'] ?? [];
    const optionId = options.find((option) => option.kind === kind)?.optionId;
    await this.reply({ outcome: { outcome: 'selected', optionId } });
  }

  /** Answers the open request, or one that is over. */
  async reply(result: object, id?: number | string): Promise<void> {
    const asked = id ?? (await this.asks()).id!;
    this.#open.delete(asked);
    this.send({ id: asked, result });
  }

  cancel(): void {
    this.send({ method: 'session/cancel', params: { sessionId: this.sessionId } });
  }

  /** The editor is gone: its ends of the pipes are closed. */
  readonly kill = (): void => {
    this.run.child.stdin?.destroy();
    this.run.child.stdout?.destroy();
  };

  close(): void {
    this.run.child.kill('SIGKILL');
  }

  send(message: object): void {
    this.run.child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  async #work(cwd: string, { prompt, mode, settings = {} }: Omit<EditorRun, 'command' | 'project'>): Promise<void> {
    await this.#call('initialize', {
      protocolVersion: 1,
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, elicitation: { form: {}, url: {} } },
      clientInfo: { name: 'editor', title: 'Editor', version: '1.0.0' },
    });
    const { result } = await this.#call('session/new', { cwd, mcpServers: [] });
    this.sessionId = result?.['sessionId'];
    const { sessionId } = this;
    if (mode !== undefined) await this.#call('session/set_mode', { sessionId, modeId: mode });
    for (const [configId, value] of Object.entries(settings)) {
      await this.#call('session/set_config_option', { sessionId, configId, value });
    }
    const turn = await this.#call('session/prompt', { sessionId, prompt: [{ type: 'text', text: prompt }] });
    this.stopReason = turn.result?.['stopReason'] ?? JSON.stringify(turn.error);
  }

  #call(method: string, params: object): Promise<EditorMessage> {
    this.#count += 1;
    const id = this.#count;
    return new Promise((resolve) => {
      this.#calls.set(id, resolve);
      this.send({ id, method, params });
    });
  }

  #hear(message: EditorMessage): void {
    this.heard.push(message);
    const { id, method, params } = message;
    if (method === undefined) this.#calls.get(id as number)?.(message);
    else if (method === '$/cancel_request') this.#open.delete(params?.['requestId']);
    else if (method === 'session/request_permission' || method === 'elicitation/create') this.#open.set(id!, message);
    else if (id !== undefined) this.send({ id, error: { code: -32_601, message: 'Method not found' } });
  }

  #lately(): string {
    return JSON.stringify(this.heard.slice(-5)).slice(0, 2000);
  }
}
