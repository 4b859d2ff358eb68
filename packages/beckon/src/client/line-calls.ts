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
  madeAt: number;
  /** What was not sent certainly did nothing. */
  isSent: boolean;
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
      const isSent = this.#calls.size < LINE_LIMITS.calls;
      this.#calls.set(ref, { resolve, reject, madeAt: performance.now(), isSent });
      if (isSent) this.#write(text);
      else this.#queue.push({ text, ref });
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
      const { ref, text } = this.#queue.shift() as { text: string; ref: number };
      const call = this.#calls.get(ref);
      if (call === undefined) continue;
      call.isSent = true;
      this.#write(text);
    }
  }

  /** Gives up calls that are too old; `false` if one of them is, and nothing at all was heard since it was made. */
  check(now: number, heardAt: number): boolean {
    for (const [ref, call] of this.#calls) {
      if (now - call.madeAt < CALL_MS) break;
      if (heardAt < call.madeAt) return false;
      this.#calls.delete(ref);
      const error = toUnreachable(this.#baseUrl, `no reply came for ${CALL_MS / 1000} s`);
      call.reject(new PassingFailure(error, { isUnsure: call.isSent }));
    }
    return true;
  }

  /** The connection is lost. */
  lose(error: BeckonError): void {
    for (const call of this.#takeAll()) call.reject(new PassingFailure(error, { isUnsure: call.isSent }));
  }

  /** Ends all of them with this reason. */
  cut(reason: unknown): void {
    for (const call of this.#takeAll()) call.reject(reason);
  }

  #takeAll(): Call[] {
    const calls = [...this.#calls.values()];
    this.#calls.clear();
    this.#queue = [];
    return calls;
  }
}

/** Reads a reply that came over a line, as `readReply` does. */
export function readLineReply(baseUrl: string, status: number, body: unknown): Reply {
  return readReply(baseUrl, { status, body, type: 'a WebSocket', retryAfterMs: RETRY_AFTER_MS });
}
