import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SlackWorkspace } from './slack-workspace.ts';
import { findFault, SCOPES } from './web-api-rules.ts';

/**
 * What becomes of the next call of a method. `lost`: it is done, but the reply never arrives; `hold`: it arrives later.
 */
export type Trouble = { method: string } & (
  | { retryAfter: number }
  | { status: number }
  | { error: string }
  | { cut: true }
  | { lost: true }
  | { hold: Promise<void> }
);

type Payload = Record<string, unknown>;

const DEFAULT_SCOPES = ['chat:write', 'files:write', 'channels:history', 'groups:history'];

/**
 * Stands in for Slack on loopback: its Web API and Socket Mode. It refuses what Slack would refuse, and notes faults.
 */
export class SlackServer extends SlackWorkspace {
  readonly botToken = 'xoxb-fake-bot-token-for-tests';
  readonly appToken = 'xapp-fake-app-token-for-tests';
  /** Everything that was called, in order. */
  readonly calls: { method: string; payload: Payload }[] = [];
  readonly #faults: string[] = [];
  readonly #server: Server;
  readonly #troubles: Trouble[] = [];
  readonly #quietUntil = new Map<string, number>();
  /** The channels that the app is in. Others exist, but are closed to it. */
  channels = ['C100', 'C200'];
  scopes = DEFAULT_SCOPES;
  /** Whether nothing of Slack can be reached. */
  isDown = false;
  #failingPosts = 0;

  private constructor(server: Server) {
    super();
    this.#server = server;
  }

  static async start(): Promise<SlackServer> {
    const server = createServer();
    const slack = new SlackServer(server);
    server.on('request', (request, response) => {
      slack.#handle(request, response).catch((error: unknown) => {
        slack.#faults.push(`the stand-in failed: ${String(error)}`);
        response.destroy();
      });
    });
    server.on('upgrade', (request, socket) => {
      if (slack.isDown) return void socket.destroy();
      slack.sockets.accept(request, socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return slack;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get apiRoot(): string {
    return `${this.url}/api/`;
  }

  /** What was sent although Slack would not take it, or although it has markup in it. */
  get faults(): string[] {
    return [...this.#faults, ...this.sockets.faults];
  }

  async stop(): Promise<void> {
    this.sockets.cut();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Troubles happen one after the other, each to the next call of its method. */
  prepare(...troubles: Trouble[]): void {
    this.#troubles.push(...troubles);
  }

  /** Whether a trouble that was prepared has not happened yet. */
  hasTrouble(): boolean {
    return this.#troubles.length > 0;
  }

  /** So many of the next messages are refused; `Infinity` until it is called again. */
  failPosts(count: number): void {
    this.#failingPosts = count;
  }

  /** Nothing of Slack can be reached any more. */
  goDown(): void {
    this.isDown = true;
    this.sockets.cut();
    this.#server.closeAllConnections();
  }

  comeBack(): void {
    this.isDown = false;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.isDown) return void request.socket.destroy();
    const body = await readBody(request);
    const [, upload] = /^\/upload\/(\w+)$/.exec(request.url ?? '') ?? [];
    if (upload !== undefined) return this.#takeUpload(upload, request, body, response);
    const [, method = ''] = /^\/api\/([\w.]+)$/.exec(request.url ?? '') ?? [];
    const payload = readPayload(body.toString('utf8'));
    const early = (this.#quietUntil.get(method) ?? 0) - performance.now();
    if (early > 0) this.#faults.push(`${method} came ${early} ms before its retry-after was over`);
    const at = this.#troubles.findIndex((trouble) => trouble.method === method);
    const [trouble] = at < 0 ? [] : this.#troubles.splice(at, 1);
    if (trouble !== undefined && 'cut' in trouble) return void request.socket.destroy();
    if (trouble !== undefined && 'status' in trouble) return fail(response, trouble.status);
    if (trouble !== undefined && 'error' in trouble) return this.#reply(response, { ok: false, error: trouble.error });
    if (trouble !== undefined && 'retryAfter' in trouble) {
      this.#quietUntil.set(method, performance.now() + trouble.retryAfter * 1000);
      response.setHeader('retry-after', String(trouble.retryAfter));
      return fail(response, 429);
    }
    if (method === 'chat.postMessage' && this.#failingPosts > 0) {
      this.#failingPosts -= 1;
      return fail(response, 500);
    }
    const refusal = this.#refuse(method, request.headers.authorization ?? '', payload);
    this.calls.push({ method, payload });
    const fault = findFault(method, payload);
    if (fault !== null) this.#faults.push(`${method}: ${fault}`);
    const result =
      refusal ?? (fault === null ? this.perform(method, payload) : { ok: false, error: 'invalid_arguments' });
    if (trouble !== undefined && 'lost' in trouble) return void request.socket.destroy();
    if (trouble !== undefined) await trouble.hold;
    this.#reply(response, result);
  }

  /** Why Slack refuses a call before it looks at it. */
  #refuse(method: string, authorization: string, payload: Payload): Payload | null {
    const token = method === 'apps.connections.open' ? this.appToken : this.botToken;
    if (authorization !== `Bearer ${token}`) return { ok: false, error: 'invalid_auth' };
    const needed = SCOPES[method];
    const provided = [...this.scopes, 'connections:write'];
    if (needed !== undefined && !provided.includes(needed)) {
      return { ok: false, error: 'missing_scope', needed, provided: this.scopes.join(',') };
    }
    const channel = payload['channel'] ?? payload['channel_id'];
    if (typeof channel !== 'string' || this.channels.includes(channel)) return null;
    return { ok: false, error: channel.startsWith('C9') ? 'not_in_channel' : 'channel_not_found' };
  }

  async #takeUpload(id: string, request: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void> {
    const type = request.headers['content-type'] ?? '';
    const file = this.uploads.get(id);
    if (file === undefined) return fail(response, 404);
    const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
    for (const value of form.values()) if (typeof value !== 'string') file.text = await value.text();
    response.end(`OK - ${body.length}`);
  }

  #reply(response: ServerResponse, result: Payload): void {
    response.setHeader('content-type', 'application/json; charset=utf-8');
    response.setHeader('x-oauth-scopes', this.scopes.join(','));
    response.end(JSON.stringify(result));
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

// The package sends forms; lists and objects in them are JSON.
function readPayload(body: string): Payload {
  const isJson = (name: string): boolean => ['blocks', 'view', 'files'].includes(name);
  const fields = [...new URLSearchParams(body)];
  return Object.fromEntries(
    fields.map(([name, value]) => [name, isJson(name) ? (JSON.parse(value) as unknown) : value]),
  );
}

function fail(response: ServerResponse, status: number): void {
  response.statusCode = status;
  response.end('Something is broken');
}
