import { setImmediate as nextTurn } from 'node:timers/promises';
import { toIso } from '../core/clock.ts';
import type { Tally } from '../core/store.ts';
import type { Kind, Status } from '../protocol/interaction.ts';
import type { Reader, SqlValue } from './driver.ts';
import { findSpan } from './span.ts';

const DAY_MS = 86_400_000;
/** How many numbers of the log one query covers, so that no query blocks the process for long. */
const SLICE = 20_000;
/** Interactions asked from `sinceMs` on and before `untilMs`. */
interface Span {
  sinceMs: number;
  untilMs: number;
  chatId?: string | undefined;
}

interface CountRow {
  day: number;
  kind: Kind;
  status: Status;
  count: number;
}

/** Counts in slices. */
export async function tally(reader: Reader, span: Span): Promise<Tally> {
  const { first, end } = await findSpan(reader, span);
  const counts = new Map<string, CountRow>();
  const times = new Map<number, number>();
  for (let from = first; from < end; from += SLICE) {
    const to = Math.min(from + SLICE, end);
    for (const row of await countOutcomes(reader, span, from, to)) {
      const key = `${row.day} ${row.kind} ${row.status}`;
      counts.set(key, { ...row, count: row.count + (counts.get(key)?.count ?? 0) });
    }
    for (const { ms, count } of await countTimes(reader, span, from, to)) times.set(ms, count + (times.get(ms) ?? 0));
    await nextTurn();
  }
  return {
    counts: [...counts.values()]
      .sort((one, other) => one.day - other.day)
      .map((row) => ({ ...row, day: toIso(row.day * DAY_MS).slice(0, 10) })),
    answerTimes: Array.from(times, ([ms, count]) => ({ ms, count })),
  };
}

function countOutcomes(reader: Reader, span: Span, from: number, to: number): Promise<CountRow[]> {
  const { where, values } = toWhere(span, from, to);
  return reader.all<CountRow>(
    `select created_at / ${DAY_MS} as day, kind, status, count(*) as count from interactions ${where}
     group by 1, kind, status`,
    values,
  );
}

// Rounded up: an answer must not count as faster than it was. A rule answers in the commit of the ask, and is no person
// whose time counts.
function countTimes(reader: Reader, span: Span, from: number, to: number): Promise<{ ms: number; count: number }[]> {
  const { where, values } = toWhere(span, from, to);
  return reader.all(
    `select case
         when settled_at <= created_at then 0
         when settled_at - created_at <= 60000 then (settled_at - created_at + 99) / 100 * 100
         else (settled_at - created_at + 999) / 1000 * 1000
       end as ms, count(*) as count
     from interactions ${where} and coalesce(status, '') = 'answered' and (settled_at <> created_at or not exists (
       select 1 from rule_hits where interaction_seq = interactions.seq and is_watch = 0 and effect <> 'ask'))
     group by 1`,
    values,
  );
}

function toWhere({ sinceMs, untilMs, chatId }: Span, from: number, to: number): { where: string; values: SqlValue[] } {
  const values: SqlValue[] = [from, to, sinceMs, untilMs];
  // An index on the status or the chat would lead through rows of all times.
  const inChat = chatId === undefined ? '' : `and coalesce(chat_id, '') = $${values.push(chatId)}`;
  return { where: `where seq >= $1 and seq < $2 and created_at >= $3 and created_at < $4 ${inChat}`, values };
}
