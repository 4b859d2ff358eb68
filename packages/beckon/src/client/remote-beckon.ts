import type { AnswerEntry, AnswerResult, Asked, Beckon, CancelTarget, GroupResult } from '../core/beckon.ts';
import type { ContextLevel } from '../core/context-level.ts';
import type { AnswerInput } from '../protocol/answers.ts';
import { type Context, type ContextInput, readContext } from '../protocol/context.ts';
import { Duration, toMilliseconds } from '../protocol/duration.ts';
import { BeckonError } from '../protocol/errors.ts';
import type { LogEvent } from '../protocol/events.ts';
import { AnswerEntries, AskGroup, Ids } from '../protocol/group.ts';
import { LogNumber } from '../protocol/http.ts';
import { Id } from '../protocol/ids.ts';
import {
  Answerer,
  AskInput,
  Interaction,
  type InteractionOf,
  type Kind,
  type ParsedAsk,
  type Settled,
} from '../protocol/interaction.ts';
import { JsonRecord, Text } from '../protocol/json.ts';
import { LIMITS } from '../protocol/limits.ts';
import { type InteractionPage, ListFilter } from '../protocol/list.ts';
import { Note } from '../protocol/note.ts';
import { parse, type Schema } from '../protocol/parse.ts';
import {
  AnswerGroupReply,
  AnswerManyReply,
  AnswerReply,
  AskGroupReply,
  CallbackUrl,
  CancelReply,
  ContextReply,
  ListReply,
  NoteReply,
  SayReply,
  SupersedeReply,
} from '../protocol/replies.ts';
import { EventStream } from './event-stream.ts';
import { Http, type HttpOptions } from './http.ts';
import type { Line } from './line.ts';
import { NO_LINE } from './no-line.ts';
import { poll } from './poll.ts';
import { parseReply, type Reply } from './reply.ts';
import { Scopes } from './scope.ts';

/** How long a stream of events may be silent. */
const SILENCE_MS = 45_000;

/** What the client needs. */
export interface RemoteBeckonOptions extends Omit<HttpOptions, 'beforeAttempt'> {
  /** Hears of failures that a wait or a stream of events survives. */
  onError: (error: unknown) => void;
  /** How much of what surrounds a request is sent. */
  contextLevel: ContextLevel;
}

/** Beckon over HTTP. After `close` every call fails with `closed`. */
export class RemoteBeckon implements Beckon {
  readonly #http: Http;
  readonly #line: Line | undefined;
  readonly #scopes = new Scopes();
  readonly #opening = new Set<EventStream>();
  readonly #onError: (error: unknown) => void;
  readonly #contextLevel: ContextLevel;
  /** Random bytes for each key would cost as much as the rest of an ask. */
  readonly #keyPrefix = `ask_${newRandomHex()}_`;
  #keys = 0;
  #closing: Promise<void> | undefined;

  constructor({ onError, contextLevel, ...options }: RemoteBeckonOptions) {
    this.#onError = onError;
    this.#contextLevel = contextLevel;
    this.#line = options.line;
    this.#http = new Http({ ...options, beforeAttempt: (deadline) => this.#whenStreamsOpen(deadline) });
  }

  /**
   * The token says who asks, so `askedBy` is not sent. An ask without a key gets one, so that it can be retried safely.
   */
  async ask<K extends Kind>(input: AskInput<K>): Promise<Asked<K>> {
    this.#scopes.assertOpen();
    const body = await this.#toBody(parse(AskInput, input, { what: 'ask input' }));
    const call = { verb: 'ask', id: null } as const;
    const reply = await this.#http.call({ method: 'POST', path: '/v1/interactions', body, call });
    const asked = this.#parse(Interaction, reply);
    // Only components have one, and a second check would cost every ask.
    return (asked.kind === 'component' ? { ...asked, ...this.#parse(CallbackUrl, reply) } : asked) as Asked<K>;
  }

  /** Like `ask`. */
  async askGroup<K extends Kind>(inputs: readonly AskInput<K>[]): Promise<Asked<K>[]> {
    this.#scopes.assertOpen();
    const group = parse(AskGroup, inputs, { what: 'group of asks' });
    const asks = await Promise.all(group.map(async (input) => this.#toBody(input)));
    return this.#parse(AskGroupReply, await this.#post('/v1/groups', { asks })).items as Asked<K>[];
  }

  // Not an async function: there may be ten thousand of them.
  wait<K extends Kind = Kind>(
    id: string,
    options: { timeout?: Duration; signal?: AbortSignal } = {},
  ): Promise<Settled<K>> {
    const { timeout, signal } = options;
    if (this.#line === undefined || timeout !== undefined || signal !== undefined) return this.#waitUpTo(id, options);
    try {
      this.#scopes.assertOpen();
      const waiting = this.#line.wait(parseId(id)) as Promise<Settled<K>>;
      return waiting.then(this.#toSettled, (error) => {
        if (error !== NO_LINE) throw error;
        return this.#waitUpTo(id, {});
      }) as Promise<Settled<K>>;
    } catch (error) {
      return Promise.reject(error);
    }
  }

  async #waitUpTo<K extends Kind>(
    id: string,
    { timeout, signal }: { timeout?: Duration; signal?: AbortSignal },
  ): Promise<Settled<K>> {
    this.#scopes.assertOpen();
    parseId(id);
    const timeoutMs =
      timeout === undefined ? undefined : toMilliseconds(parse(Duration, timeout, { what: 'wait timeout' }));
    signal?.throwIfAborted();
    const limit =
      timeoutMs === undefined ? undefined : { ms: timeoutMs, toReason: () => toTimeoutError(id, timeoutMs) };
    const scope = this.#scopes.open(signal, limit);
    try {
      const overLine = await this.#line?.wait(id, scope.signal).catch((error: unknown) => {
        if (error !== NO_LINE) throw error;
      });
      if (overLine !== undefined) return this.#toSettled(overLine) as Settled<K>;
      const settled = await poll({
        http: this.#http,
        path: `/v1/interactions/${id}`,
        schema: Interaction,
        isOver: ({ status }) => status !== 'pending',
        signal: scope.signal,
        onError: this.#onError,
      });
      return settled as Settled<K>;
    } finally {
      scope.end();
    }
  }

  /** The token says who answers; `by` is kept as a claim. After a lost reply an accepted answer is `repeated`. */
  async answer(id: string, answer: AnswerInput, by: Answerer): Promise<AnswerResult> {
    this.#scopes.assertOpen();
    const path = `/v1/interactions/${parseId(id)}/answer`;
    const { via, who: claimedBy } = parse(Answerer, by, { what: 'answerer' });
    const sent = parse(JsonRecord, answer, { what: 'answer', code: 'invalid_answer' });
    const { error, body } = await this.#http.call({
      method: 'POST',
      path,
      body: { answer: sent, via, claimedBy },
      call: { verb: 'answer', id },
    });
    if (error?.code === 'interaction_not_found') return { result: 'unknown', interaction: null };
    if (error !== null && error.code !== 'answer_lost' && error.code !== 'answer_late') throw error;
    return parseReply(this.#http.baseUrl, AnswerReply, body);
  }

  /** Like `answer`. */
  async answerMany(ids: readonly string[], answer: AnswerInput, by: Answerer): Promise<AnswerResult[]> {
    this.#scopes.assertOpen();
    const { via, who: claimedBy } = parse(Answerer, by, { what: 'answerer' });
    const sent = parse(JsonRecord, answer, { what: 'answer', code: 'invalid_answer' });
    const body = { ids: parse(Ids, ids, { what: 'ids' }), answer: sent, via, claimedBy };
    return this.#parse(AnswerManyReply, await this.#post('/v1/answers', body)).results;
  }

  /** Like `answer`. */
  async answerGroup(groupId: string, answers: readonly AnswerEntry[], by: Answerer): Promise<GroupResult> {
    this.#scopes.assertOpen();
    const { via, who: claimedBy } = parse(Answerer, by, { what: 'answerer' });
    const body = { answers: parse(AnswerEntries, answers, { what: 'answers' }), via, claimedBy };
    return this.#parse(AnswerGroupReply, await this.#post(`/v1/groups/${parseId(groupId)}/answer`, body));
  }

  /**
   * Retried only if the server certainly did not handle it, because the same text could then answer another request. If
   * that is uncertain, it rejects with `unreachable` and says so.
   */
  async say(chatId: string, text: string, by: Answerer, options: { seen?: number | undefined } = {}): Promise<boolean> {
    this.#scopes.assertOpen();
    const said = parse(Text, text, { what: 'text' });
    const { via, who: claimedBy } = parse(Answerer, by, { what: 'answerer' });
    const seen = options.seen === undefined ? undefined : parse(LogNumber, options.seen, { what: 'seen' });
    const path = `/v1/chats/${parseId(chatId)}/say`;
    const reply = await this.#http.call(
      { method: 'POST', path, body: { text: said, via, claimedBy, seen } },
      { isRepeatable: false },
    );
    return this.#parse(SayReply, reply).routed;
  }

  /**
   * Safe to retry. After a lost reply an interaction that has ended as wanted counts as ended by this call. When a
   * whole chat was cancelled, the ids in the lost reply are missing.
   */
  async cancel(target: CancelTarget, reason?: string): Promise<string[]> {
    this.#scopes.assertOpen();
    const said = parseReason(reason);
    if (!('id' in target)) {
      return this.#parse(CancelReply, await this.#post(`/v1/chats/${parseId(target.chatId)}/cancel`, said)).cancelled;
    }
    const id = parseId(target.id);
    const { error, body, isUnsure } = await this.#http.call({
      method: 'POST',
      path: `/v1/interactions/${id}/cancel`,
      body: said,
      call: { verb: 'cancel', id },
    });
    // The same as in process: what does not exist is not cancelled.
    if (error?.code === 'interaction_not_found') return [];
    const { cancelled } = this.#parse(CancelReply, { error, body });
    const isMine = cancelled.length === 0 && isUnsure && (await this.#hasEnded(id, 'cancelled', reason));
    return isMine ? [id] : cancelled;
  }

  /** Safe to retry, like `cancel`. */
  async supersede(id: string, reason?: string): Promise<boolean> {
    this.#scopes.assertOpen();
    const path = `/v1/interactions/${parseId(id)}/supersede`;
    const { error, body, isUnsure } = await this.#http.call({
      method: 'POST',
      path,
      body: parseReason(reason),
      call: { verb: 'supersede', id },
    });
    if (error?.code === 'interaction_not_found') return false;
    const { superseded } = this.#parse(SupersedeReply, { error, body });
    return superseded || (isUnsure && (await this.#hasEnded(id, 'superseded', reason)));
  }

  async note(id: string, note: Note): Promise<boolean> {
    this.#scopes.assertOpen();
    const path = `/v1/interactions/${parseId(id)}/notes`;
    const reply = await this.#post(path, parse(Note, note, { what: 'note' }));
    return reply.error?.code === 'interaction_not_found' ? false : this.#parse(NoteReply, reply).noted;
  }

  async get<K extends Kind = Kind>(id: string): Promise<InteractionOf<K> | null> {
    this.#scopes.assertOpen();
    const path = `/v1/interactions/${parseId(id)}`;
    const reply = await this.#http.call({ method: 'GET', path, call: { verb: 'get', id } });
    return reply.error?.code === 'interaction_not_found' ? null : (this.#parse(Interaction, reply) as InteractionOf<K>);
  }

  async context(id: string): Promise<Context | null> {
    this.#scopes.assertOpen();
    const reply = await this.#http.call({ method: 'GET', path: `/v1/interactions/${parseId(id)}/context` });
    return reply.error?.code === 'interaction_not_found' ? null : this.#parse(ContextReply, reply).context;
  }

  async list(filter: ListFilter = {}): Promise<InteractionPage> {
    this.#scopes.assertOpen();
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(parse(ListFilter, filter, { what: 'list filter' }))) {
      if (value !== undefined) query.set(name, String(value));
    }
    const reply = await this.#http.call({ method: 'GET', path: `/v1/interactions?${query.toString()}` });
    const { items, next, lastSeq, incomplete } = this.#parse(ListReply, reply);
    return { items, ...(next !== undefined && { next }), lastSeq, ...(incomplete && { incomplete }) };
  }

  /**
   * Without `after` it connects at once, and later calls of this client wait for it, so that the stream has what they
   * do.
   */
  events(options: { after?: number; signal?: AbortSignal } = {}): AsyncIterable<LogEvent> {
    this.#scopes.assertOpen();
    const stream = new EventStream({
      http: this.#http,
      line: this.#line,
      scope: this.#scopes.open(options.signal),
      after: options.after,
      onError: this.#onError,
      silenceMs: SILENCE_MS,
    });
    this.#opening.add(stream);
    void stream.opening.then(() => this.#opening.delete(stream));
    return stream.read();
  }

  /** Ends waits and streams at once, and gives calls in progress a few seconds to finish. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const error = new BeckonError(
      'closed',
      'Beckon was closed. Nothing is lost: connect again and wait for the same id.',
    );
    this.#scopes.closeAll(error);
    await this.#http.close(error);
  }

  #post(path: string, body: object): Promise<Reply> {
    return this.#http.call({ method: 'POST', path, body });
  }

  #toBody(input: ParsedAsk): object | Promise<object> {
    const { askedBy: _, askerId: __, context, ...body } = input;
    body.idempotencyKey ??= this.#newKey();
    const level = this.#contextLevel;
    if (context === undefined || level === 'off') return body;
    return toSentContext(context, level).then((sent) => ({ ...body, context: sent }));
  }

  #newKey(): string {
    this.#keys += 1;
    return this.#keyPrefix + this.#keys.toString(36);
  }

  readonly #toSettled = (body: unknown): Interaction => parseReply(this.#http.baseUrl, Interaction, body);

  #parse<Output>(schema: Schema<Output>, { error, body }: Reply): Output {
    if (error !== null) throw error;
    return parseReply(this.#http.baseUrl, schema, body);
  }

  async #hasEnded(id: string, as: 'cancelled' | 'superseded', reason: string | undefined): Promise<boolean> {
    const interaction = await this.get(id);
    return interaction?.status === as && interaction.reason === reason;
  }

  // Each stream gets at least one attempt, and as many as there are before the deadline.
  #whenStreamsOpen(deadline: number): Promise<void> | undefined {
    return this.#opening.size === 0 ? undefined : this.#untilStreamsOpen(deadline);
  }

  async #untilStreamsOpen(deadline: number): Promise<void> {
    for (const stream of this.#opening) {
      do await Promise.race([stream.opening, stream.whenTried()]);
      while (this.#opening.has(stream) && performance.now() < deadline);
    }
  }
}

// Secrets are masked before they leave this machine. A context too large to be sent must not stop the request. A page
// that only answers need not load the patterns.
async function toSentContext(context: ContextInput, level: 'full' | 'summary'): Promise<ContextInput> {
  const { maskContext } = await import('../core/mask-secrets.ts');
  const { limitContext } = await import('../core/context-level.ts');
  const masked = maskContext(limitContext(context, level));
  if (JSON.stringify(masked).length <= LIMITS.requestBytes / 4) return masked;
  const { notes: _, ...fitting } = readContext(masked);
  return fitting;
}

function parseId(id: string): string {
  return parse(Id, id, { what: 'id' });
}

function parseReason(reason: string | undefined): { reason?: string } {
  return reason === undefined ? {} : { reason: parse(Text, reason, { what: 'reason' }) };
}

// Browsers have `randomUUID` on secure pages only.
function newRandomHex(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), toHex).join('');
}

function toHex(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}

function toTimeoutError(id: string, timeoutMs: number): BeckonError {
  return new BeckonError(
    'wait_timed_out',
    `The request ${id} was not settled within ${timeoutMs / 1000} s. It is still pending: wait again, or cancel it.`,
  );
}
