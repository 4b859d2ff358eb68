import { toIso } from '../core/clock.ts';
import type { ConversationParts, LogPart, StoredHistory, Tally } from '../core/store.ts';
import type { LogEvent } from '../protocol/events.ts';
import type { HistoryCounts, SessionSummary, SessionsPage } from '../protocol/history.ts';
import type { ListFilter } from '../protocol/list.ts';
import { countFacts } from './count-facts.ts';
import type { Engine, Reader, SqlValue } from './driver.ts';
import { HistoryIndex, SESSION_COLUMNS } from './history-index.ts';
import { readConversation } from './read-conversation.ts';
import { fromLogRow } from './rows.ts';
import type { LogRow } from './tables.ts';
import { tally } from './tally.ts';
import type { Writer } from './writer.ts';

interface SessionRow {
  session_id: string;
  newest_seq: number;
  asked_first_at: number;
  asked_last_at: number;
  /** `null`: none has ended. */
  settled_last_at: number | null;
  /** Of what belongs to no interaction; `null`: there is nothing. */
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

// No index of the log has `interaction.requested`, so it is found through the interaction. CROSS keeps SQLite from
// beginning with the log.
const LOG_OF_INTERACTION = [
  'from interactions cross join log where interactions.id = $1 and log.seq = interactions.seq',
  `from log where log.interaction_id = $1 and log.type <> 'interaction.requested'`,
];
/** An index of the log has what belongs to no interaction; the rest is found through the session's interactions. */
const LOG_OF_SESSION = [
  'from interactions cross join log where interactions.session_id = $1 and log.seq = interactions.seq',
  `from interactions cross join log where interactions.session_id = $1 and log.interaction_id = interactions.id
   and log.type <> 'interaction.requested'`,
  'from log where log.session_id = $1 and log.interaction_id is null',
];

/** Looking back in the store's tables. */
export class SqlHistory implements StoredHistory {
  readonly #engine: Engine;
  readonly #reader: Reader;
  readonly #index: HistoryIndex;

  constructor({ engine, reader, writer }: { engine: Engine; reader: Reader; writer: Writer }) {
    this.#engine = engine;
    this.#reader = reader;
    this.#index = new HistoryIndex({ engine, reader, writer });
  }

  async readLog({ of, after, limit, chatId }: LogPart): Promise<LogEvent[]> {
    const isSession = 'sessionId' in of;
    const values: SqlValue[] = [isSession ? of.sessionId : of.interactionId, after, limit];
    const inChat = chatId === undefined ? '' : `and log.chat_id = $${values.push(chatId)}`;
    const parts = (isSession ? LOG_OF_SESSION : LOG_OF_INTERACTION).map(
      (part, index) =>
        `select * from (select log.* ${part} and log.seq > $2 ${inChat} order by log.seq limit $3) as part_${index}`,
    );
    const rows = await this.#reader.all<LogRow>(`${parts.join(' union all ')} order by seq limit $3`, values);
    return rows.map(fromLogRow);
  }

  readConversation(input: Parameters<StoredHistory['readConversation']>[0]): Promise<ConversationParts> {
    return readConversation(this.#reader, input);
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
    const isComplete = await this.#index.catchUpForNow();
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
    const told = `from log where session_id = listed.session_id and interaction_id is null ${inChat}`;
    const rows = await this.#reader.all<SessionRow>(
      `select session_id, newest_seq, project, branch, agent, machine,
         coalesce((select title from sessions where sessions.session_id = listed.session_id), listed.title) as title,
         (select created_at ${asked} order by seq limit 1) as asked_first_at,
         (select created_at from interactions where seq = newest_seq) as asked_last_at,
         (select max(settled_at) ${asked}) as settled_last_at,
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

  async count(filter: ListFilter): Promise<HistoryCounts> {
    const isComplete = await this.#index.catchUpForNow();
    const counts = await countFacts({ engine: this.#engine, reader: this.#reader }, filter);
    return { ...counts, ...(!isComplete && { incomplete: true }) };
  }

  catchUp(events?: number): Promise<boolean> {
    return this.#index.catchUp(events);
  }

  /** See `HistoryIndex.catchUpForNow`. */
  catchUpForNow(): Promise<boolean> {
    return this.#index.catchUpForNow();
  }
}

function toSummary(row: SessionRow): SessionSummary {
  return {
    sessionId: row.session_id,
    firstAt: toIso(Math.min(row.asked_first_at, row.told_first_at ?? row.asked_first_at)),
    lastAt: toIso(Math.max(row.asked_last_at, row.settled_last_at ?? 0, row.told_last_at ?? 0)),
    interactions: row.interactions,
    pending: row.pending,
    ...Object.fromEntries(SESSION_COLUMNS.flatMap((name) => (row[name] === null ? [] : [[name, row[name]]]))),
  };
}
