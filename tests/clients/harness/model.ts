import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { anthropic } from './wire/anthropic.ts';
import { gemini } from './wire/gemini.ts';
import { openaiChat } from './wire/openai-chat.ts';
import { openaiResponses } from './wire/openai-responses.ts';
import { type Conversation, type Reply, type Said, type Step, sendJson, type Wire } from './wire/wire.ts';

/** What the scripted model does in one turn. */
export type Turn = readonly Step[];

/** What the model got back for a tool call. */
export interface ToolResult {
  id: string;
  text: string;
  isError: boolean;
}

const WIRES: readonly Wire[] = [anthropic, openaiResponses, openaiChat, gemini];

/**
 * A scripted model that speaks four wire protocols on one port. It keeps nothing about a conversation: the last
 * `SCENARIO:name` that the user said names the script, and the number of turns after it names the step. When the script
 * is over the model repeats the last tool result, as `FINAL[…]`.
 */
export class ScriptedModel {
  readonly #scripts = new Map<string, readonly Turn[]>();
  readonly #results = new Map<string, Map<string, ToolResult>>();
  readonly #heard = new Map<string, string[]>();
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => void this.#reply(request, response));
    this.#server.keepAliveTimeout = 0;
  }

  /** Listens on a Unix socket, or on a free port of loopback; gives the port. */
  async listen(socketPath?: string): Promise<number> {
    await new Promise<void>((resolve) => {
      if (socketPath === undefined) this.#server.listen(0, '127.0.0.1', resolve);
      else this.#server.listen(socketPath, resolve);
    });
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** Says what the model does, turn by turn, when the user says `SCENARIO:name`. */
  script(name: string, turns: readonly Turn[]): void {
    this.#scripts.set(name, turns);
  }

  /** The results of the tool calls of a scenario that the model has received, in order. */
  results(name: string): ToolResult[] {
    return [...(this.#results.get(name)?.values() ?? [])];
  }

  /** Everything that the model was told after the prompt of a scenario, by tools and by the person. */
  heard(name: string): string[] {
    return this.#heard.get(name) ?? [];
  }

  async #reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const text = await readBody(request);
    if (/count_?tokens$/i.test(path)) return sendJson(response, { input_tokens: 10, totalTokens: 10 });
    if (path.endsWith('/models')) return sendJson(response, { object: 'list', data: [{ id: 'fake' }], models: [] });
    const wire = request.method === 'POST' ? WIRES.find(({ path: pattern }) => pattern.test(path)) : undefined;
    if (wire === undefined) return sendJson(response, {});
    const body = JSON.parse(text) as object;
    wire.send(response, this.#next(wire.read(body), text), body, path);
  }

  #next({ said, hasTools }: Conversation, body: string): Reply {
    // Clients ask for titles and summaries on the side, without tools. That is no turn of the script.
    if (!hasTools) return { id: 'side', steps: [{ text: 'side' }] };
    const at = said.findLastIndex(({ role, text }) => role === 'user' && /SCENARIO:/.test(text));
    const name = [...(said[at]?.text ?? '').matchAll(/SCENARIO:([\w-]+)/g)].at(-1)?.[1] ?? 'none';
    const after = said.slice(at + 1);
    this.#record(name, after);
    const turn = after.filter(({ role }) => role === 'assistant').length;
    const steps = this.#scripts.get(name)?.[turn];
    if (steps !== undefined) {
      const planFile = /(\/[^\s"'`\\]+\/plans\/[\w-]+\.md)/.exec(body)?.[1] ?? 'PLAN_FILE';
      return { id: `toolu_${name}_${turn}`, steps: steps.map((step) => fillIn(step, planFile)) };
    }
    const last = said.findLast(({ role }) => role === 'tool');
    return { id: `${name}_${turn}`, steps: [{ text: `FINAL[${last?.text ?? ''}]` }] };
  }

  #record(name: string, after: readonly Said[]): void {
    const results = this.#results.get(name) ?? new Map<string, ToolResult>();
    for (const said of after)
      if (said.role === 'tool') results.set(said.id, { id: said.id, text: said.text, isError: said.isError });
    this.#results.set(name, results);
    this.#heard.set(
      name,
      after.flatMap(({ role, text }) => (role === 'assistant' ? [] : [text])),
    );
  }
}

/** `PLAN_FILE` in an input is the file that the client names. */
function fillIn(step: Step, planFile: string): Step {
  if (!('tool' in step)) return step;
  const input = JSON.parse(JSON.stringify(step.input).replaceAll('PLAN_FILE', planFile)) as object | string;
  return { ...step, input };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
