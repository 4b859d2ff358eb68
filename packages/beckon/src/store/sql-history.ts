import { toIso } from '../core/clock.ts';
import type { LogPart, StoredHistory, Tally } from '../core/store.ts';
import type { ContextSummary } from '../protocol/context.ts';
import type { LogEvent } from '../protocol/events.ts';
import type { SessionSummary, SessionsPage } from '../protocol/history.ts';
import type { Json } from '../protocol/json.ts';
import { toColumnText } from './column-text.ts';
import type { Engine, Reader, SqlValue } from './driver.ts';
import { fromLogRow } from './rows.ts';
import { INTERACTIONS, type InteractionRow, type LogRow } from './tables.ts';
import { tally } from './tally.ts';
import { WORD_SEARCH } from './word-search.ts';
import { findTexts, toWords } from './words.ts';
import type { Writer } from './writer.ts';

/** How much one turn of catching up takes by default: events, and roughly characters of text. */
const BATCH_EVENTS = 200;
const BATCH_CHARACTERS = 1_000_000;

/** Most turns of one search: about a second of work. A large store that was never searched needs many searches. */
const MOST_BATCHES = 50;

/** Events that change an interaction's words. */
const TELLING = ['interaction.requested', 'interaction.answered', 'interaction.cancelled', 'interaction.superseded'];

interface Batch {
  /** The number up to which the log is indexed when the batch is written. */
  seq: number;
  words: { seq: number; words: string }[];
  sessions: SessionEntry[];
}

/** A session as one interaction shows it. Names are those of its context. */
interface SessionEntry {
  session: string;
  chat: string;
  seq: number;
  title: string | null;
  project: string | null;
  branch: string | null;
  agent: string | null;
  machine: string | null;
}

interface SessionRow {
  session_id: string;
  newest_seq: number;
  asked_first_at: number;
  asked_last_at: number;
  /** Of everything but asks; `null`: nothing else has happened. */
  told_first_at: number | null;
  told_last_at: number | null;
  interactions: number;
  pending: number;
  title: string | null;
  project: string | null;
  branch: string | null;
  agent: string | null;
  machine: string | null;
}

/** Looking back in the store's tables. */
export class SqlHistory implements StoredHistory {
  readonly #engine: Engine;
  readonly #reader: Reader;
  readonly #writer: Writer;
  #catchingUp: Promise<boolean> | undefined;

  constructor({ engine, reader, writer }: { engine: Engine; reader: Reader; writer: Writer }) {
    this.#engine = engine;
    this.#reader = reader;
    this.#writer = writer;
  }

  async readLog({ of, after, limit, chatId }: LogPart): Promise<LogEvent[]> {
    const isSession = 'sessionId' in of;
    const values: SqlValue[] = [isSession ? of.sessionId : of.interactionId, after, limit];
    const inChat = chatId === undefined ? '' : `and log.chat_id = $${values.push(chatId)}`;
    const [asked, told] = isSession
      ? ['interactions.session_id', 'log.session_id']
      : ['interactions.id', 'log.interaction_id'];
    // No index of the log has `interaction.requested`, so it is found through the interaction.
    const rows = await this.#reader.all<LogRow>(
      `select * from (
         select log.* from interactions join log on log.seq = interactions.seq
         where ${asked} = $1 and interactions.seq > $2 ${inChat} order by interactions.seq limit $3
       ) as asked
       union all
       select * from (
         select log.* from log
         where ${told} = $1 and log.type <> 'interaction.requested' and log.seq > $2 ${inChat} order by log.seq limit $3
       ) as told
       order by seq limit $3`,
      values,
    );
    return rows.map(fromLogRow);
  }

  async listSessions({
    after,
    limit,
    chatId,
  }: {
    after?: string | undefined;
    limit: number;
    chatId?: string | undefined;
  }): Promise<SessionsPage> {
    const isComplete = await this.catchUpForNow();
    const values: SqlValue[] = [limit + 1];
    const conditions: string[] = [];
    if (after !== undefined) conditions.push(`newest_seq < $${values.push(Number(after))}`);
    if (chatId === undefined) {
      // A session that asked in several chats belongs to the last one.
      conditions.push(
        `not exists (select 1 from session_chats as later
         where later.session_id = listed.session_id and later.newest_seq > listed.newest_seq)`,
      );
    } else conditions.push(`chat_id = $${values.push(chatId)}`);
    // The function keeps SQLite from using the index on the chat, which may match a million rows.
    const inChat = chatId === undefined ? '' : `and coalesce(chat_id, '') = $${values.length}`;
    const asked = `from interactions where session_id = listed.session_id ${inChat}`;
    const told = `from log where session_id = listed.session_id and type <> 'interaction.requested' ${inChat}`;
    const rows = await this.#reader.all<SessionRow>(
      `select session_id, newest_seq, project, branch, agent, machine,
         coalesce((select title from sessions where sessions.session_id = listed.session_id), listed.title) as title,
         (select created_at ${asked} order by seq limit 1) as asked_first_at,
         (select created_at from interactions where seq = newest_seq) as asked_last_at,
         (select at ${told} order by seq limit 1) as told_first_at,
         (select at ${told} order by seq desc limit 1) as told_last_at,
         (select count(*) ${asked}) as interactions,
         (select count(*) ${asked} and status = 'pending') as pending
       from session_chats as listed where ${conditions.join(' and ')} order by newest_seq desc limit $1`,
      values,
    );
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    return {
      items: shown.map(toSummary),
      ...(rows.length > limit && last !== undefined && { next: String(last.newest_seq) }),
      ...(!isComplete && { incomplete: true }),
    };
  }

  tally(input: { since: string; until: string; chatId?: string | undefined }): Promise<Tally> {
    return tally(this.#reader, {
      sinceMs: Date.parse(input.since),
      untilMs: Date.parse(input.until),
      chatId: input.chatId,
    });
  }

  async catchUp(events = BATCH_EVENTS): Promise<boolean> {
    const from = await this.#readHead('history_head');
    const batch = await this.#readBatch(from, events);
    if (batch === null) return false;
    await this.#writer.submit({
      run: async ({ transaction }) => {
        // Another process that indexed the same part, and perhaps more, has written something at least as new.
        const [taken] = await transaction.all('update history_head set seq = $1 where seq = $2 returning id', [
          batch.seq,
          from,
        ]);
        if (taken === undefined) return;
        await transaction.all(WORD_SEARCH[this.#engine].put, [JSON.stringify(batch.words)]);
        await transaction.all(PUT_SESSIONS[this.#engine], [JSON.stringify(batch.sessions)]);
      },
    });
    return true;
  }

  /**
   * Indexes what is in the log by now, as far as one search may; `false`: that was not all of it. Concurrent callers
   * share the work.
   */
  async catchUpForNow(): Promise<boolean> {
    // The work in progress may lack what was committed after it began, so wait for it first.
    await this.#catchingUp?.catch(() => undefined);
    this.#catchingUp ??= this.#catchUpForNow().finally(() => {
      this.#catchingUp = undefined;
    });
    return this.#catchingUp;
  }

  // Not until nothing is left: under load there would always be more.
  async #catchUpForNow(): Promise<boolean> {
    const end = await this.#readHead('log_head');
    for (let batches = 0; (await this.#readHead('history_head')) < end; batches += 1) {
      if (batches === MOST_BATCHES) return false;
      await this.catchUp();
    }
    return true;
  }

  async #readHead(table: 'log_head' | 'history_head'): Promise<number> {
    const [head] = await this.#reader.all<{ seq: number }>(`select seq from ${table}`);
    return head?.seq ?? 0;
  }

  /** Reads and splits outside of the transaction, so that no ask waits for it. */
  async #readBatch(from: number, limit: number): Promise<Batch | null> {
    const events = await this.#reader.all<Pick<LogRow, 'seq' | 'type' | 'interaction_id'>>(
      'select seq, type, interaction_id from log where seq > $1 order by seq limit $2',
      [from, limit],
    );
    const batch: Batch = { seq: from, words: [], sessions: [] };
    const done = new Set<string>();
    let characters = 0;
    for (const { seq, type, interaction_id: id } of events) {
      if (characters > BATCH_CHARACTERS) break;
      batch.seq = seq;
      if (id === null || done.has(id) || !TELLING.includes(type)) continue;
      done.add(id);
      const [row] = await this.#reader.findIn(INTERACTIONS, 'id', [id]);
      if (row === undefined) continue;
      characters += row.body.length + (row.outcome?.length ?? 0);
      batch.words.push({ seq: row.seq, words: toWords(findRowTexts(row)).join(' ') });
      if (row.session_id !== null) batch.sessions.push(toSessionEntry(row.session_id, row));
    }
    return events.length === 0 ? null : { ...batch, sessions: mergeSessions(batch.sessions) };
  }
}

/** Names of a session that change while it works: the newest counts. Its title is the first. */
const SESSION_NAMES = ['project', 'branch', 'agent', 'machine'] as const;
const SESSION_COLUMNS = ['title', ...SESSION_NAMES] as const;

const newestOf = (name: string): string => `${name} = case when excluded.newest_seq >= session_chats.newest_seq
    then coalesce(excluded.${name}, session_chats.${name}) else coalesce(session_chats.${name}, excluded.${name}) end`;

// SQLite accepts a `select` with `on conflict` only if it has a `where`.
const ON_CONFLICT = `on conflict (session_id, chat_id) do update set
  newest_seq = case when excluded.newest_seq > session_chats.newest_seq
    then excluded.newest_seq else session_chats.newest_seq end,
  title = coalesce(session_chats.title, excluded.title),
  ${SESSION_NAMES.map(newestOf).join(', ')}`;
const INTO_SESSIONS = `insert into session_chats (session_id, chat_id, newest_seq, ${SESSION_COLUMNS.join(', ')})`;
const PUT_SESSIONS = {
  sqlite: `${INTO_SESSIONS}
    select ${['session', 'chat', 'seq', ...SESSION_COLUMNS].map((name) => `json_extract(value, '$.${name}')`).join(', ')}
    from json_each($1) where true ${ON_CONFLICT}`,
  postgres: `${INTO_SESSIONS}
    select session, chat, seq, ${SESSION_COLUMNS.join(', ')} from json_to_recordset($1::json) as added
      (session text, chat text, seq bigint, ${SESSION_COLUMNS.map((name) => `${name} text`).join(', ')})
    ${ON_CONFLICT}`,
} as const;

/** What an interaction is found by: where it was asked (searches rely on it), what was answered, and what was asked. */
function* findRowTexts(row: InteractionRow): Generator<string> {
  yield row.chat_id;
  if (row.session_id !== null) yield row.session_id;
  // Both were written by `toInteractionRow`.
  const { request } = JSON.parse(row.body) as { request: Json };
  const { answer, reason } = JSON.parse(row.outcome ?? '{}') as { answer?: Json; reason?: string };
  yield* findTexts(answer);
  yield* findTexts(reason);
  yield* findTexts(request);
}

function toSummary(row: SessionRow): SessionSummary {
  return {
    sessionId: row.session_id,
    firstAt: toIso(Math.min(row.asked_first_at, row.told_first_at ?? row.asked_first_at)),
    lastAt: toIso(Math.max(row.asked_last_at, row.told_last_at ?? row.asked_last_at)),
    interactions: row.interactions,
    pending: row.pending,
    ...Object.fromEntries(SESSION_COLUMNS.flatMap((name) => (row[name] === null ? [] : [[name, row[name]]]))),
  };
}

/** One entry for each session in a chat: with its first title, and the newest of everything else. */
function mergeSessions(entries: readonly SessionEntry[]): SessionEntry[] {
  const merged = new Map<string, SessionEntry>();
  for (const entry of entries.toSorted((one, other) => one.seq - other.seq)) {
    const key = JSON.stringify([entry.session, entry.chat]);
    const earlier = merged.get(key);
    const names = SESSION_NAMES.map((name) => [name, entry[name] ?? earlier?.[name] ?? null]);
    const title = earlier?.title ?? entry.title;
    merged.set(key, { ...entry, title, ...(Object.fromEntries(names) as Pick<SessionEntry, 'project'>) });
  }
  return [...merged.values()];
}

function toSessionEntry(session: string, row: InteractionRow): SessionEntry {
  // Written by `toInteractionRow`.
  const { context = {} } = JSON.parse(row.body) as { context?: ContextSummary };
  const names = SESSION_COLUMNS.map((name) => [name, context[name] === undefined ? null : toColumnText(context[name])]);
  return { session, chat: row.chat_id, seq: row.seq, ...Object.fromEntries(names) } as SessionEntry;
}
