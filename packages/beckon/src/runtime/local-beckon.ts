import type {
  AnswerEntry,
  AnswerResult,
  Asked,
  CancelTarget,
  GroupResult,
  ServedBeckon,
  Watcher,
} from '../core/beckon.ts';
import { type Clock, toIso } from '../core/clock.ts';
import { type ContextLevel, limitContext } from '../core/context-level.ts';
import { maskContext } from '../core/mask-secrets.ts';
import type { Changes, Commit, NewInteraction, Store } from '../core/store.ts';
import type { AnswerInput } from '../protocol/answers.ts';
import { type Context, type ContextInput, readContext, toContextSummary } from '../protocol/context.ts';
import { Duration, toMilliseconds } from '../protocol/duration.ts';
import { BeckonError, toNotFoundError } from '../protocol/errors.ts';
import type { LogEvent } from '../protocol/events.ts';
import { AnswerEntries, AskGroup, Ids } from '../protocol/group.ts';
import { LogNumber } from '../protocol/http.ts';
import { DEFAULT_CHAT_ID, Id } from '../protocol/ids.ts';
import {
  type AnsweredBy,
  Answerer,
  AskInput,
  type Interaction,
  type InteractionOf,
  type Kind,
  type ParsedAsk,
  type Settled,
} from '../protocol/interaction.ts';
import { Text } from '../protocol/json.ts';
import { LIMITS } from '../protocol/limits.ts';
import { type InteractionPage, ListFilter } from '../protocol/list.ts';
import { Note } from '../protocol/note.ts';
import { parse } from '../protocol/parse.ts';
import { ChatTexts } from './chat-texts.ts';
import { Deadlines } from './deadlines.ts';
import { EventFeed } from './event-feed.ts';
import { parseFormSchema } from './form-schema.ts';
import { LogFollower } from './log-follower.ts';
import { mayPass } from './may-pass.ts';
import { OpenAsks } from './open-asks.ts';
import { toTimeoutError } from './waiter.ts';
import { Waiters } from './waiters.ts';

/** The pause after a temporary failure of the store. */
const RETRY_MS = 500;

/** What `LocalBeckon` needs. */
export interface LocalBeckonOptions {
  store: Store;
  clock: Clock;
  newId: () => string;
  /** The timeout of a request without its own, in milliseconds; `null` never times out. */
  timeoutMs: number | null;
  /** How much of what surrounds a request is kept. Default: all of it. */
  contextLevel?: ContextLevel | undefined;
  /** Hears of failures in the background. Beckon tries again. */
  onError: (error: unknown) => void;
}

/**
 * Beckon in this process, on a store. Commits wake waiters: those of this process at once, those of others through the
 * log. After `close` every call fails with `closed`.
 */
export class LocalBeckon implements ServedBeckon {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #newId: () => string;
  readonly #timeoutMs: number | null;
  readonly #contextLevel: ContextLevel;
  readonly #waiters: Waiters;
  readonly #follower: LogFollower;
  readonly #deadlines: Deadlines;
  readonly #feed: EventFeed;
  readonly #onError: (error: unknown) => void;
  readonly #texts: ChatTexts;
  readonly #unread = new Set<string>();
  readonly #openAsks = new OpenAsks();
  #closing: Promise<void> | undefined;

  constructor({ store, clock, newId, timeoutMs, contextLevel = 'full', onError }: LocalBeckonOptions) {
    this.#store = store;
    this.#clock = clock;
    this.#newId = newId;
    this.#timeoutMs = timeoutMs;
    this.#contextLevel = contextLevel;
    this.#onError = onError;
    this.#follower = new LogFollower({
      store,
      onError,
      onChanges: (changes) => this.#notice(changes),
      onStop: () => this.#openAsks.clear(),
    });
    this.#waiters = new Waiters({
      onFirst: () => this.#follower.hold(),
      onNone: () => this.#follower.release(),
    });
    this.#texts = new ChatTexts(store, clock);
    this.#deadlines = new Deadlines({ store, clock, onError });
    this.#feed = new EventFeed({ store, follower: this.#follower, onError });
    store.onCommit((commit) => this.#publish(commit));
  }

  /** Expires what fell due while nothing ran, then watches the deadlines. */
  async start(): Promise<void> {
    await this.#deadlines.tick();
  }

  async ask<K extends Kind>(input: AskInput<K>): Promise<Asked<K>> {
    this.#assertOpen();
    const { interaction } = await this.askParsed(parse(AskInput, input, { what: 'ask input' }));
    return interaction as Asked<K>;
  }

  async askParsed(input: ParsedAsk): Promise<{ interaction: Interaction; isNew: boolean }> {
    this.#assertOpen();
    const [asked] = await this.#store.askGroup([this.#create(input, this.#clock.now())]);
    return asked as { interaction: Interaction; isNew: boolean };
  }

  async askGroup<K extends Kind>(inputs: readonly AskInput<K>[]): Promise<Asked<K>[]> {
    this.#assertOpen();
    const asked = await this.askGroupParsed(parse(AskGroup, inputs, { what: 'group of asks' }));
    return asked.map(({ interaction }) => interaction as Asked<K>);
  }

  async askGroupParsed(inputs: readonly ParsedAsk[]): Promise<{ interaction: Interaction; isNew: boolean }[]> {
    this.#assertOpen();
    const groupId = inputs.find((input) => input.groupId !== undefined)?.groupId ?? this.#newId();
    const steps = inputs.length;
    // One time for all, so that their deadlines come together.
    const now = this.#clock.now();
    const asks = inputs.map((input, index) => {
      const step = steps > 1 && { metadata: { ...input.metadata, step: index + 1, steps } };
      return this.#create({ ...input, groupId, ...step }, now);
    });
    return this.#store.askGroup(asks);
  }

  #create({ timeout, remindAfter, escalate, context: given, ...rest }: ParsedAsk, now: number): NewInteraction {
    if (rest.kind === 'form') parseFormSchema(rest.request.schema);
    const timeoutMs = timeout === undefined ? this.#timeoutMs : timeout === null ? null : toMilliseconds(timeout);
    const context = given === undefined ? undefined : this.#readContext(given);
    const interaction: Interaction = {
      ...rest,
      id: rest.id ?? this.#newId(),
      chatId: rest.chatId ?? DEFAULT_CHAT_ID,
      ...(context !== undefined && { context: toContextSummary(context) }),
      status: 'pending',
      awaitingFeedback: false,
      ...(timeoutMs !== null && { expiresAt: toIso(now + timeoutMs) }),
      createdAt: toIso(now),
    };
    return {
      interaction,
      ...(interaction.context?.hasMore && { context }),
      times: { remindAfter, escalate },
      hasNewId: rest.id === undefined,
    };
  }

  // Not every sender masks its secrets itself.
  #readContext(given: ContextInput): Context | undefined {
    return limitContext(readContext(maskContext(given)), this.#contextLevel);
  }

  // Not an async function: its promise would add a tenth to the memory of each waiter.
  wait<K extends Kind = Kind>(
    id: string,
    options: { timeout?: Duration; signal?: AbortSignal } = {},
  ): Promise<Settled<K>> {
    try {
      this.#assertOpen();
      parseId(id);
      const { timeout, signal } = options;
      const timeoutMs =
        timeout === undefined ? undefined : toMilliseconds(parse(Duration, timeout, { what: 'wait timeout' }));
      signal?.throwIfAborted();
      if (timeoutMs === 0) return this.#getSettled(id) as Promise<Settled<K>>;
      const settled = this.#waiters.add(id, { timeoutMs, signal });
      if (!this.#openAsks.take(id)) this.#lookUpSoon(id);
      return settled as Promise<Settled<K>>;
    } catch (error) {
      return Promise.reject(error);
    }
  }

  async getMany(ids: readonly string[]): Promise<Interaction[]> {
    this.#assertOpen();
    return this.#store.getMany(ids);
  }

  watch(id: string, watcher: Watcher): void {
    this.#assertOpen();
    this.#waiters.attach(parseId(id), watcher);
    if (!this.#openAsks.take(id)) this.#lookUpSoon(id);
  }

  unwatch(id: string, watcher: Watcher): void {
    this.#waiters.remove(id, watcher);
  }

  async answer(id: string, answer: AnswerInput, by: Answerer): Promise<AnswerResult> {
    this.#assertOpen();
    return this.#store.recordAnswer({ id: parseId(id), answer, by: parseAnswerer(by), at: this.#now() });
  }

  async answerMany(ids: readonly string[], answer: AnswerInput, by: Answerer): Promise<AnswerResult[]> {
    this.#assertOpen();
    const answers = parse(Ids, ids, { what: 'ids' }).map((id) => ({ id, answer }));
    return this.#store.recordAnswers({ answers, by: parseAnswerer(by), at: this.#now() });
  }

  async answerGroup(groupId: string, answers: readonly AnswerEntry[], by: Answerer): Promise<GroupResult> {
    this.#assertOpen();
    return this.#store.recordGroup({
      groupId: parseId(groupId),
      answers: parse(AnswerEntries, answers, { what: 'answers' }),
      by: parseAnswerer(by),
      at: this.#now(),
    });
  }

  async say(chatId: string, text: string, by: Answerer, options: { seen?: number | undefined } = {}): Promise<boolean> {
    this.#assertOpen();
    return this.#texts.route({
      chatId: parseId(chatId),
      text: parse(Text, text, { what: 'text' }),
      by: parseAnswerer(by),
      seen: options.seen === undefined ? undefined : parse(LogNumber, options.seen, { what: 'seen' }),
    });
  }

  async cancel(target: CancelTarget, reason?: string): Promise<string[]> {
    this.#assertOpen();
    if ('id' in target) return this.#end([parseId(target.id)], 'cancelled', reason);
    const chatId = parseId(target.chatId);
    const ended: string[] = [];
    let after: string | undefined;
    do {
      const page = await this.#store.list({ chatId, status: 'pending', after, limit: LIMITS.pageItems });
      const ids = page.items.map(({ id }) => id);
      if (ids.length > 0) ended.push(...(await this.#end(ids, 'cancelled', reason)));
      after = page.next;
    } while (after !== undefined);
    return ended;
  }

  async supersede(id: string, reason?: string): Promise<boolean> {
    this.#assertOpen();
    return (await this.#end([parseId(id)], 'superseded', reason)).length === 1;
  }

  async note(id: string, note: Note): Promise<boolean> {
    this.#assertOpen();
    return this.#store.note({ id: parseId(id), note: parse(Note, note, { what: 'note' }), at: this.#now() });
  }

  async get<K extends Kind = Kind>(id: string): Promise<InteractionOf<K> | null> {
    this.#assertOpen();
    const known = parseId(id);
    await this.#feed.whenStarted();
    return (await this.#store.get(known)) as InteractionOf<K> | null;
  }

  async context(id: string): Promise<Context | null> {
    this.#assertOpen();
    return this.#store.getContext(parseId(id));
  }

  async list(filter: ListFilter = {}): Promise<InteractionPage> {
    this.#assertOpen();
    const wanted = parse(ListFilter, filter, { what: 'list filter' });
    await this.#feed.whenStarted();
    return this.#store.list(wanted);
  }

  lastSeq(): Promise<number> {
    this.#assertOpen();
    return this.#store.lastSeq();
  }

  events(options: { after?: number; signal?: AbortSignal } = {}): AsyncIterable<LogEvent> {
    this.#assertOpen();
    return this.#feed.read(options);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const error = toClosedError();
    this.#waiters.failAll(error);
    this.#feed.close(error);
    await this.#deadlines.stop();
    await this.#follower.close();
    await this.#store.close();
  }

  #publish(commit: Commit): void {
    const isHeard = this.#follower.willHearAfter(commit.events.at(-1)?.seq ?? 0);
    this.#follower.skip(commit);
    this.#deadlines.consider(commit.timerAt);
    for (const interaction of commit.interactions) {
      if (interaction.status === 'pending') {
        this.#deadlines.consider(interaction.expiresAt);
        if (isHeard) this.#openAsks.add(interaction.id);
      } else {
        this.#openAsks.take(interaction.id);
        this.#waiters.settle(interaction);
      }
    }
    this.#feed.wake(commit.events[0]?.seq);
  }

  // Another process's events may settle what somebody here waits for, or bring an earlier deadline.
  async #notice(changes: Changes): Promise<void> {
    this.#feed.wake();
    this.#deadlines.consider(changes.expiresAt);
    const ids = new Set<string>();
    for (const id of changes.ids) {
      this.#openAsks.take(id);
      if (this.#waiters.has(id)) ids.add(id);
    }
    if (ids.size === 0) return;
    for (const interaction of await this.#store.getMany([...ids])) {
      if (interaction.status !== 'pending') this.#waiters.settle(interaction);
    }
  }

  // It may be settled already, or not exist. Waits that begin together are looked up together.
  #lookUpSoon(id: string): void {
    if (this.#unread.size === 0) setImmediate(() => void this.#lookUp());
    this.#unread.add(id);
  }

  async #lookUp(): Promise<void> {
    const ids = [...this.#unread].filter((id) => this.#waiters.has(id));
    this.#unread.clear();
    if (ids.length === 0) return;
    try {
      await this.#follower.whenFollowing();
      const statuses = await this.#store.getStatuses(ids);
      const settled = ids.filter((id) => {
        const found = statuses.get(id);
        if (found === undefined) this.#waiters.fail(id, toNotFoundError(id));
        // The process that asked may be gone, and its timer with it.
        else if (found.status === 'pending') this.#deadlines.consider(found.expiresAt);
        return found !== undefined && found.status !== 'pending';
      });
      if (settled.length === 0) return;
      for (const interaction of await this.#store.getMany(settled)) this.#waiters.settle(interaction);
    } catch (error) {
      this.#lookUpAgain(ids, error);
    }
  }

  // Others may already be waiting for the same id. A temporary failure ends nobody's wait.
  #lookUpAgain(ids: readonly string[], error: unknown): void {
    if (!mayPass(error)) {
      for (const id of ids) this.#waiters.fail(id, error);
      return;
    }
    this.#onError(error);
    setTimeout(() => {
      for (const id of ids) this.#lookUpSoon(id);
    }, RETRY_MS);
  }

  async #getSettled(id: string): Promise<Interaction> {
    const interaction = await this.#store.get(id);
    if (interaction === null) throw toNotFoundError(id);
    if (interaction.status === 'pending') throw toTimeoutError(id);
    return interaction;
  }

  async #end(ids: readonly string[], as: 'cancelled' | 'superseded', reason: string | undefined): Promise<string[]> {
    const said = reason === undefined ? undefined : parse(Text, reason, { what: 'reason' });
    const ended = await this.#store.end({ ids, as, reason: said, at: this.#now() });
    return ended.map(({ id }) => id);
  }

  #now(): string {
    return toIso(this.#clock.now());
  }

  #assertOpen(): void {
    if (this.#closing !== undefined) throw toClosedError();
  }
}

function parseId(id: string): string {
  return parse(Id, id, { what: 'id' });
}

function parseAnswerer(by: Answerer): AnsweredBy {
  return parse(Answerer, by, { what: 'answerer' });
}

function toClosedError(): BeckonError {
  return new BeckonError('closed', 'Beckon was closed. Nothing is lost: open it again and wait for the same id.');
}
