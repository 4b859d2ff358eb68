import { type Clock, toIso } from '../core/clock.ts';
import { fromHook, fromRequest, type Moment, toEntries } from '../core/conversation.ts';
import type { History } from '../core/history.ts';
import type { AllFilter } from '../core/list-all.ts';
import type { ConversationPart, Store, Tally } from '../core/store.ts';
import { toHeadline } from '../presentation/headline.ts';
import type { Duration } from '../protocol/duration.ts';
import { BeckonError, toNotFoundError } from '../protocol/errors.ts';
import type { LogEvent } from '../protocol/events.ts';
import {
  type ConversationPage,
  type HistoryCounts,
  type LogPage,
  type SessionsPage,
  type Snooze,
  SnoozeBody,
  type Statistics,
  TitleBody,
  toSnoozeEnd,
} from '../protocol/history.ts';
import { MOST_LOG_EVENTS, StatisticsQuery } from '../protocol/http.ts';
import { DEFAULT_PAGE_ITEMS, ListFilter } from '../protocol/list.ts';
import { parse } from '../protocol/parse.ts';

const DAY_MS = 86_400_000;
/** How many entries of a conversation are given by default. */
const CONVERSATION_ENTRIES = 100;
/** How many edited titles are given at once. */
const MOST_TITLES = 1000;
/** The default span of statistics, and the longest one. */
const DEFAULT_SPAN_MS = 30 * DAY_MS;
const LONGEST_SPAN_DAYS = 366;
/** The upper ends of the buckets of the time to answer. */
const BUCKET_SECONDS = [5, 15, 30, 60, 120, 300, 900, 3600, 14_400] as const;

interface LocalHistoryOptions {
  store: Store;
  clock: Clock;
  who: string;
  chatId?: string | undefined;
}

/** Looking back in a store. */
export class LocalHistory implements History {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #chatId: string | undefined;
  readonly #who: string;

  /** `chatId` limits it to one chat, as if nothing had happened elsewhere. `who` renames sessions and puts aside. */
  constructor({ store, clock, who, chatId }: LocalHistoryOptions) {
    this.#store = store;
    this.#clock = clock;
    this.#chatId = chatId;
    this.#who = who;
  }

  async interactionLog(
    id: string,
    options: { after?: number | undefined; limit?: number | undefined } = {},
  ): Promise<LogPage> {
    const interaction = await this.#store.get(id);
    if (interaction === null || (this.#chatId !== undefined && interaction.chatId !== this.#chatId)) {
      throw toNotFoundError(id);
    }
    return this.#readLog({ interactionId: id }, options);
  }

  sessionLog(
    sessionId: string,
    options: { after?: number | undefined; limit?: number | undefined } = {},
  ): Promise<LogPage> {
    return this.#readLog({ sessionId }, options);
  }

  async conversation(
    sessionId: string,
    {
      before = Number.MAX_SAFE_INTEGER,
      limit = CONVERSATION_ENTRIES,
    }: { before?: number | undefined; limit?: number | undefined } = {},
  ): Promise<ConversationPage> {
    const found = await this.#store.history.readConversation({ sessionId, before, limit, chatId: this.#chatId });
    const first = found.page[0];
    return {
      entries: toEntries(await this.#toMoments(found.page), await this.#toMoments(found.near)),
      ...(found.hasMore && first !== undefined && { next: first.seq }),
    };
  }

  sessions(options: { after?: string | undefined; limit?: number | undefined } = {}): Promise<SessionsPage> {
    const { after, limit = DEFAULT_PAGE_ITEMS } = options;
    return this.#store.history.listSessions({ after, limit, chatId: this.#chatId });
  }

  async counts(filter: AllFilter = {}): Promise<HistoryCounts> {
    const wanted = parse(ListFilter, filter, { what: 'filter' });
    // What is elsewhere looks as if it were not there.
    const isElsewhere = this.#chatId !== undefined && (wanted.chatId ?? this.#chatId) !== this.#chatId;
    if (isElsewhere) return { total: 0, byDecision: [], byPerson: [], byProject: [] };
    return this.#store.history.count({ ...wanted, ...(this.#chatId !== undefined && { chatId: this.#chatId }) });
  }

  titles(): Promise<Record<string, string>> {
    return this.#store.sessions.titles({ limit: MOST_TITLES, chatId: this.#chatId });
  }

  async rename(sessionId: string, title: string): Promise<void> {
    const parsed = parse(TitleBody, { title }, { what: 'title' });
    const isKnown = await this.#store.sessions.rename({
      sessionId,
      title: parsed.title.trim(),
      by: this.#who,
      at: this.#now(),
      chatId: this.#chatId,
    });
    if (!isKnown) throw new BeckonError('session_not_found', `No session with id ${JSON.stringify(sessionId)}.`);
  }

  snoozes(): Promise<Snooze[]> {
    return this.#store.snoozes.list({ who: this.#who, at: this.#now(), chatId: this.#chatId });
  }

  async snooze(id: string, until: Duration): Promise<Snooze | null> {
    const now = this.#clock.now();
    const end = toSnoozeEnd(parse(SnoozeBody, { until }, { what: 'snooze' }).until, now);
    if (end <= now) {
      throw new BeckonError('invalid_input', `Expected "until" in the future, got ${JSON.stringify(until)}.`);
    }
    const snooze = { interactionId: id, until: toIso(end) };
    const result = await this.#store.snoozes.put({
      ...snooze,
      who: this.#who,
      at: toIso(now),
      chatId: this.#chatId,
    });
    if (result === 'unknown') throw toNotFoundError(id);
    return result === 'kept' ? snooze : null;
  }

  unsnooze(id: string): Promise<boolean> {
    return this.#store.snoozes.remove({ who: this.#who, interactionId: id });
  }

  async statistics(options: { since?: string | undefined; until?: string | undefined } = {}): Promise<Statistics> {
    const span = parse(StatisticsQuery, options, { what: 'span' });
    const untilMs = span.until === undefined ? this.#clock.now() : Date.parse(span.until);
    const sinceMs = span.since === undefined ? untilMs - DEFAULT_SPAN_MS : Date.parse(span.since);
    if (sinceMs > untilMs || untilMs - sinceMs > LONGEST_SPAN_DAYS * DAY_MS) {
      throw new BeckonError(
        'invalid_input',
        `Expected "since" before "until", and at most ${LONGEST_SPAN_DAYS} days between them.`,
      );
    }
    const [since, until] = [toIso(sinceMs), toIso(untilMs)];
    const tally = await this.#store.history.tally({ since, until, chatId: this.#chatId });
    return { since, until, timeToAnswer: toTimes(tally), ...toOutcomes(tally) };
  }

  async #toMoments(parts: readonly ConversationPart[]): Promise<Moment[]> {
    const moments: Moment[] = [];
    for (const part of parts) {
      if ('interaction' in part) {
        moments.push(fromRequest(part.seq, part.interaction, toHeadline(part.interaction)));
        continue;
      }
      const { id, eventType, at } = part.hook;
      // One at a time: a hook may have megabytes, of which little is kept.
      const data = part.hook.data ?? (await this.#store.hooks.find(id))?.data;
      const moment = data === undefined ? null : fromHook({ seq: part.seq, at, eventType, data });
      if (moment !== null) moments.push(moment);
    }
    return moments;
  }

  #now(): string {
    return toIso(this.#clock.now());
  }

  async #readLog(
    of: { interactionId: string } | { sessionId: string },
    { after = 0, limit = MOST_LOG_EVENTS }: { after?: number | undefined; limit?: number | undefined },
  ): Promise<LogPage> {
    // One extra item tells whether there is a next page.
    const found = await this.#store.history.readLog({ of, after, limit: limit + 1, chatId: this.#chatId });
    const events: LogEvent[] = found.slice(0, limit);
    const last = events.at(-1);
    return { events, ...(found.length > limit && last !== undefined && { next: last.seq }) };
  }
}

function toTimes({ answerTimes }: Tally): Statistics['timeToAnswer'] {
  const sorted = answerTimes.toSorted((one, other) => one.ms - other.ms);
  const total = sorted.reduce((sum, { count }) => sum + count, 0);
  const buckets: Statistics['timeToAnswer']['buckets'] = [];
  let lowMs = -1;
  for (const upToSeconds of [...BUCKET_SECONDS, null]) {
    const highMs = upToSeconds === null ? Number.POSITIVE_INFINITY : upToSeconds * 1000;
    const inside = sorted.filter(({ ms }) => ms > lowMs && ms <= highMs);
    buckets.push({ upToSeconds, count: inside.reduce((sum, { count }) => sum + count, 0) });
    lowMs = highMs;
  }
  return { buckets, medianSeconds: findShare(sorted, total, 0.5), p90Seconds: findShare(sorted, total, 0.9) };
}

/** The shortest time within which this share of the answers came. */
function findShare(sorted: Tally['answerTimes'], total: number, share: number): number | null {
  let seen = 0;
  for (const { ms, count } of sorted) {
    seen += count;
    if (seen >= total * share) return ms / 1000;
  }
  return null;
}

function toOutcomes({ counts }: Tally): Pick<Statistics, 'byDay' | 'byKind'> {
  const byDay = new Map<string, Statistics['byDay'][number]>();
  const byKind = new Map<string, Statistics['byKind'][number]>();
  for (const { day, kind, status, count } of counts) {
    const onDay = byDay.get(`${day} ${status}`)?.count ?? 0;
    byDay.set(`${day} ${status}`, { day, status, count: onDay + count });
    const ofKind = byKind.get(`${kind} ${status}`)?.count ?? 0;
    byKind.set(`${kind} ${status}`, { kind, status, count: ofKind + count });
  }
  return { byDay: [...byDay.values()], byKind: [...byKind.values()] };
}
