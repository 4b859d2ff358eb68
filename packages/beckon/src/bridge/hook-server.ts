import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { completesCommand, type HookSink } from '../core/hooks.ts';
import { BeckonError } from '../protocol/errors.ts';
import type { JsonObject } from '../protocol/json.ts';
import { LIMITS } from '../protocol/limits.ts';
import { parseJson } from '../protocol/parse-json.ts';

/** What a hook server needs. */
export interface HookServerOptions {
  sessionId: string;
  sink: HookSink;
  /** Reports what somebody should look at. */
  warn: (message: string) => void;
}

type Handler = (hook: JsonObject) => void;

const PATH = '/command-complete/';
const SUCCESS = JSON.stringify({ success: true });
/** How long a client may take to send a whole request. */
const REQUEST_MS = 30_000;

/**
 * The server on loopback that takes the hooks of one session. It stores a hook first, then lets the waiting command go
 * on, then replies. It is plain `node:http`, because it has one route and the agent waits for it.
 */
export class HookServer {
  readonly #options: HookServerOptions;
  readonly #server: Server;
  readonly #handlers: Map<string, Handler>;
  #port = 0;
  #isStopping = false;

  /** `handlers` are the waiting commands by interaction. Each is called once and removed. */
  constructor(options: HookServerOptions, handlers: Map<string, Handler>) {
    this.#options = options;
    this.#handlers = handlers;
    this.#server = createServer(
      { requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS, keepAliveTimeout: 75_000 },
      (request, response) => void this.#answer(request, response),
    );
    this.#server.on('clientError', (_error, socket) => {
      if (!socket.writable) return void socket.destroy();
      const body = JSON.stringify({ error: 'Expected an HTTP request' });
      socket.end(
        `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
      );
    });
  }

  get port(): number {
    return this.#port;
  }

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Takes no more requests, and waits for those under way. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeIdleConnections();
    const cut = setTimeout(() => this.#server.closeAllConnections(), 2000);
    await closed;
    clearTimeout(cut);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      if (this.#isStopping) response.setHeader('connection', 'close');
      const interactionId = this.#findInteraction(request);
      const text = await readBody(request);
      const hook = parseObject(text);
      await this.#options.sink.receive({ sessionId: this.#options.sessionId, commandId: interactionId, hook, text });
      const handler = this.#handlers.get(interactionId);
      if (handler === undefined) {
        this.#options.warn(
          `A hook came for the interaction ${JSON.stringify(interactionId)}, which has no handler. It is kept and forwarded.`,
        );
        throw new Refusal(404, 'No handler registered for this interaction');
      }
      if (completesCommand(hook)) this.#complete(interactionId, handler, hook);
      reply(response, 200, SUCCESS);
    } catch (error) {
      const { status, message } = this.#toRefusal(error);
      // The unread rest of a body would be taken for the next request.
      if (!request.complete) response.setHeader('connection', 'close');
      reply(response, status, JSON.stringify({ error: message }));
    }
  }

  #complete(interactionId: string, handler: Handler, hook: JsonObject): void {
    this.#handlers.delete(interactionId);
    try {
      handler(hook);
    } catch (error) {
      this.#options.warn(`The handler of ${JSON.stringify(interactionId)} failed: ${(error as Error)?.message}`);
    }
  }

  #findInteraction({ method, url = '', headers }: IncomingMessage): string {
    // A web page can send here, but only with an `Origin`, or under a host name that is not ours.
    if (headers.origin !== undefined || !this.#isOurName(headers.host)) {
      throw new Refusal(403, 'Only programs on this machine may send hooks');
    }
    const [path = ''] = url.split('?', 1);
    const id = path.startsWith(PATH) ? decode(path.slice(PATH.length)) : '';
    if (id === '' || method !== 'POST') {
      throw new Refusal(404, `There is only POST ${PATH}:interactionId`);
    }
    return id;
  }

  #isOurName(host: string | undefined): boolean {
    return host === `localhost:${this.#port}` || host === `127.0.0.1:${this.#port}`;
  }

  #toRefusal(error: unknown): Refusal {
    if (error instanceof Refusal) return error;
    if (error instanceof BeckonError && error.status < 500) return new Refusal(error.status, error.message);
    this.#options.warn(`A hook could not be kept: ${(error as Error)?.message}`);
    return new Refusal(error instanceof BeckonError ? error.status : 500, 'The hook could not be kept. Send it again.');
  }
}

/** Refuses a request, with the words of the reply. */
class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > LIMITS.hookBytes) {
        // The rest is read and dropped, so the client gets to the reply.
        chunks.length = 0;
        reject(new Refusal(413, `A hook may have ${LIMITS.hookBytes} bytes at most`));
      } else chunks.push(chunk);
    });
    request.on('end', () => resolve((chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))?.toString() ?? ''));
    request.on('error', reject);
  });
}

function parseObject(text: string): JsonObject {
  const value = parseJson(text, () => 'The body is not JSON');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refusal(400, 'The body is not a JSON object');
  }
  return value as JsonObject;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

function reply(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
