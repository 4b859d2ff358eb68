import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A click as a page sends it. */
export const CLICK = { action: 'click', data: { button: 'Deep Dive', id: 'card-123' } };

/** A reply with its JSON. */
export interface PostReply {
  status: number;
  headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- the tests look into many shapes
  body: any;
}

/** Sends an event to a callback, as a page does. */
export async function post(
  url: string,
  body: unknown = CLICK,
  init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
): Promise<PostReply> {
  const response = await fetch(url, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...init,
    headers: { 'content-type': 'application/json', connection: 'close', ...init.headers },
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
