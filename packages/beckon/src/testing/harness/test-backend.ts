import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request that a backend got. */
interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- the tests look into many shapes
  body: any;
}

export type Reply = (request: Received, response: ServerResponse) => void;

/** A backend on loopback that keeps what it gets, and answers as a test says. */
export interface TestBackend {
  url: string;
  port: number;
  received: Received[];
  /** How it answers; at first with 200. */
  reply: Reply;
  /** How many connections were made. */
  connections: number;
  close(): Promise<void>;
}

export async function startBackend(): Promise<TestBackend> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const received = { path: request.url ?? '', headers: request.headers, text, body: JSON.parse(text) };
      backend.received.push(received);
      backend.reply(received, response);
    });
    // A request that is broken off is no request.
    request.on('error', () => undefined);
  });
  server.on('connection', () => {
    backend.connections += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const backend: TestBackend = {
    url: `http://127.0.0.1:${port}`,
    port,
    received: [],
    reply: (_, response) => response.end('{"success":true}'),
    connections: 0,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return backend;
}

/** Answers with a status, and with headers where some are given. */
export function answerWith(status: number, body = '', headers: Record<string, string> = {}): Reply {
  return (_, response) => response.writeHead(status, headers).end(body);
}
