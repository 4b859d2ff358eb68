import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** One request. */
export interface RequestInput {
  method: 'GET' | 'POST';
  path: string;
  token?: string;
  /** JSON. */
  body?: string;
}

/**
 * A client's connection that sends one request at a time. It knows as much of HTTP as the servers of this benchmark
 * speak, and so costs much less than what it measures.
 */
export class Connection {
  readonly #socket: Socket;
  readonly #host: string;
  #received = '';
  #waiting: { resolve(body: string): void; reject(error: Error): void } | undefined;

  private constructor(socket: Socket, host: string) {
    this.#socket = socket;
    this.#host = host;
    socket.setNoDelay(true);
    // One character for each byte, so that lengths fit.
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => this.#receive(text));
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('The server closed the connection')));
  }

  static async open(url: string): Promise<Connection> {
    const { hostname, port, host } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    return new Connection(socket, host);
  }

  /** Opens many, some at a time, so that none is refused. */
  static async openMany(url: string, count: number): Promise<Connection[]> {
    const connections: Connection[] = [];
    while (connections.length < count) {
      const length = Math.min(200, count - connections.length);
      connections.push(...(await Promise.all(Array.from({ length }, () => Connection.open(url)))));
    }
    return connections;
  }

  /** Sends a request and gives the body of its reply, which must be a success. */
  send(request: RequestInput): Promise<string> {
    return new Promise((resolve, reject) => {
      if (this.#waiting !== undefined) throw new Error('Expected one request at a time');
      this.#waiting = { resolve, reject };
      this.#socket.write(formatRequest(request, this.#host));
    });
  }

  /** Sends a request whose reply does not end, and hands over what comes. */
  stream(request: RequestInput, onText: (text: string) => void): void {
    this.#socket.removeAllListeners('data').on('data', onText);
    this.#socket.write(formatRequest(request, this.#host));
  }

  close(): void {
    this.#socket.destroy();
  }

  #receive(text: string): void {
    this.#received += text;
    const headEnd = this.#received.indexOf('\r\n\r\n');
    if (headEnd < 0) return;
    const head = this.#received.slice(0, headEnd);
    const end = headEnd + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1]);
    if (this.#received.length < end) return;
    const body = this.#received.slice(headEnd + 4, end);
    this.#received = this.#received.slice(end);
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (/^HTTP\/1\.1 2\d\d/.test(head)) waiting?.resolve(body);
    else waiting?.reject(new Error(`Expected a success, got ${head.split('\r\n')[0]}: ${body}`));
  }

  #fail(error: Error): void {
    this.#waiting?.reject(error);
    this.#waiting = undefined;
  }
}

function formatRequest({ method, path, token, body }: RequestInput, host: string): string {
  const authorization = token === undefined || token === '' ? '' : `authorization: Bearer ${token}\r\n`;
  const content =
    body === undefined
      ? ''
      : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body, 'latin1')}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n${authorization}${content}\r\n${body ?? ''}`;
}
