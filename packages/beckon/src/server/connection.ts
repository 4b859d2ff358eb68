import type { WebSocket } from '@fastify/websocket';
import type { Times } from './times.ts';

/** WebSockets have no room for more. */
const MOST_REASON_BYTES = 123;

/** The server's side of a WebSocket. A client that reads nothing, or does not close properly, is cut off. */
export class Connection {
  readonly #socket: WebSocket;
  readonly #times: Times;
  #isAlive = true;
  #isClosing = false;

  constructor(socket: WebSocket, times: Times) {
    this.#socket = socket;
    this.#times = times;
    socket.on('pong', () => {
      this.#isAlive = true;
    });
  }

  /** Whether `close` was called. What is sent after it does not arrive. */
  get isClosing(): boolean {
    return this.#isClosing;
  }

  /** Resolves when the message has left, so a slow reader slows the log down instead of filling memory. */
  send(message: object): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('The reader is too slow')), this.#times.slowReaderMs);
      this.#socket.send(JSON.stringify(message), (error) => {
        clearTimeout(timer);
        if (error) reject(error);
        else resolve();
      });
    });
  }

  /** Sends a ping. Cuts the connection if the last one was not answered. */
  ping(): void {
    // While nothing is taken from a client, its answer is not heard. Whoever paused it watches it.
    if (this.#socket.isPaused) this.#isAlive = true;
    if (!this.#isAlive) this.#socket.terminate();
    this.#isAlive = false;
    this.#socket.ping();
  }

  close(code: number, reason: string): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#socket.close(code, toShortReason(reason));
    const timer = setTimeout(() => this.#socket.terminate(), this.#times.goodbyeMs);
    this.#socket.once('close', () => clearTimeout(timer));
  }
}

// A longer one is refused with an error. What is cut in the middle of a character takes up to two bytes more.
function toShortReason(reason: string): string {
  return Buffer.from(reason)
    .subarray(0, MOST_REASON_BYTES - 2)
    .toString();
}
