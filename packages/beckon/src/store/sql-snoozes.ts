import { toIso } from '../core/clock.ts';
import type { StoredSnoozes } from '../core/store.ts';
import type { Snooze } from '../protocol/history.ts';
import { toColumnText } from './column-text.ts';
import type { Reader, SqlValue } from './driver.ts';
import type { Writer } from './writer.ts';

/** What people put aside, in the store's tables. */
export class SqlSnoozes implements StoredSnoozes {
  readonly #reader: Reader;
  readonly #writer: Writer;

  constructor(reader: Reader, writer: Writer) {
    this.#reader = reader;
    this.#writer = writer;
  }

  put({ who, interactionId, until, at, chatId }: Parameters<StoredSnoozes['put']>[0]) {
    const person = toColumnText(who);
    return this.#writer.submit<'kept' | 'settled' | 'unknown'>({
      ids: [interactionId],
      run: async (work) => {
        const current = work.find(interactionId);
        if (current === undefined || (chatId !== undefined && current.chatId !== chatId)) return 'unknown';
        if (current.status !== 'pending') return 'settled';
        await work.transaction.all(FORGET_ENDED, [person, Date.parse(at)]);
        await work.transaction.all(PUT_SNOOZE, [person, interactionId, Date.parse(until)]);
        return 'kept';
      },
    });
  }

  remove({ who, interactionId }: { who: string; interactionId: string }): Promise<boolean> {
    return this.#writer.submit({
      run: async ({ transaction }) => {
        const removed = await transaction.all(
          'delete from snoozes where who = $1 and interaction_id = $2 returning who',
          [toColumnText(who), interactionId],
        );
        return removed.length === 1;
      },
    });
  }

  async list({ who, at, chatId }: { who: string; at: string; chatId?: string | undefined }): Promise<Snooze[]> {
    const values: SqlValue[] = [toColumnText(who), Date.parse(at)];
    const inChat = chatId === undefined ? '' : `and coalesce(chat_id, '') = $${values.push(chatId)}`;
    // CROSS keeps SQLite from beginning with the interactions.
    const rows = await this.#reader.all<{ interaction_id: string; until: number }>(
      `select interaction_id, until from snoozes cross join interactions
       where interactions.id = snoozes.interaction_id and who = $1 and until > $2
         and coalesce(status, '') = 'pending' ${inChat}
       order by until, interaction_id`,
      values,
    );
    return rows.map(({ interaction_id, until }) => ({ interactionId: interaction_id, until: toIso(until) }));
  }
}

const PUT_SNOOZE = `insert into snoozes (who, interaction_id, until) values ($1, $2, $3)
  on conflict (who, interaction_id) do update set until = excluded.until`;

// Only when somebody puts something aside, so that no answer pays for it.
const FORGET_ENDED = `delete from snoozes where who = $1 and (until <= $2 or not exists (
  select 1 from interactions where interactions.id = snoozes.interaction_id and coalesce(status, '') = 'pending'))`;
