import { once } from 'node:events';
import { type ClientRequest, type IncomingHttpHeaders, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LogEvent } from '../../../protocol/events.ts';

/** Gives a promise that must come true a limit, so that a lost wake-up fails with a name instead of hanging. */
export async function within<Result>(what: string, promise: Promise<Result>, limitMs = 45_000): Promise<Result> {
  const limit = new AbortController();
  try {
    return await Promise.race([
      promise,
      sleep(limitMs, undefined, { signal: limit.signal }).then(() => {
        throw new Error(`Still waiting after ${limitMs / 1000} s: ${what}`);
      }),
    ]);
  } finally {
    limit.abort();
  }
}

/** Looks again and again until something holds. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  let isOver = false;
  const look = async (): Promise<void> => {
    while (!isOver && !(await holds())) await sleep(10);
  };
  await within(what, look()).finally(() => {
    isOver = true;
  });
}

export interface HttpReply {
  status: number;
  headers: IncomingHttpHeaders;
  // oxlint-disable-next-line typescript/no-explicit-any -- the tests look into many shapes
  body: any;
}

/** One GET on a connection of its own. `signal` breaks the connection. */
export async function get(url: string, token: string, options: { signal?: AbortSignal } = {}): Promise<HttpReply> {
  return receive(request(url, { agent: false, headers: toHeaders(token), ...options }).end());
}

/** One POST of JSON on a connection of its own. `signal` breaks the connection. */
export async function post(
  url: string,
  token: string,
  body: object,
  options: { signal?: AbortSignal } = {},
): Promise<HttpReply> {
  const headers = { ...toHeaders(token), 'content-type': 'application/json' };
  return receive(request(url, { method: 'POST', agent: false, headers, ...options }).end(JSON.stringify(body)));
}

async function receive(outgoing: ClientRequest): Promise<HttpReply> {
  const [reply] = await once(outgoing, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of reply) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  return { status: reply.statusCode, headers: reply.headers, body: text === '' ? undefined : JSON.parse(text) };
}

/** A reader of server-sent events, one message after another. */
export interface StreamReader {
  readonly response: Response;
  /** The next event; skips comments. Rejects when the stream ends. */
  next(): Promise<{ id: number; event: LogEvent }>;
  /** The next comment; skips events. */
  nextComment(): Promise<string>;
  /** Resolves when the server ends the stream. */
  readonly ended: Promise<void>;
  close(): void;
}

/** What a caller shows: a token, or the headers of a browser. */
export type Credentials = string | Record<string, string>;

const toHeaders = (shown: Credentials): Record<string, string> =>
  typeof shown === 'string' ? { authorization: `Bearer ${shown}` } : shown;

export async function openStream(
  url: string,
  shown: Credentials,
  { query = '', headers = {} }: { query?: string; headers?: Record<string, string> } = {},
): Promise<StreamReader> {
  const gone = new AbortController();
  const response = await fetch(`${url}/v1/events${query}`, {
    headers: { ...toHeaders(shown), ...headers },
    signal: gone.signal,
  });
  const messages: string[] = [];
  let wakeUp: () => void = () => undefined;
  let isOver = false;
  const read = async (): Promise<void> => {
    let text = '';
    try {
      for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        const parts = (text + chunk).split('\n\n');
        text = parts.pop() ?? '';
        messages.push(...parts);
        wakeUp();
      }
    } catch {
      // The connection broke, which is an end as well.
    }
    isOver = true;
    wakeUp();
  };
  const ended = read();
  const take = async (isWanted: (message: string) => boolean): Promise<string> => {
    for (;;) {
      const message = messages.shift();
      if (message !== undefined && isWanted(message)) return message;
      if (message !== undefined) continue;
      if (isOver) throw new Error('The stream has ended');
      await new Promise<void>((resolve) => {
        wakeUp = resolve;
      });
    }
  };
  return {
    response,
    ended,
    next: async () => {
      const message = await within(
        'an event',
        take((text) => text.startsWith('id: ')),
      );
      const [, id, data = ''] = /^id: (\d+)\ndata: (.*)$/s.exec(message) ?? [];
      return { id: Number(id), event: JSON.parse(data) };
    },
    nextComment: () =>
      within(
        'a comment',
        take((text) => text.startsWith(':')),
      ),
    close: () => gone.abort(),
  };
}

/** A WebSocket whose messages wait until they are taken. */
export interface SocketClient {
  readonly socket: WebSocket;
  // oxlint-disable-next-line typescript/no-explicit-any -- the tests look into many shapes
  next(type: 'event' | 'reply'): Promise<any>;
  send(command: object | string | Uint8Array<ArrayBuffer>): void;
  readonly closed: Promise<{ code: number; reason: string }>;
}

export async function openSocket(url: string, shown: Credentials, query = ''): Promise<SocketClient> {
  const address = `${url.replace('http', 'ws')}/v1/ws${query}`;
  const socket = new WebSocket(address, { headers: toHeaders(shown) });
  const messages: { type: string }[] = [];
  let wakeUp: () => void = () => undefined;
  socket.addEventListener('message', ({ data }) => {
    messages.push(JSON.parse(String(data)));
    wakeUp();
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.addEventListener('close', ({ code, reason }) => resolve({ code, reason }));
  });
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('error', () => reject(new Error('The socket was refused')));
  });
  const take = async (type: string): Promise<unknown> => {
    for (;;) {
      const index = messages.findIndex((message) => message.type === type);
      if (index >= 0) return messages.splice(index, 1)[0];
      await new Promise<void>((resolve) => {
        wakeUp = resolve;
      });
    }
  };
  return {
    socket,
    closed,
    next: (type) => within(`a message of the type ${type}`, take(type)),
    send: (command) =>
      socket.send(typeof command === 'string' || command instanceof Uint8Array ? command : JSON.stringify(command)),
  };
}
