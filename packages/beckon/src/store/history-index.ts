import type { ContextSummary } from '../protocol/context.ts';
import { toDecision } from '../protocol/decision.ts';
import type { Json } from '../protocol/json.ts';
import { toColumnText } from './column-text.ts';
import type { Engine, Reader } from './driver.ts';
import { fromInteractionRow } from './rows.ts';
import { INTERACTIONS, type InteractionRow, type LogRow } from './tables.ts';
import { WORD_SEARCH } from './word-search.ts';
import { findTexts, toWords } from './words.ts';
import type { Writer } from './writer.ts';

/** How much one turn of catching up takes by default: events, and roughly characters of text. */
const BATCH_EVENTS = 200;
const BATCH_CHARACTERS = 1_000_000;

/** Most turns of one search: about a second of work. A large store that was never searched needs many searches. */
const MOST_BATCHES = 50;

/** Events that change an interaction's words, and those that change only what became of it. */
const TELLING = ['interaction.requested', 'interaction.answered', 'interaction.cancelled', 'interaction.superseded'];
const ENDING = ['interaction.expired'];

interface Batch {
  /** The number up to which the log is indexed when the batch is written. */
  seq: number;
  words: { seq: number; words: string }[];
  facts: FactsEntry[];
  sessions: SessionEntry[];
}

/** What an interaction is filtered and counted by. */
interface FactsEntry {
  seq: number;
  chat: string;
  kind: string;
  decision: string;
  person: string | null;
  project: string | null;
  created: number;
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

/**
 * The indexes that looking back needs: words, facts and sessions. Nobody who asks or answers pays for them: they are
 * taken from the log later, up to the number in `history_head`.
 */
export class HistoryIndex {
  readonly #engine: Engine;
  readonly #reader: Reader;
  readonly #writer: Writer;
  #catchingUp: Promise<boolean> | undefined;

  constructor({ engine, reader, writer }: { engine: Engine; reader: Reader; writer: Writer }) {
    this.#engine = engine;
    this.#reader = reader;
    this.#writer = writer;
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
        await transaction.all(PUT_FACTS[this.#engine], [JSON.stringify(batch.facts)]);
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
    const batch: Batch = { seq: from, words: [], facts: [], sessions: [] };
    const done = new Set<string>();
    let characters = 0;
    for (const { seq, type, interaction_id: id } of events) {
      if (characters > BATCH_CHARACTERS) break;
      batch.seq = seq;
      const isTelling = TELLING.includes(type);
      if (id === null || done.has(id) || (!isTelling && !ENDING.includes(type))) continue;
      done.add(id);
      const [row] = await this.#reader.findIn(INTERACTIONS, 'id', [id]);
      if (row === undefined) continue;
      characters += row.body.length + (row.outcome?.length ?? 0);
      batch.facts.push(toFacts(row));
      if (!isTelling) continue;
      batch.words.push({ seq: row.seq, words: toWords(findRowTexts(row)).join(' ') });
      if (row.session_id !== null) batch.sessions.push(toSessionEntry(row.session_id, row));
    }
    return events.length === 0 ? null : { ...batch, sessions: mergeSessions(batch.sessions) };
  }
}

/** Names of a session that change while it works: the newest counts. Its title is the first. */
const SESSION_NAMES = ['project', 'branch', 'agent', 'machine'] as const;
export const SESSION_COLUMNS = ['title', ...SESSION_NAMES] as const;

const FACT_TYPES: { readonly [Name in keyof FactsEntry]: string } = {
  seq: 'bigint',
  chat: 'text',
  kind: 'text',
  decision: 'text',
  person: 'text',
  project: 'text',
  created: 'bigint',
};
const FACT_NAMES = Object.keys(FACT_TYPES);
const INTO_FACTS = `insert into interaction_facts
  (interaction_seq, chat_id, kind, decision, person, project, created_at)`;
const ON_KNOWN_FACTS = `on conflict (interaction_seq) do update set
  decision = excluded.decision, person = excluded.person, project = excluded.project`;
const PUT_FACTS = {
  sqlite: `${INTO_FACTS} select ${FACT_NAMES.map((name) => `json_extract(value, '$.${name}')`).join(', ')}
    from json_each($1) where true ${ON_KNOWN_FACTS}`,
  postgres: `${INTO_FACTS} select ${FACT_NAMES.join(', ')} from json_to_recordset($1::json) as added
    (${Object.entries(FACT_TYPES)
      .map(([name, type]) => `${name} ${type}`)
      .join(', ')}) ${ON_KNOWN_FACTS}`,
} as const;

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
  const { request, context = {} } = JSON.parse(row.body) as { request: Json; context?: ContextSummary };
  const { answer, reason } = JSON.parse(row.outcome ?? '{}') as { answer?: Json; reason?: string };
  // Before the request, which may be long: searches rely on the project.
  for (const name of [context.project, context.title, context.branch]) yield* findTexts(name);
  yield* findTexts(answer);
  yield* findTexts(reason);
  yield* findTexts(request);
}

function toFacts(row: InteractionRow): FactsEntry {
  const interaction = fromInteractionRow(row);
  const { project } = interaction.context ?? {};
  return {
    seq: row.seq,
    chat: row.chat_id,
    kind: row.kind,
    decision: toDecision(interaction),
    // What a rule decided is not what its author decided.
    person: interaction.answeredBy?.kind === 'person' ? toColumnText(interaction.answeredBy.who) : null,
    project: project === undefined ? null : toColumnText(project),
    created: row.created_at,
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
