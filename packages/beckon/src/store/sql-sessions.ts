import type { StoredSessions } from '../core/store.ts';
import { toColumnText } from './column-text.ts';
import type { Reader, SqlValue } from './driver.ts';
import type { Writer } from './writer.ts';

/** The titles of sessions in the store's tables. */
export class SqlSessions implements StoredSessions {
  readonly #reader: Reader;
  readonly #writer: Writer;

  constructor(reader: Reader, writer: Writer) {
    this.#reader = reader;
    this.#writer = writer;
  }

  rename({ sessionId, title, by, at, chatId }: Parameters<StoredSessions['rename']>[0]): Promise<boolean> {
    const kept = toColumnText(title);
    return this.#writer.submit({
      run: async (work) => {
        if (!(await isKnown(work.transaction, sessionId, chatId))) return false;
        const [current] = await work.transaction.all<{ title: string }>(
          'select title from sessions where session_id = $1',
          [sessionId],
        );
        if ((current?.title ?? '') === kept) return true;
        if (kept === '') await work.transaction.all('delete from sessions where session_id = $1', [sessionId]);
        else await work.transaction.all(PUT_TITLE, [sessionId, kept, toColumnText(by), Date.parse(at)]);
        work.append({ type: 'session.renamed', sessionId, title: kept, by, at });
        return true;
      },
    });
  }

  async titles({ limit, chatId }: { limit: number; chatId?: string | undefined }): Promise<Record<string, string>> {
    const values: SqlValue[] = [limit];
    const inChat =
      chatId === undefined
        ? ''
        : `where exists (select 1 from interactions
             where interactions.session_id = sessions.session_id and coalesce(chat_id, '') = $${values.push(chatId)})`;
    const rows = await this.#reader.all<{ session_id: string; title: string }>(
      `select session_id, title from sessions ${inChat} order by at desc, session_id limit $1`,
      values,
    );
    return Object.fromEntries(rows.map(({ session_id, title }) => [session_id, title]));
  }
}

const PUT_TITLE = `insert into sessions (session_id, title, title_by, at) values ($1, $2, $3, $4)
  on conflict (session_id) do update set title = excluded.title, title_by = excluded.title_by, at = excluded.at`;

/** Whether a session asked something in the chat; without a chat, whether the log has anything about it. */
async function isKnown(reader: Reader, sessionId: string, chatId: string | undefined): Promise<boolean> {
  const asked = 'select 1 from interactions where session_id = $1';
  // The function keeps SQLite from using the index on the chat, which may match a million rows.
  if (chatId !== undefined) {
    return (await reader.all(`${asked} and coalesce(chat_id, '') = $2 limit 1`, [sessionId, chatId])).length > 0;
  }
  const told = 'select 1 from log where session_id = $1 and interaction_id is null';
  return (
    (await reader.all(`${asked} limit 1`, [sessionId])).length > 0 ||
    (await reader.all(`${told} limit 1`, [sessionId])).length > 0
  );
}
