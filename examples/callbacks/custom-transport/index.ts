// A WebSocketCallback written by hand, beside the one that ships. A small server on loopback plays the page's server.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { ai, type Callback, type CallbackEvent, WebSocketCallback } from 'beckon';

class OwnWebSocketCallback implements Callback {
  readonly #wsUrl: string;

  constructor(wsUrl: string) {
    this.#wsUrl = wsUrl;
  }

  async awaitInteraction(timeout: number | string = 300): Promise<CallbackEvent> {
    const socket = new WebSocket(this.#wsUrl);
    try {
      const signal = AbortSignal.timeout(Number(timeout) * 1000);
      const message = await new Promise<MessageEvent>((resolve, reject) => {
        socket.addEventListener('message', resolve, { once: true });
        socket.addEventListener('error', () => reject(new Error('The connection failed.')), { once: true });
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
      return JSON.parse(String(message.data)) as CallbackEvent;
    } finally {
      socket.close();
    }
  }

  endpoint(): string {
    return this.#wsUrl;
  }
}

const CLICK = { action: 'click', data: { button: 'Deep Dive' } };
const server = createServer();
const sockets = new Set<Socket>();
server.on('upgrade', (request, socket: Socket) => {
  sockets.add(socket);
  const accept = createHash('sha1')
    .update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest('base64');
  const head = `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`;
  const text = Buffer.from(JSON.stringify(CLICK));
  socket.write(head);
  socket.write(Buffer.concat([Buffer.from([0x81, text.length]), text])); // One text frame: the person clicked.
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;

for (const callback of [new OwnWebSocketCallback(url), new WebSocketCallback(url)]) {
  const asked: string[] = [];
  const agent = async function* (query: string): AsyncGenerator<string> {
    asked.push(query);
    yield asked.length < 3 ? 'Sales are up.' : '';
  };
  for await (const event of ai(agent, { callback })('Show sales')) {
    if (typeof event !== 'string' && event.type === 'component') assert.equal(event.data.callback_url, url);
  }
  assert.equal(asked.length, 3);
  assert.match(asked[2] ?? '', /Deep Dive[\s\S]*Deep Dive/);
}
for (const socket of sockets) socket.destroy();
server.close();
console.log('Two rounds over each WebSocket.');
