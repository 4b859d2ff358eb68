// What `node:http` alone does: echoes a POST, holds requests until they are released, streams events.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { reportReady } from './report.ts';

const held = new Set<ServerResponse>();
const readers = new Set<ServerResponse>();

const server = createServer((request, response) => {
  switch (request.url) {
    case '/hold':
      held.add(response);
      return;
    case '/held':
      return reply(response, Buffer.from(`beckon_waits_held ${held.size}`));
    case '/release':
      return void releaseAll(request, response);
    case '/events':
      readers.add(response);
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
      response.write('retry: 1000\nid: 0\n\n');
      return;
    case '/publish':
      return void publish(request, response);
    default:
      return echo(request, response);
  }
});
// As long as the daemon's: a connection may be idle while thousands of others are opened.
server.keepAliveTimeout = 75_000;
server.listen(0, '127.0.0.1');
await once(server, 'listening');
reportReady({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }, () => server.closeAllConnections());

function echo(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => reply(response, Buffer.concat(chunks)));
}

/** Everybody who is held gets the body of this request. */
async function releaseAll(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await buffer(request);
  for (const waiting of held) reply(waiting, body);
  held.clear();
  reply(response, body);
}

/** Every reader gets the body of this request as an event. */
async function publish(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await buffer(request);
  const text = `id: 1\ndata: ${body.toString()}\n\n`;
  for (const reader of readers) reader.write(text);
  reply(response, body);
}

function reply(response: ServerResponse, body: Buffer): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
  response.end(body);
}
