import { toIso, toMs } from '../core/clock.ts';
import { toEventHead } from '../core/judge-answer.ts';
import type { StoredTimers } from '../core/time-policy.ts';
import { findTold, isDestinationId } from '../core/told.ts';
import { isDue } from '../core/transition.ts';
import { fromDestinationRow } from './destination-rows.ts';
import type { Reader, Transaction } from './driver.ts';
import type { DestinationRow } from './notice-tables.ts';
import { toWayIn, type WayInRow } from './plan-notices.ts';
import type { TimerRow } from './timer-tables.ts';
import type { UnitOfWork } from './unit-of-work.ts';
import type { Writer } from './writer.ts';

type Reachable = Parameters<typeof findTold>[2];

/** The timers of requests in the store's tables. Those of a request that ended are removed when they fall due. */
export class SqlTimers implements StoredTimers {
  readonly #reader: Reader;
  readonly #writer: Writer;

  constructor(reader: Reader, writer: Writer) {
    this.#reader = reader;
    this.#writer = writer;
  }

  async fire({ at, limit }: { at: string; limit: number }): Promise<number> {
    const rows = await this.#reader.all<{ interaction_id: string }>(
      `select interaction_id from timers where due_at <= $1 order by due_at limit $2`,
      [toMs(at), limit],
    );
    if (rows.length === 0) return 0;
    const ids = [...new Set(rows.map(({ interaction_id }) => interaction_id))];
    return this.#writer.submit({
      ids,
      run: async (work) => {
        const places = ids.map((_, index) => `$${index + 2}`).join(', ');
        // Whoever deletes a timer fires it: the deletion and the event are one commit.
        const taken = await work.transaction.all<TimerRow>(
          `delete from timers where due_at <= $1 and interaction_id in (${places}) returning *`,
          [toMs(at), ...ids],
        );
        await fireAll(work, taken.toSorted(inOrder), at);
        return taken.length;
      },
    });
  }

  async nextAt(): Promise<string | null> {
    const [row] = await this.#reader.all<{ due_at: number }>('select due_at from timers order by due_at limit 1');
    return row === undefined ? null : toIso(row.due_at);
  }

  async mend({ at, setAfter }: { at: string; setAfter: string }): Promise<void> {
    const [misdated] = await this.#reader.all('select 1 from timers where set_at > $1 limit 1', [toMs(setAfter)]);
    if (misdated === undefined) return;
    await this.#writer.submit({
      run: async ({ transaction }) => {
        await transaction.all('update timers set due_at = $1 + due_at - set_at, set_at = $1 where set_at > $2', [
          toMs(at),
          toMs(setAfter),
        ]);
      },
    });
  }
}

async function fireAll(work: UnitOfWork, timers: readonly TimerRow[], at: string): Promise<void> {
  const reachable = await readReachable(work.transaction, timers);
  for (const { interaction_id, what, target } of timers) {
    const current = work.find(interaction_id);
    // Past its deadline it can only expire.
    if (current === undefined || isDue(current, at)) continue;
    const head = toEventHead(current, at);
    if (what === 'reminded') work.apply({ ...head, type: 'interaction.reminded' });
    else {
      const to = target ?? '';
      const { problem } = findTold(to, current.chatId, reachable);
      work.apply({ ...head, type: 'interaction.escalated', to, ...(problem !== undefined && { problem }) });
    }
  }
}

/** The people and destinations that the timers name. */
async function readReachable(transaction: Transaction, timers: readonly TimerRow[]): Promise<Reachable> {
  const targets = [...new Set(timers.flatMap(({ target }) => target ?? []))];
  if (targets.length === 0) return { destinations: [], waysIn: [] };
  const named = targets.map((_, index) => `$${index + 1}`).join(', ');
  const rows = await transaction.all<DestinationRow>(
    `select * from destinations where id in (${named}) or owner in (${named})`,
    targets,
  );
  const people = [...new Set([...targets.filter((to) => !isDestinationId(to)), ...rows.map(({ owner }) => owner)])];
  const names = people.map((_, index) => `$${index + 1}`).join(', ');
  const waysIn =
    people.length === 0
      ? []
      : await transaction.all<WayInRow>(
          `select name, role, chat_id from tokens where role <> 'agent' and name in (${names})
           union select name, role, chat_id from devices where name in (${names})`,
          people,
        );
  return { destinations: rows.map(fromDestinationRow), waysIn: waysIn.map(toWayIn) };
}

function inOrder(left: TimerRow, right: TimerRow): number {
  return left.due_at - right.due_at || left.position - right.position;
}
