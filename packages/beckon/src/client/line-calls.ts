import type { BeckonError } from '../protocol/errors.ts';
import { LINE_LIMITS } from '../protocol/line.ts';
import { PassingFailure, toUnreachable } from './failures.ts';
import { type Reply, readReply } from './reply.ts';

/** How long a call may be without a reply. */
export const CALL_MS = 20_000;
/** What a busy server asks for over HTTP, too. */
const RETRY_AFTER_MS = 1000;

interface Call {
  resolve(reply: Reply): void;
  reject(error: unknown): void;
  sentAt: number;
}

/** The calls of a line that have no reply yet. Those that the server would not take at once are sent later. */
export class LineCalls {
  readonly #baseUrl: string;
  readonly #write: (text: string) => void;
  /** In the order in which they were made. */
  readonly #calls = new Map<number, Call>();
  #queue: { text: string; ref: number }[] = [];

  constructor(baseUrl: string, write: (text: string) => void) {
    this.#baseUrl = baseUrl;
    this.#write = write;
  }

  get size(): number {
    return this.#calls.size;
  }

  /** Resolves with the reply. Rejects with `PassingFailure` if another attempt may succeed. */
  send(ref: number, text: string): Promise<Reply> {
    return new Promise((resolve, reject) => {
      this.#calls.set(ref, { resolve, reject, sentAt: performance.now() });
      if (this.#calls.size > LINE_LIMITS.calls) this.#queue.push({ text, ref });
      else this.#write(text);
    });
  }

  /** Hands a reply to whoever made the call; `false` if it is not for a call. */
  settle(ref: number, status: number, body: unknown): boolean {
    const call = this.#calls.get(ref);
    if (call === undefined) return false;
    this.#calls.delete(ref);
    try {
      call.resolve(readLineReply(this.#baseUrl, status, body));
    } catch (error) {
      call.reject(error);
    }
    return true;
  }

  /** Sends what had to wait for replies. */
  sendQueued(): void {
    while (this.#queue.length > 0 && this.#calls.size - this.#queue.length < LINE_LIMITS.calls) {
      const next = this.#queue.shift();
      if (next !== undefined && this.#calls.has(next.ref)) this.#write(next.text);
    }
  }

  /** Gives up calls that are too old; `false` if one of them is, and nothing at all was heard since it was made. */
  check(now: number, heardAt: number): boolean {
    for (const [ref, call] of this.#calls) {
      if (now - call.sentAt < CALL_MS) break;
      if (heardAt < call.sentAt) return false;
      this.#calls.delete(ref);
      const error = toUnreachable(this.#baseUrl, `no reply came for ${CALL_MS / 1000} s`);
      call.reject(new PassingFailure(error, { isUnsure: true }));
    }
    return true;
  }

  /** The connection is lost. What was still in the queue certainly did not arrive. */
  lose(error: BeckonError): void {
    const unsent = new Set(this.#queue.map(({ ref }) => ref));
    for (const [ref, call] of this.#takeAll()) call.reject(new PassingFailure(error, { isUnsure: !unsent.has(ref) }));
  }

  /** Ends all of them with this reason. */
  cut(reason: unknown): void {
    for (const [, call] of this.#takeAll()) call.reject(reason);
  }

  #takeAll(): [number, Call][] {
    const calls = [...this.#calls];
    this.#calls.clear();
    this.#queue = [];
    return calls;
  }
}

/** Reads a reply that came over a line, as `readReply` does. */
export function readLineReply(baseUrl: string, status: number, body: unknown): Reply {
  return readReply(baseUrl, { status, body, type: 'a WebSocket', retryAfterMs: RETRY_AFTER_MS });
}
