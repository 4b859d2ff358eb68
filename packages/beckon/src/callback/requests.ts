import type { IncomingMessage, ServerResponse } from 'node:http';
import { BeckonError, type ErrorCode } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import { parseJson } from '../protocol/parse-json.ts';
import { PROBLEM_TYPE, toProblem } from '../protocol/problem.ts';
import { type Address, isKnownHost } from './addresses.ts';
import { type CallbackEvent, parseEvent } from './callback.ts';
import { checkSignature } from './signature.ts';

/** A callback as the server knows it. */
export interface Entry {
  /** The pages that may send the event, such as `https://app.example.com`. */
  readonly origins: readonly string[];
  /** The secret of its signature; without one the id alone is enough. */
  readonly secret?: string | Buffer;
  /** Its store knows which event was the first, also when nobody waits for it here any more. */
  readonly isKept?: true;
  /** Takes the event. Throws, or rejects, with what the page is told. */
  take(event: CallbackEvent): void | Promise<void>;
}

/** What a request is answered from. */
export interface Callbacks {
  readonly address: Address;
  readonly entries: ReadonlyMap<string, Entry>;
  readonly settled: ReadonlyMap<string, readonly string[]>;
  /** Looks for a callback that is on disk, and that nobody waits for here. */
  findKept(id: string): Promise<Entry | undefined>;
}

/** Answers one request, whatever it is, with JSON. */
export function handleRequest(callbacks: Callbacks, request: IncomingMessage, response: ServerResponse): void {
  answer(callbacks, request, response).then(
    (status) => send(response, status, status === 204 ? undefined : { result: 'accepted' }),
    (error: unknown) => {
      const known = error instanceof BeckonError ? error : toInternal(error);
      // What is left of a body that nobody wants is read and dropped, so that the client gets to read the reply.
      if (!request.readableEnded) response.setHeader('connection', 'close');
      send(response, known.status, toProblem(known), PROBLEM_TYPE);
      request.resume();
    },
  );
}

async function answer(callbacks: Callbacks, request: IncomingMessage, response: ServerResponse): Promise<200 | 204> {
  const { headers, method } = request;
  if (!isKnownHost(headers.host, callbacks.address)) {
    throw refuse(
      'host_refused',
      `Callbacks are not taken for the host ${JSON.stringify(headers.host?.slice(0, 100))}.`,
    );
  }
  const { id, query } = readAddress(request.url ?? '');
  const entry = callbacks.entries.get(id) ?? (callbacks.settled.has(id) ? undefined : await callbacks.findKept(id));
  checkOrigin(headers.origin, headers.host, entry?.origins ?? callbacks.settled.get(id) ?? [], response);
  if (method === 'OPTIONS') return 204;
  if (method !== 'POST') {
    response.setHeader('allow', 'POST, OPTIONS');
    throw refuse('method_not_allowed', `Send the event with POST, not ${method}.`);
  }
  if (entry === undefined) throw toGone(callbacks, id);
  checkAddress(entry, id, query);
  const event = parseEvent(await readJson(request));
  // While the body came, another click may have been faster.
  if (entry.isKept !== true && callbacks.entries.get(id) !== entry) throw toGone(callbacks, id);
  await entry.take(event);
  return 200;
}

function readAddress(url: string): { id: string; query: string } {
  const [path = '', query = ''] = url.split('?', 2);
  const encoded = /^\/callback\/([^/]+)\/?$/.exec(path)?.[1];
  if (encoded === undefined) throw refuse('route_not_found', 'There is only POST /callback/ID.');
  try {
    return { id: decodeURIComponent(encoded), query };
  } catch {
    throw refuse('route_not_found', 'The id in the address cannot be read.');
  }
}

// A page of another site may reach a server on this machine, so it has to be named.
function checkOrigin(
  origin: string | undefined,
  host: string | undefined,
  origins: readonly string[],
  response: ServerResponse,
): void {
  if (origin === undefined || /^https?:\/\/(.*)$/.exec(origin)?.[1] === host) return;
  if (!origins.includes(origin)) {
    throw refuse(
      'origin_refused',
      'Pages of this site are not allowed to send events. Name it in "origins" of the callback.',
    );
  }
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('vary', 'Origin');
  response.setHeader('access-control-allow-methods', 'POST');
  response.setHeader('access-control-allow-headers', 'content-type');
  response.setHeader('access-control-max-age', '600');
  // Pages of the network that ask for something on this machine.
  response.setHeader('access-control-allow-private-network', 'true');
}

function checkAddress({ secret }: Entry, id: string, query: string): void {
  if (secret === undefined) return;
  const fields = new URLSearchParams(query);
  const given = { expires: fields.get('expires'), signature: fields.get('signature') };
  const verdict = checkSignature(secret, id, given, Date.now());
  if (verdict === 'forged') throw toUnknown(id);
  if (verdict === 'expired') throw refuse('answer_late', 'This address has expired. Ask the agent again.');
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  if (!/^application\/(json|[\w.+-]+\+json)\b/i.test(request.headers['content-type'] ?? '')) {
    throw refuse('unsupported_media_type', 'Send JSON with "Content-Type: application/json".');
  }
  if (Number(request.headers['content-length'] ?? 0) > LIMITS.requestBytes) throw toTooLarge();
  const chunks: Buffer[] = [];
  let bytes = 0;
  const text = await new Promise<string>((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > LIMITS.requestBytes) reject(toTooLarge());
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(Buffer.concat(chunks).toString()));
    request.on('error', reject);
    // It is also closed after its end, and an error is dear.
    request.on('close', () => {
      if (!request.complete) reject(refuse('request_timed_out', 'The request ended before its body did.'));
    });
  });
  return parseJson(text, () => 'The body is not JSON.');
}

function toTooLarge(): BeckonError {
  return refuse('too_large', `The body is larger than ${LIMITS.requestBytes} bytes. Send less.`);
}

function toGone({ settled }: Callbacks, id: string): BeckonError {
  return settled.has(id)
    ? refuse('answer_lost', 'This callback has its event already; the first one counts.')
    : toUnknown(id);
}

function toUnknown(id: string): BeckonError {
  return refuse('interaction_not_found', `No agent waits for the callback ${JSON.stringify(id.slice(0, 200))}.`);
}

function refuse(code: ErrorCode, message: string): BeckonError {
  return new BeckonError(code, message);
}

function toInternal(cause: unknown): BeckonError {
  return new BeckonError('internal', 'The event could not be taken. Try again.', { cause });
}

function send(response: ServerResponse, status: number, body?: object, type = 'application/json'): void {
  if (response.headersSent || response.destroyed) return;
  const text = body === undefined ? '' : JSON.stringify(body);
  response.writeHead(status, {
    ...(body !== undefined && { 'content-type': type }),
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(text);
}
