import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

const MAGIC = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const OPCODES = { text: 1, close: 8, ping: 9, pong: 10 } as const;

/** What the server's side of a WebSocket hears. */
export interface PeerHandlers {
  onText: (text: string) => void;
  onEnd: () => void;
}

/**
 * The server's side of one WebSocket, by hand, so that tests can do to it what networks and Slack do. As Slack does, it
 * answers a goodbye but leaves the connection open.
 */
export class WebSocketPeer {
  readonly #socket: Duplex;
  readonly #handlers: PeerHandlers;
  #received = Buffer.alloc(0);
  /** Whether it no longer answers pings, as behind a cable that was pulled. */
  isSilent = false;
  isOpen = true;
  /** How often the client asked whether anybody is there. */
  pings = 0;

  constructor(socket: Duplex, handlers: PeerHandlers) {
    this.#socket = socket;
    this.#handlers = handlers;
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    // A reset is an end like any other.
    socket.on('error', () => undefined);
    socket.on('end', () => socket.destroy());
    socket.on('close', () => this.#end());
  }

  /** Accepts the upgrade of an HTTP request. */
  static accept(request: IncomingMessage, socket: Duplex, handlers: PeerHandlers): WebSocketPeer {
    const key = request.headers['sec-websocket-key'] ?? '';
    const accept = createHash('sha1').update(`${key}${MAGIC}`).digest('base64');
    const head = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
    socket.write(`${[...head, `Sec-WebSocket-Accept: ${accept}`].join('\r\n')}\r\n\r\n`);
    return new WebSocketPeer(socket, handlers);
  }

  send(text: string): void {
    this.#write(OPCODES.text, Buffer.from(text));
  }

  ping(): void {
    this.#write(OPCODES.ping, Buffer.from('Ping from applink'));
  }

  /** Cuts the connection without a word. */
  cut(): void {
    this.#socket.destroy();
    this.#end();
  }

  #receive(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    for (let frame = this.#readFrame(); frame !== null; frame = this.#readFrame()) this.#take(frame);
  }

  #take({ opcode, data }: { opcode: number; data: Buffer }): void {
    if (this.isSilent) return;
    if (opcode === OPCODES.text) this.#handlers.onText(data.toString('utf8'));
    if (opcode === OPCODES.ping) {
      this.pings += 1;
      this.#write(OPCODES.pong, data);
    }
    if (opcode === OPCODES.close) {
      this.#write(OPCODES.close, data);
      this.#end();
    }
  }

  // Clients mask what they send.
  #readFrame(): { opcode: number; data: Buffer } | null {
    const bytes = this.#received;
    if (bytes.length < 2) return null;
    const short = (bytes[1] ?? 0) & 0x7f;
    const start = short === 126 ? 4 : short === 127 ? 10 : 2;
    if (bytes.length < start + 4) return null;
    const length = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
    const end = start + 4 + length;
    if (bytes.length < end) return null;
    const mask = bytes.subarray(start, start + 4);
    const data = Buffer.from(bytes.subarray(start + 4, end).map((byte, index) => byte ^ (mask[index % 4] ?? 0)));
    this.#received = bytes.subarray(end);
    return { opcode: (bytes[0] ?? 0) & 0x0f, data };
  }

  #write(opcode: number, data: Buffer): void {
    if (this.#socket.destroyed) return;
    const head = Buffer.alloc(data.length < 126 ? 2 : 4);
    head[0] = 0x80 | opcode;
    head[1] = Math.min(data.length, 126);
    if (data.length >= 126) head.writeUInt16BE(data.length, 2);
    this.#socket.write(Buffer.concat([head, data]));
  }

  #end(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.#handlers.onEnd();
  }
}
