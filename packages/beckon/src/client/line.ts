import { LINE_LIMITS, type LineReply, STREAMED, type Verb } from '../protocol/line.ts';
import { pause } from '../timing/pause.ts';
import { toPauseMs } from './backoff.ts';
import { PassingFailure, toUnreachable } from './failures.ts';
import { CALL_MS, LineCalls, readLineReply } from './line-calls.ts';
import { LineOpener } from './line-opener.ts';
import type { LinePlace, LineSocket, Opened } from './line-place.ts';
import { LineStream } from './line-stream.ts';
import { LineWriter } from './line-writer.ts';
import { NO_LINE } from './no-line.ts';
import { type Reply, toJson } from './reply.ts';

/** The server sends something every 15 s. A line silent for this long is dead. */
const SILENCE_MS = 45_000;
/** How often calls and silence are looked at. */
const CHECK_MS = 1000;

interface Wait {
  id: string;
  resolve(body: unknown): void;
  reject(error: unknown): void;
}

/**
 * One WebSocket for the calls, waits and streams of a client. It opens with the first call and again after a cut, as
 * long as somebody needs it. Waits live through cuts; calls fail with `PassingFailure`, so that their caller repeats
 * what may be repeated. Where a server or a proxy refuses WebSockets, it says so and HTTP is used.
 */
export class Line {
  readonly #baseUrl: string;
  readonly #place: LinePlace;
  readonly #onError: (error: unknown) => void;
  readonly #waits = new Map<number, Wait>();
  readonly #streams = new Map<number, LineStream>();
  readonly #closing = new AbortController();
  readonly #calls: LineCalls;
  readonly #opener: LineOpener;
  #socket: LineSocket | undefined;
  #writer: LineWriter | undefined;
  #opening: Promise<Opened> | undefined;
  #checks: ReturnType<typeof setInterval> | undefined;
  #ref = 0;
  #heardAt = 0;
  #isReopening = false;

  constructor(baseUrl: string, place: LinePlace, onError: (error: unknown) => void) {
    this.#baseUrl = baseUrl;
    this.#place = place;
    this.#onError = onError;
    this.#calls = new LineCalls(baseUrl, (text) => this.#writer?.write(text));
    this.#opener = new LineOpener(place, this.#closing.signal);
  }

  /** Sends a call; `null` if it must go over HTTP. Throws `PassingFailure` if another attempt may succeed. */
  send(verb: Verb, id: string | null, body: object | undefined): Promise<Reply | null> {
    return this.#socket === undefined ? this.#sendLater(verb, id, body) : this.#sendNow(verb, id, body);
  }

  /** Waits until the interaction has ended, and gives it unchecked. Rejects with `NO_LINE` where HTTP must be used. */
  wait(id: string, signal?: AbortSignal): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#ref += 1;
      const ref = this.#ref;
      if (this.#waits.size >= LINE_LIMITS.waits) return reject(NO_LINE);
      const wait = signal === undefined ? { id, resolve, reject } : this.#limit({ id, resolve, reject }, ref, signal);
      this.#waits.set(ref, wait);
      if (this.#socket === undefined) void this.#reopen();
      else this.#writer?.write(toWaitText(ref, id));
      this.#hold();
    });
  }

  /** Follows the log; `null` if that must be done over HTTP. */
  async follow(after: number | undefined, signal: AbortSignal): Promise<LineStream | null> {
    if (!(await this.#isReady()) || this.#streams.size >= LINE_LIMITS.streams) return null;
    signal.throwIfAborted();
    this.#ref += 1;
    const ref = this.#ref;
    const end = (): void => stream.end(signal.reason);
    const stream = new LineStream(this.#baseUrl, {
      read: (events) => this.#streams.has(ref) && this.#writer?.write(`[${ref},"read",null,${events}]`),
      leave: () => {
        signal.removeEventListener('abort', end);
        if (this.#streams.delete(ref)) this.#writer?.write(`[${ref},"drop"]`);
        this.#hold();
      },
    });
    signal.addEventListener('abort', end);
    this.#streams.set(ref, stream);
    this.#writer?.write(`[${ref},"follow",null,${after ?? 'null'}]`);
    this.#hold();
    return stream;
  }

  /** Ends waits and streams, and opens no more. Calls may finish until `cut`. */
  close(reason: unknown): void {
    this.#closing.abort(reason);
    this.#failWaits(reason);
    if (this.#calls.size === 0) this.cut(reason);
  }

  /** Ends everything at once. */
  cut(reason: unknown): void {
    this.#calls.cut(reason);
    this.#giveUp('closed');
  }

  // Not an async function: it runs for every call.
  #sendNow(verb: Verb, id: string | null, body: object | undefined): Promise<Reply | null> {
    this.#ref += 1;
    const ref = this.#ref;
    const json = body === undefined ? '' : `,${JSON.stringify(body)}`;
    const text = `[${ref},"${verb}",${id === null ? 'null' : `"${id}"`}${json}]`;
    if (text.length > LINE_LIMITS.frameChars) return Promise.resolve(null);
    const reply = this.#calls.send(ref, text);
    if (this.#calls.size === 1) this.#hold();
    return reply;
  }

  async #sendLater(verb: Verb, id: string | null, body: object | undefined): Promise<Reply | null> {
    return (await this.#isReady()) ? this.#sendNow(verb, id, body) : null;
  }

  /** Opens the line if it is not. Throws if the token is not valid. */
  async #isReady(): Promise<boolean> {
    if (this.#socket !== undefined) return true;
    if (this.#closing.signal.aborted) return false;
    if (this.#opener.isRefused) return false;
    // After a refusal nobody waits for the next attempt.
    const { isTrial } = this.#opener;
    const opening = this.#open();
    if (isTrial) {
      void opening.catch(() => undefined);
      return false;
    }
    const opened = await opening;
    if (opened instanceof Error) throw opened;
    return this.#socket !== undefined;
  }

  #open(): Promise<Opened> {
    this.#opening ??= this.#tryToOpen().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #tryToOpen(): Promise<Opened> {
    const own: { socket?: LineSocket } = {};
    const opened = await this.#opener.open({
      onText: (text) => this.#hear(text),
      onSign: () => {
        this.#heardAt = performance.now();
      },
      onEnd: (why) => {
        if (own.socket !== undefined && own.socket === this.#socket) this.#lose(why);
      },
    });
    if (this.#opener.isRefused) this.#failWaits(NO_LINE);
    if (typeof opened === 'string' || opened instanceof Error) return opened;
    own.socket = opened;
    if (this.#closing.signal.aborted) {
      opened.close();
      return 'unreachable';
    }
    this.#begin(opened);
    return opened;
  }

  #begin(socket: LineSocket): void {
    this.#socket = socket;
    this.#writer = new LineWriter(socket, this.#place);
    this.#heardAt = performance.now();
    this.#checks = setInterval(() => this.#check(), CHECK_MS);
    if (typeof this.#checks === 'object') this.#checks.unref();
    for (const [ref, { id }] of this.#waits) this.#writer?.write(toWaitText(ref, id));
    this.#hold();
  }

  #lose(why: string): void {
    if (this.#socket === undefined) return;
    this.#socket = undefined;
    this.#writer?.clear();
    this.#writer = undefined;
    clearInterval(this.#checks);
    const error = toUnreachable(this.#baseUrl, why);
    this.#calls.lose(error);
    const streams = [...this.#streams.values()];
    this.#streams.clear();
    for (const stream of streams) stream.fail(new PassingFailure(error, { isUnsure: false }));
    this.#opener.noteLoss();
    if (this.#opener.isRefused) this.#failWaits(NO_LINE);
    if (this.#waits.size === 0) return;
    this.#tell(error);
    void this.#reopen();
  }

  /** Tries to open the line as long as somebody waits. */
  async #reopen(): Promise<void> {
    if (this.#isReopening) return;
    this.#isReopening = true;
    try {
      for (let failures = this.#opener.breaks; this.#waits.size > 0 && this.#socket === undefined; failures += 1) {
        if (failures > 0) await pause(toPauseMs(failures - 1), this.#closing.signal);
        const opened = this.#opener.isRefused ? 'refused' : await this.#open();
        if (opened === 'refused') this.#failWaits(NO_LINE);
        else if (opened instanceof Error) this.#failWaits(opened);
        else if (this.#socket === undefined) this.#tell(toUnreachable(this.#baseUrl, 'no connection'));
      }
    } catch (error) {
      // Closed, and so are the waits; or nothing can be opened here at all.
      this.#failWaits(error);
    } finally {
      this.#isReopening = false;
    }
  }

  // As over HTTP, what it throws ends the waits. Otherwise they would wait for nothing.
  #tell(error: unknown): void {
    try {
      this.#onError(error);
    } catch (thrown) {
      this.#failWaits(thrown);
    }
  }

  #failWaits(reason: unknown): void {
    const waits = [...this.#waits.values()];
    this.#waits.clear();
    for (const wait of waits) wait.reject(reason);
  }

  #hear(text: string): void {
    this.#heardAt = performance.now();
    const replies = toJson(text);
    if (!Array.isArray(replies)) return this.#giveUp('the server does not speak this protocol');
    this.#opener.noteReply();
    for (const reply of replies as LineReply[]) this.#take(reply);
    this.#calls.sendQueued();
    if (this.#calls.size === 0) this.#hold();
  }

  #take([ref, status, body]: LineReply): void {
    if (this.#calls.settle(ref, status, body)) return;
    const wait = this.#waits.get(ref);
    if (wait !== undefined) return this.#endWait(ref, wait, status, body);
    const stream = this.#streams.get(ref);
    if (stream === undefined) return;
    if (status === STREAMED) return stream.push(body);
    this.#streams.delete(ref);
    stream.fail(this.#toError(status, body));
  }

  // A server that is busy, or stopping, ends no wait: it is sent again.
  #endWait(ref: number, wait: Wait, status: number, body: unknown): void {
    if (status === 200) {
      this.#waits.delete(ref);
      return wait.resolve(body);
    }
    const error = this.#toError(status, body);
    if (!(error instanceof PassingFailure)) {
      this.#waits.delete(ref);
      return wait.reject(error);
    }
    this.#tell(error.error);
    void pause(toPauseMs(0, error.retryAfterMs), this.#closing.signal).then(
      () => this.#waits.has(ref) && this.#writer?.write(toWaitText(ref, wait.id)),
      () => undefined,
    );
  }

  #toError(status: number, body: unknown): unknown {
    try {
      const reply = readLineReply(this.#baseUrl, status, body);
      return reply.error ?? new PassingFailure(toUnreachable(this.#baseUrl, 'it ended early'), { isUnsure: false });
    } catch (error) {
      return error;
    }
  }

  /** Ends a wait with the signal's reason when it aborts. */
  #limit(wait: Wait, ref: number, signal: AbortSignal): Wait {
    const leave = (): void => {
      if (this.#waits.delete(ref)) this.#writer?.write(`[${ref},"drop"]`);
      this.#hold();
      wait.reject(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
    return {
      id: wait.id,
      resolve: (body) => {
        signal.removeEventListener('abort', leave);
        wait.resolve(body);
      },
      reject: (error) => {
        signal.removeEventListener('abort', leave);
        wait.reject(error);
      },
    };
  }

  /** The process stays for calls, waits and streams, but not for an idle line. */
  #hold(): void {
    this.#socket?.hold(this.#calls.size + this.#waits.size + this.#streams.size > 0);
  }

  #check(): void {
    const now = performance.now();
    if (now - this.#heardAt > SILENCE_MS) this.#giveUp(`nothing was heard for ${SILENCE_MS / 1000} s`);
    else if (!this.#calls.check(now, this.#heardAt)) this.#giveUp(`nothing was heard for ${CALL_MS / 1000} s`);
    this.#calls.sendQueued();
    this.#hold();
  }

  #giveUp(why: string): void {
    this.#socket?.close();
    this.#lose(why);
  }
}

function toWaitText(ref: number, id: string): string {
  return `[${ref},"wait","${id}"]`;
}
