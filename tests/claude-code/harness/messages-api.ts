import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/**
 * One thing that the scripted model does in a turn: says something, or calls a tool. `PLAN_FILE` in an input is the
 * file that the client names.
 */
export type Step = { text: string } | { tool: string; input: object };

/** What the model got back for a tool call. */
export interface ToolResult {
  id: string;
  text: string;
  isError: boolean;
}

interface Message {
  role: string;
  content: string | readonly Block[];
}

type Block =
  | { type: 'text'; text: string }
  | { type: 'tool_use'; id: string }
  | { type: 'tool_result'; tool_use_id: string; is_error?: boolean; content?: string | readonly { text?: string }[] }
  | { type: 'other' };

/**
 * A scripted stand-in for the Messages API. It keeps nothing about a conversation: the last `SCENARIO:name` that the
 * user said names the script, and the number of turns after it names the step. When the script is over the model
 * repeats the last tool result.
 */
export class MessagesApi {
  readonly #scripts = new Map<string, readonly (readonly Step[])[]>();
  readonly #results = new Map<string, ToolResult>();
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
  script(name: string, turns: readonly (readonly Step[])[]): void {
    this.#scripts.set(name, turns);
  }

  /** The results of the tool calls of a scenario that the model has received, in order. */
  results(name: string): ToolResult[] {
    return [...this.#results.values()].filter(({ id }) => id.startsWith(`toolu_${name}_`));
  }

  async #reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').split('?')[0];
    const body = await readBody(request);
    if (request.method === 'POST' && path === '/v1/messages/count_tokens')
      return sendJson(response, { input_tokens: 10 });
    if (request.method !== 'POST' || path !== '/v1/messages') return sendJson(response, {});
    const { messages, stream, model } = JSON.parse(body) as { messages: Message[]; stream?: boolean; model: string };
    const { id, steps, reason } = this.#next(messages);
    const planFile = /(\/[^\s"'`\\]+\/plans\/[\w-]+\.md)/.exec(body)?.[1] ?? 'PLAN_FILE';
    const content = steps.map((step, index) => toBlock(step, `${id}_${index}`, planFile));
    if (stream === true) sendStream(response, { id, model, content, reason });
    else sendJson(response, toMessage(id, model, content, reason));
  }

  #next(messages: readonly Message[]): { id: string; steps: readonly Step[]; reason: string } {
    for (const result of findResults(messages)) this.#results.set(result.id, result);
    const at = messages.findLastIndex((message) => message.role === 'user' && /SCENARIO:/.test(textOf(message)));
    const name = [...textOf(messages[at]).matchAll(/SCENARIO:([\w-]+)/g)].at(-1)?.[1] ?? 'none';
    const turn = messages.slice(at + 1).filter(({ role }) => role === 'assistant').length;
    const steps = this.#scripts.get(name)?.[turn];
    if (steps === undefined) {
      const last = findResults(messages).at(-1);
      return { id: `${name}_${turn}`, steps: [{ text: `FINAL[${last?.text ?? ''}]` }], reason: 'end_turn' };
    }
    const isCall = steps.some((step) => 'tool' in step);
    return { id: `toolu_${name}_${turn}`, steps, reason: isCall ? 'tool_use' : 'end_turn' };
  }
}

function findResults(messages: readonly Message[]): ToolResult[] {
  return messages.flatMap(({ content }) =>
    typeof content === 'string'
      ? []
      : content.flatMap((block) =>
          block.type === 'tool_result'
            ? [{ id: block.tool_use_id, text: toText(block.content), isError: block.is_error === true }]
            : [],
        ),
  );
}

function toText(content: string | readonly { text?: string }[] = ''): string {
  return typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('');
}

function textOf(message: Message | undefined): string {
  if (message === undefined) return '';
  if (typeof message.content === 'string') return message.content;
  return message.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
}

function toBlock(step: Step, id: string, planFile: string): { type: string; [key: string]: unknown } {
  if ('text' in step) return { type: 'text', text: step.text };
  const input = JSON.parse(JSON.stringify(step.input).replaceAll('PLAN_FILE', planFile)) as object;
  return { type: 'tool_use', id, name: step.tool, input };
}

// The client takes messages of one id for parts of one message.
function toMessage(id: string, model: string, content: readonly object[], reason: string): object {
  const usage = { input_tokens: 10, output_tokens: 10 };
  return {
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    model,
    content,
    stop_reason: reason,
    stop_sequence: null,
    usage,
  };
}

function sendJson(response: ServerResponse, value: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function sendStream(
  response: ServerResponse,
  {
    id,
    model,
    content,
    reason,
  }: { id: string; model: string; content: readonly { type: string; [key: string]: unknown }[]; reason: string },
): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (type: string, data: object): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  };
  send('message_start', { message: toMessage(id, model, [], reason) });
  for (const [index, block] of content.entries()) {
    const isText = block.type === 'text';
    send('content_block_start', { index, content_block: { ...block, ...(isText ? { text: '' } : { input: {} }) } });
    const delta = isText
      ? { type: 'text_delta', text: block['text'] }
      : { type: 'input_json_delta', partial_json: JSON.stringify(block['input']) };
    send('content_block_delta', { index, delta });
    send('content_block_stop', { index });
  }
  send('message_delta', { delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 10 } });
  send('message_stop', {});
  response.end();
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
