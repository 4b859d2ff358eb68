import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type PostReply, post } from './hook-post.ts';

let server: Server;
let reply: { status: number; text: string };
let type: string;
/** What is sent of a reply before the connection breaks. */
let breakOff: string | undefined;
let isSilent: boolean;

beforeEach(async () => {
  type = 'application/json';
  breakOff = undefined;
  isSilent = false;
  server = createServer((request, response) => {
    request.resume();
    if (isSilent) return;
    if (breakOff === undefined) response.writeHead(reply.status, { 'content-type': type }).end(reply.text);
    else request.socket.end(breakOff);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

test('a reply is what Beckon would say', async () => {
  expect(await send(200, '{"continue":true}')).toEqual({ result: 'replied', text: '{"continue":true}' });
});

test.each(['<h1>It works!</h1>', '', '"allow"', '[]', 'null'])(
  'another program is not taken for Beckon: %j',
  async (text) => {
    expect(await send(200, text)).toEqual({ result: 'refused' });
  },
);

test('who says no, and who stops, is not a reply', async () => {
  expect(await send(401, '{}')).toEqual({ result: 'refused', status: 401 });
  expect(await send(503, '{}')).toEqual({ result: 'lost', status: 503 });
});

test('whoever comes back for the answer is told so by Beckon, and by nobody else', async () => {
  expect(await send(202, '{"status":"pending"}')).toEqual({ result: 'pending' });
  expect(await send(202, '<h1>Accepted</h1>')).toEqual({ result: 'refused' });
  expect(await send(202, '{}')).toEqual({ result: 'refused' });
});

test('what Beckon refuses is told from what a proxy says', async () => {
  type = 'application/problem+json; charset=utf-8';
  expect(await send(401, '{"code":"unauthorized"}')).toEqual({ result: 'refused', status: 401, isBeckon: true });
  expect(await send(404, '{"code":404}')).toEqual({ result: 'refused', status: 404 });
  type = 'text/html';
  expect(await send(502, '<h1>Bad Gateway</h1>')).toEqual({ result: 'refused', status: 502 });
  expect(await send(401, '{"code":"unauthorized"}')).toEqual({ result: 'refused', status: 401 });
});

test('a reply that breaks off is lost, wherever it breaks', async () => {
  for (const part of ['', 'HTTP/1.1 2', 'HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\n{"a":']) {
    breakOff = part;
    expect(await send(200, '{}')).toMatchObject({ result: 'lost' });
  }
});

test('silence ends at the limit, and says so', async () => {
  isSilent = true;
  const { result, cause } = (await send(200, '{}', 'x', 50)) as { result: string; cause: Error };
  expect(result).toBe('lost');
  expect(cause.message).toBe('no reply within 1 s');
});

test('a token that no header can carry is refused, so that the hook is spooled', async () => {
  expect(await send(200, '{}', 'ключ')).toMatchObject({ result: 'refused' });
});

function send(status: number, text: string, token = 'x', limitMs?: number): Promise<PostReply> {
  reply = { status, text };
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/claude`);
  return post({ url, token, key: 'hook_1', text: '{}', limitMs });
}
