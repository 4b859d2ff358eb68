import { Duration, toMilliseconds } from '../protocol/duration.ts';
import { BeckonError } from '../protocol/errors.ts';
import { DEFAULT_TIMEOUT_SECONDS } from '../protocol/limits.ts';
import { parse } from '../protocol/parse.ts';
import { parseJson } from '../protocol/parse-json.ts';
import { toProblem } from '../protocol/problem.ts';
import { toGrowingMs } from '../timing/backoff.ts';
import { startTimer } from '../timing/timer.ts';
import { type AwaitOptions, type Callback, type CallbackEvent, parseEvent } from './callback.ts';
import { Round } from './round.ts';

const BACKOFF = { firstMs: 200, longestMs: 10_000 };

/**
 * A callback over a WebSocket that the agent opens. The first message that is an event counts. It connects on first
 * use, reconnects if the connection breaks, and disconnects once it has its event.
 */
export class WebSocketCallback implements Callback {
  readonly #url: string;
  #round: Round | undefined;
  #socket: WebSocket | undefined;
  #wasConnected = false;
  #failures = 0;
  #stopTimer: () => void = () => undefined;

  constructor(wsUrl: string) {
    const protocol = URL.canParse(wsUrl) ? new URL(wsUrl).protocol : undefined;
    if (protocol === undefined || !/^wss?:$/.test(protocol)) {
      const got = protocol === undefined ? 'a text that is no URL' : `one that begins with ${protocol}`;
      throw new TypeError(`Expected a URL that begins with ws:// or wss://, got ${got}.`);
    }
    this.#url = wsUrl;
  }

  endpoint(): string {
    return this.#url;
  }

  async awaitInteraction(
    timeout: Duration = DEFAULT_TIMEOUT_SECONDS,
    { signal }: AwaitOptions = {},
  ): Promise<CallbackEvent> {
    const timeoutMs = toMilliseconds(parse(Duration, timeout, { what: 'timeout' }));
    return this.#ensureRound().wait(timeoutMs, signal);
  }

  /** Forgets the last event and connects. */
  open(): void {
    if (this.#round?.isOver === true) this.#round = undefined;
    this.#ensureRound();
  }

  /** Ends the waits and disconnects. */
  close(): void {
    this.#round?.fail(new BeckonError('closed', 'The callback was closed.'));
    this.#round = undefined;
    this.#disconnect();
  }

  #ensureRound(): Round {
    if (this.#round !== undefined) return this.#round;
    const forget = (): void => {
      this.#round = undefined;
      this.#disconnect();
    };
    const round = new Round({ onTimeout: forget, onQuiet: forget });
    this.#round = round;
    this.#wasConnected = false;
    this.#failures = 0;
    this.#connect(round);
    return round;
  }

  #connect(round: Round): void {
    const socket = new WebSocket(this.#url);
    this.#socket = socket;
    socket.addEventListener('open', () => {
      this.#wasConnected = true;
      this.#failures = 0;
    });
    socket.addEventListener('message', ({ data }) => this.#hear(round, socket, data));
    socket.addEventListener('close', () => this.#lose(round, socket));
    // "close" follows, and handles it.
    socket.addEventListener('error', () => undefined);
  }

  #hear(round: Round, socket: WebSocket, data: unknown): void {
    if (this.#round !== round || round.isOver) return;
    try {
      round.settle(parseEvent(parseJson(String(data), () => 'The message is not JSON.')));
      this.#disconnect();
    } catch (error) {
      const known = error instanceof BeckonError ? error : new BeckonError('invalid_input', 'The message is not JSON.');
      socket.send(JSON.stringify(toProblem(known)));
    }
  }

  #lose(round: Round, socket: WebSocket): void {
    if (this.#socket !== socket || this.#round !== round || round.isOver) return;
    if (!this.#wasConnected) {
      this.#round = undefined;
      const where = toPublicUrl(this.#url);
      round.fail(new BeckonError('unreachable', `Nothing answers at ${where}. Is the page's server running?`));
      return;
    }
    this.#failures += 1;
    this.#stopTimer = startTimer(toGrowingMs(this.#failures, BACKOFF), () => this.#connect(round), { isQuiet: true });
  }

  #disconnect(): void {
    this.#stopTimer();
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
  }
}

// Errors end up in logs, and the user name or the query may be a secret.
function toPublicUrl(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}
