import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A message as ntfy keeps and sends it. */
export interface KeptMessage {
  id: string;
  time: number;
  event: 'message' | 'message_clear' | 'message_delete';
  topic: string;
  sequence_id?: string;
  title?: string;
  message?: string;
  priority?: number;
  tags?: string[];
  click?: string;
  actions?: Action[];
}

interface Action {
  id: string;
  action: string;
  label: string;
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string;
  clear: boolean;
}

/**
 * Stands for an ntfy server (2.x): publishing as JSON and as text, sequences, streams with `since` and `poll`, access
 * control, limits. What goes wrong is set by fields.
 */
export interface TestNtfy {
  readonly url: string;
  /** Everything that was published, in order. */
  readonly kept: KeptMessage[];
  /** What was asked for, as `GET /topic/json?since=all`. */
  readonly requests: string[];
  /** How many streams are open. */
  readonly streams: number;
  /** Servers before 2.16 know no sequences. */
  isOld: boolean;
  /** Whoever has this token may do everything; all others may only write into topics that match `openTo`. */
  token: string | undefined;
  openTo: RegExp;
  /** Answers publishing with a status instead. */
  publishing: { status: number; headers?: Record<string, string>; body?: string } | undefined;
  /** Answers streams with a status instead. */
  streaming: { status: number; headers?: Record<string, string> } | undefined;
  /** Answers nothing to what is published. */
  isSilent: boolean;
  /** Sends every line of a stream twice. */
  isDoubling: boolean;
  /** A proxy in front that passes nothing on until a reply is complete. */
  isBuffering: boolean;
  /** Ends streams as soon as they have said what is cached. */
  isCutting: boolean;
  /** Breaks all streams. */
  cut(): void;
  /** No longer knows the ids so far, so whoever names one gets everything. */
  forgetIds(): void;
  /** The notifications that a phone with this topic shows now, oldest first. */
  shown(topic: string): KeptMessage[];
  /** Presses a button as the phone does: sends what the button says, and takes the notification away if that worked. */
  press(message: KeptMessage | undefined, label: string): Promise<number>;
  close(): Promise<void>;
}

const TOPIC = /^[-_A-Za-z0-9]{1,64}$/;
const MESSAGE_BYTES = 4096;

/** Starts a server on loopback. `port` 0 takes any. */
export async function startNtfy(port = 0): Promise<TestNtfy> {
  const kept: KeptMessage[] = [];
  const requests: string[] = [];
  const dismissed = new Set<string>();
  const listeners = new Set<{ topics: readonly string[]; response: ServerResponse; keepAlive: NodeJS.Timeout }>();
  let forgotten = 0;
  let count = 0;

  const newMessage = (topic: string, fields: Partial<KeptMessage>): KeptMessage => {
    count += 1;
    const id = `m${String(count).padStart(11, '0')}`;
    const time = Math.floor(Date.now() / 1000);
    return { id, time, event: 'message', topic, ...fields };
  };
  const send = (response: ServerResponse, line: unknown): void => {
    const text = `${JSON.stringify(line)}\n`;
    response.write(ntfy.isDoubling ? text + text : text);
  };
  const keep = (message: KeptMessage): KeptMessage => {
    kept.push(message);
    for (const { topics, response } of listeners) if (topics.includes(message.topic)) send(response, message);
    return message;
  };
  const end = (listener: { response: ServerResponse; keepAlive: NodeJS.Timeout }): void => {
    clearTimeout(listener.keepAlive);
    listener.response.destroy();
  };

  const publish = (topic: string, fields: Record<string, unknown>, response: ServerResponse): void => {
    const text = (fields['message'] as string | undefined) || 'triggered';
    const actions = (fields['actions'] ?? []) as Partial<Action>[];
    if (!TOPIC.test(topic)) return fail(response, 400, 40009, 'invalid request: topic invalid');
    if (Buffer.byteLength(text) > MESSAGE_BYTES) return fail(response, 400, 40014, 'attachments not allowed');
    if (actions.length > 3) return fail(response, 400, 40018, 'actions invalid: only 3 actions allowed');
    if (actions.some(({ label, url }) => !label || !url)) return fail(response, 400, 40018, 'actions invalid');
    const { sequence_id: sequence, ...rest } = fields;
    if (typeof sequence === 'string' && !TOPIC.test(sequence)) {
      return fail(response, 400, 40049, 'invalid request: sequence ID invalid');
    }
    const message = newMessage(topic, { ...rest, message: text, topic });
    if (typeof sequence === 'string' && !ntfy.isOld) message.sequence_id = sequence;
    reply(response, 200, keep(message));
  };

  const subscribe = (topics: string[], query: URLSearchParams, response: ServerResponse): void => {
    const since = query.get('since') ?? (query.has('poll') ? 'all' : 'none');
    const at = kept.findIndex(({ id }) => id === since);
    // An id that is not known means everything.
    const from = since === 'none' ? kept.length : at < forgotten ? 0 : at + 1;
    const old = kept.slice(from).filter(({ topic }) => topics.includes(topic));
    const head = { 'content-type': 'application/x-ndjson; charset=utf-8' };
    if (query.has('poll')) {
      response.writeHead(200, head);
      for (const message of old) send(response, message);
      response.end();
      return;
    }
    if (ntfy.isBuffering) return;
    response.writeHead(200, head);
    send(response, { ...newMessage(topics.join(','), {}), event: 'open' });
    for (const message of old) send(response, message);
    if (ntfy.isCutting) return void response.end();
    const keepAlive = setInterval(() => send(response, { ...newMessage('', {}), event: 'keepalive' }), 1000);
    const listener = { topics, response, keepAlive };
    listeners.add(listener);
    response.on('close', () => {
      clearTimeout(keepAlive);
      listeners.delete(listener);
    });
  };

  const mayWrite = (topic: string, { headers }: IncomingMessage): boolean =>
    ntfy.token === undefined || headers.authorization === `Bearer ${ntfy.token}` || ntfy.openTo.test(topic);
  const mayRead = ({ headers }: IncomingMessage): boolean =>
    ntfy.token === undefined || headers.authorization === `Bearer ${ntfy.token}`;

  const handle = (request: IncomingMessage, body: string, response: ServerResponse): void => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://ntfy');
    const [topic = '', sequence = '', verb] = pathname.slice(1).split('/');
    requests.push(`${request.method} ${request.url}`);
    if (request.method === 'GET' && sequence === 'json') {
      if (!mayRead(request)) return fail(response, 403, 40301, 'forbidden');
      if (ntfy.streaming !== undefined) return reply(response, ntfy.streaming.status, {}, ntfy.streaming.headers);
      return subscribe(topic.split(','), searchParams, response);
    }
    if (ntfy.isSilent) return;
    if (request.method === 'GET') return fail(response, 404, 40401, 'page not found');
    const published = topic === '' ? (parseObject(body) ?? undefined) : { message: body };
    if (published === undefined)
      return fail(response, 400, 40017, 'invalid request: request body must be message JSON');
    const to = topic === '' ? String((published as { topic?: string }).topic) : topic;
    if (!mayWrite(to, request)) return fail(response, 403, 40301, 'forbidden');
    if (ntfy.publishing !== undefined) {
      return reply(response, ntfy.publishing.status, ntfy.publishing.body ?? {}, ntfy.publishing.headers);
    }
    if (sequence === '') return publish(to, published, response);
    if (ntfy.isOld || request.method !== 'PUT' || verb !== 'clear') return fail(response, 404, 40401, 'page not found');
    reply(response, 200, keep(newMessage(topic, { event: 'message_clear', sequence_id: sequence })));
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => handle(request, Buffer.concat(chunks).toString(), response));
    request.on('error', () => undefined);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');

  const ntfy: TestNtfy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    kept,
    requests,
    get streams() {
      return listeners.size;
    },
    isOld: false,
    token: undefined,
    openTo: /^bkr/,
    publishing: undefined,
    streaming: undefined,
    isSilent: false,
    isDoubling: false,
    isBuffering: false,
    isCutting: false,
    cut: () => {
      for (const listener of listeners) end(listener);
    },
    forgetIds: () => {
      forgotten = kept.length;
    },
    shown: (topic) => {
      const notifications = new Map<string, KeptMessage>();
      for (const message of kept.filter((one) => one.topic === topic)) {
        const key = message.sequence_id ?? message.id;
        notifications.delete(key);
        if (message.event === 'message' && !dismissed.has(message.id)) notifications.set(key, message);
      }
      return [...notifications.values()];
    },
    press: async (message, label) => {
      const action = message?.actions?.find((one) => one.label === label);
      if (message === undefined || action === undefined) throw new Error(`There is no button ${label}`);
      const { url, method, headers, body } = action;
      const { status } = await fetch(url, { method, headers, body });
      if (status === 200 && action.clear) dismissed.add(message.id);
      return status;
    },
    close: async () => {
      for (const listener of listeners) end(listener);
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return ntfy;
}

function reply(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  const text = typeof body === 'string' ? body : `${JSON.stringify(body)}\n`;
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
}

function fail(response: ServerResponse, http: number, code: number, error: string): void {
  reply(response, http, { code, http, error });
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
