import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type PostReply, post } from './hook-post.ts';

let server: Server;
let reply: { status: number; text: string };

beforeEach(async () => {
  server = createServer((request, response) => {
    request.resume();
    response.writeHead(reply.status).end(reply.text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => server.close());

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
  expect(await send(503, '{}')).toEqual({ result: 'lost' });
});

test('a token that no header can carry is refused, so that the hook is spooled', async () => {
  expect(await send(200, '{}', 'ключ')).toEqual({ result: 'refused' });
});

function send(status: number, text: string, token = 'x'): Promise<PostReply> {
  reply = { status, text };
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/claude`);
  return post({ url, token, key: 'hook_1', text: '{}', limitMs: undefined });
}
