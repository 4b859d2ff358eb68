import type { ServerResponse } from 'node:http';

/**
 * One thing that the scripted model does in a turn: says something, or calls a tool. `PLAN_FILE` in an input is the
 * file that the client names. A text as input is for tools that take no JSON, such as Codex's `exec` and `apply_patch`.
 */
export type Step = { text: string } | { tool: string; input: object | string; namespace?: string };

/** One thing that was said before, in the words of no protocol. */
export type Said =
  | { role: 'user' | 'assistant' | 'system'; text: string }
  | { role: 'tool'; id: string; text: string; isError: boolean };

/** What a client sends to its model. */
export interface Conversation {
  said: Said[];
  hasTools: boolean;
}

/** What the model says next. Calls have the id of the reply and their place in it. */
export interface Reply {
  id: string;
  steps: readonly Step[];
}

/** How a protocol puts a conversation and a reply on the wire. */
export interface Wire {
  /** The paths that it answers. */
  path: RegExp;
  read(body: object): Conversation;
  send(response: ServerResponse, reply: Reply, body: object, path: string): void;
}

/** Content that is a text, or a list of parts that have one. */
export type Content = string | readonly { text?: string }[] | null | undefined;

/** The text of a content, whatever its shape. */
export function toText(content: Content): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map(({ text = '' }) => text).join('\n');
}

/** Sends one JSON document. */
export function sendJson(response: ServerResponse, value: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

/** Sends server-sent events, named or not, and ends. */
export function sendEvents(
  response: ServerResponse,
  events: readonly { name?: string; data: object | string }[],
): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const { name, data } of events) {
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    response.write(`${name === undefined ? '' : `event: ${name}\n`}data: ${text}\n\n`);
  }
  response.end();
}
