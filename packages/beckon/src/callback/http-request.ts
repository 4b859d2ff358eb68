import type { IncomingMessage, ServerResponse } from 'node:http';
import { type CallbackReply, type FoundCallback, handleCallback } from '../core/callback-request.ts';
import { BeckonError } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import { PROBLEM_TYPE, toProblem } from '../protocol/problem.ts';
import { isKnownHost, type ListenAddress } from './listen-address.ts';

/** What the shared server answers requests from. */
export interface RequestContext {
  readonly address: ListenAddress;
  find(id: string, url: string): FoundCallback | undefined | Promise<FoundCallback | undefined>;
}

/** Answers one request of the callbacks' own server, whatever it is, with JSON. */
export async function handleRequest(
  context: RequestContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const reply = await toReply(context, request);
  if (response.headersSent || response.destroyed) return;
  // The rest of a body that nobody wants is read and dropped, so the client gets to read the reply.
  const isRead = request.readableEnded;
  response.writeHead(reply.status, {
    ...reply.headers,
    ...(!isRead && reply.status >= 400 && { connection: 'close' }),
    ...(reply.status !== 204 && { 'content-length': Buffer.byteLength(reply.body) }),
  });
  response.end(reply.body);
  if (!isRead) request.resume();
}

async function toReply(context: RequestContext, request: IncomingMessage): Promise<CallbackReply> {
  const { headers, method, url = '' } = request;
  if (!isKnownHost(headers.host, context.address)) {
    const host = JSON.stringify(headers.host?.slice(0, 100));
    return refuse(new BeckonError('host_refused', `This server takes no callbacks for the host ${host}.`));
  }
  const id = readId(url);
  if (id === null) return refuse(new BeckonError('route_not_found', 'The only route here is POST /callback/ID.'));
  if (method !== 'POST' && method !== 'OPTIONS') {
    const reply = refuse(new BeckonError('method_not_allowed', `Send the event with POST, not ${method}.`));
    return { ...reply, headers: { ...reply.headers, allow: 'POST, OPTIONS' } };
  }
  return handleCallback(
    { id, isPreflight: method === 'OPTIONS', headers, readBody: () => readBody(request) },
    { isSigned: !context.address.isLoopback, find: () => context.find(id, url) },
  );
}

function readId(url: string): string | null {
  const encoded = /^\/callback\/([^/?]+)\/?(?:\?|$)/.exec(url)?.[1];
  try {
    return encoded === undefined ? null : decodeURIComponent(encoded);
  } catch {
    return null;
  }
}

function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > LIMITS.requestBytes) reject(toTooLarge());
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > LIMITS.requestBytes) reject(toTooLarge());
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(Buffer.concat(chunks).toString()));
    request.on('error', reject);
    request.on('close', () => {
      // "close" also follows a complete body, and creating an error is expensive.
      if (!request.complete) reject(new BeckonError('request_timed_out', 'The request ended before its body did.'));
    });
  });
}

function toTooLarge(): BeckonError {
  return new BeckonError('too_large', `The body is larger than ${LIMITS.requestBytes} bytes. Send less.`);
}

function refuse(error: BeckonError): CallbackReply {
  return {
    status: error.status,
    headers: { 'content-type': PROBLEM_TYPE, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
    body: JSON.stringify(toProblem(error)),
  };
}
