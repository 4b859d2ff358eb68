import type {
  ClaimedNotices,
  DeliveryRecord,
  EntryWhat,
  NoticeFacts,
  NoticeOutbox,
  NoticeSettlement,
  Plan,
  PlannedEntry,
  PlannerView,
} from '../core/notice-outbox.ts';
import type { LogEvent, NewLogEvent } from '../protocol/events.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { claimLanes, peekLanes } from './claim-notices.ts';
import type { Reader, SqlValue } from './driver.ts';
import { toLaneKey } from './lanes.ts';
import { listDeliveries } from './list-deliveries.ts';
import { readFacts } from './notice-facts.ts';
import { addNoticeLanes, isHeld } from './notice-lanes.ts';
import type { NoticeEntryRow } from './notice-tables.ts';
import { addEntries, readView, writePlan } from './plan-notices.ts';
import { fromInteractionRow, fromLogRow } from './rows.ts';
import { foldLanes, settleLane } from './settle-notices.ts';
import { removeDestination } from './stop-destinations.ts';
import type { InteractionRow, LogRow } from './tables.ts';
import type { UnitOfWork } from './unit-of-work.ts';
import type { Writer } from './writer.ts';

/**
 * The side of the outbox that tells people and programs, in the store's tables. An entry is `waiting` or `dead`; a sent
 * one is a row of `notices`. Entries share tables with hooks; their lanes are marked.
 */
export class SqlNotices implements NoticeOutbox {
  readonly #reader: Reader;
  readonly #writer: Writer;

  constructor(reader: Reader, writer: Writer) {
    this.#reader = reader;
    this.#writer = writer;
  }

  view(): Promise<PlannerView | null> {
    return readView(this.#reader);
  }

  plan(plan: Plan): Promise<boolean> {
    return this.#run(({ transaction }) => writePlan(transaction, plan));
  }

  async isTold(interactionIds: readonly string[]): Promise<boolean> {
    const places = interactionIds.map((_, index) => `$${index + 1}`).join(', ');
    // One statement, so that it sees one moment: a lane becomes a notice in one commit.
    const found = await this.#reader.all(
      `select 1 from outbox_lanes where is_notice = 1 and lane in (${places})
       union all select 1 from notices where is_open = 1 and interaction_id in (${places}) limit 1`,
      interactionIds,
    );
    return found.length > 0;
  }

  replayPart(input: Parameters<NoticeOutbox['replayPart']>[0]): Promise<boolean> {
    const { destination, from, upTo, at } = input;
    return this.#run(async ({ transaction }) => {
      const [taken] = await transaction.all(
        `update destinations set replay_seq = case when $2 >= replay_to then null else $2 end
         where id = $1 and replay_seq = $3 returning id`,
        [destination, upTo, from],
      );
      if (taken === undefined) return false;
      const waiting = await transaction.all<{ seq: number; status: string }>(
        'select seq, status from outbox where destination = $1 and seq > $2 and seq <= $3',
        [destination, from, upTo],
      );
      const known = new Set(waiting.map(({ seq }) => seq));
      await addEntries(
        transaction,
        input.entries.filter(({ seq }) => !known.has(seq)),
        at,
      );
      return true;
    });
  }

  peek(at: number): Promise<{ isDue: boolean; nextInMs: number | null }> {
    return peekLanes(this.#reader, at);
  }

  claim(input: Parameters<NoticeOutbox['claim']>[0]): Promise<ClaimedNotices[]> {
    return this.#run(({ transaction }) => claimLanes(transaction, input));
  }

  facts(input: { lane: ClaimedNotices; at: number; since: number }): Promise<NoticeFacts> {
    return readFacts(this.#reader, input);
  }

  async events(seqs: readonly number[]): Promise<LogEvent[]> {
    const places = seqs.map((_, index) => `$${index + 1}`).join(', ');
    const rows = await this.#reader.all<LogRow>(`select * from log where seq in (${places}) order by seq`, seqs);
    return rows.map(fromLogRow);
  }

  async pending({ chats, kinds, limit }: Parameters<NoticeOutbox['pending']>[0]): Promise<{
    count: number;
    newest: Interaction[];
  }> {
    const values: SqlValue[] = [];
    const among = (column: string, names: readonly string[] | undefined): string[] =>
      names === undefined ? [] : [`${column} in (${names.map((name) => `$${values.push(name)}`).join(', ')})`];
    // Chat by chat, because SQLite would read all that is pending for several.
    const inChats = chats?.map(
      (chat) => `select seq from interactions where status = 'pending' and chat_id = $${values.push(chat)}`,
    );
    const where = (
      inChats === undefined
        ? [`status = 'pending'`, ...among('kind', kinds)]
        : [`seq in (${inChats.join(' union all ')})`, ...among(`coalesce(kind, '')`, kinds)]
    ).join(' and ');
    const [counted] = await this.#reader.all<{ count: number }>(
      `select count(*) as count from interactions where ${where}`,
      values,
    );
    const rows = await this.#reader.all<InteractionRow>(
      `select * from interactions where ${where} order by seq desc limit $${values.length + 1}`,
      [...values, limit],
    );
    return { count: counted?.count ?? 0, newest: rows.map(fromInteractionRow) };
  }

  settle(settlement: NoticeSettlement): Promise<boolean> {
    return this.#run((work) => settleLane(work, settlement));
  }

  fold(input: { lane: ClaimedNotices; at: number; dueAt: number }): Promise<number> {
    return this.#run(({ transaction }) => foldLanes(transaction, input));
  }

  forget({ lane, events }: { lane: ClaimedNotices; events: readonly NewLogEvent[] }): Promise<void> {
    return this.#run(async (work) => {
      const { id } = lane.destination;
      const isOurs = await isHeld(work.transaction, toLaneKey({ destination: id, lane: lane.lane }), lane.claim);
      if (!isOurs || !(await removeDestination(work.transaction, id))) return;
      for (const event of events) work.append(event);
    });
  }

  async listClaims(): Promise<string[]> {
    const rows = await this.#reader.all<{ claim: string }>(
      'select distinct claim from outbox_lanes where is_notice = 1 and claim is not null',
    );
    return rows.map(({ claim }) => claim);
  }

  freeClaim(claim: string): Promise<void> {
    return this.#run(async ({ transaction }) => {
      await transaction.all(
        'update outbox_lanes set claim = null, leased_until = 0 where is_notice = 1 and claim is not null and claim = $1',
        [claim],
      );
    });
  }

  async misdated(at: number): Promise<string[]> {
    const rows = await this.#reader.all<{ destination: string }>(
      'select distinct destination from outbox_lanes where is_notice = 1 and set_at > $1',
      [at],
    );
    return rows.map(({ destination }) => destination);
  }

  async waitingLanes(destination: string): ReturnType<NoticeOutbox['waitingLanes']> {
    const rows = await this.#reader.all<NoticeEntryRow>(
      `select * from outbox where destination = $1 and status = 'waiting' and lane in (
         select lane from outbox_lanes where destination = $1 and claim is null
       ) order by seq`,
      [destination],
    );
    const lanes = Map.groupBy(rows, ({ lane }) => lane);
    return [...lanes].map(([lane, entries]) => ({
      lane,
      entries: entries.map(({ seq, what, attempts, planned_at }) => ({
        seq,
        what: what as EntryWhat, // Written by `addEntries`.
        attempts,
        plannedAt: planned_at,
      })),
    }));
  }

  moveLanes({ destination, at, lanes }: Parameters<NoticeOutbox['moveLanes']>[0]): Promise<void> {
    return this.#run(async ({ transaction }) => {
      for (const { lane, dueAt } of lanes) {
        await transaction.all(
          'update outbox_lanes set due_at = $2, set_at = $3 where key = $1 and claim is null and is_notice = 1',
          [toLaneKey({ destination, lane }), dueAt, at],
        );
      }
    });
  }

  deliveries(input: Parameters<NoticeOutbox['deliveries']>[0]): Promise<DeliveryRecord[]> {
    return listDeliveries(this.#reader, input);
  }

  reviveDead({ destination, at }: { destination: string; at: number }): Promise<number> {
    return this.#run(async ({ transaction }) => {
      const rows = await transaction.all<{ lane: string }>(
        `update outbox set status = 'waiting', attempts = 0, planned_at = $2
         where destination = $1 and status = 'dead' returning lane`,
        [destination, at],
      );
      const lanes = rows.map(({ lane }) => ({ destination, lane, dueAt: at }));
      await addNoticeLanes(transaction, lanes, at);
      return rows.length;
    });
  }

  replayAfter({ destination, after, at }: Parameters<NoticeOutbox['replayAfter']>[0]): Promise<number> {
    return this.#run(async (work) => {
      const [head] = await work.transaction.all<{ seq: number }>('select seq from notify_head');
      const to = head?.seq ?? 0;
      // What comes later is planned anyway. What was dead is sent again as well.
      if (after >= to) return 0;
      const [found] = await work.transaction.all(
        'update destinations set replay_seq = $2, replay_to = $3 where id = $1 returning id',
        [destination, after, to],
      );
      if (found === undefined) return 0;
      const revived = await work.transaction.all<{ lane: string }>(
        `update outbox set status = 'waiting', attempts = 0, planned_at = $3
         where destination = $1 and status = 'dead' and seq > $2 returning lane`,
        [destination, after, at],
      );
      const lanes = revived.map(({ lane }) => ({ destination, lane, dueAt: at }));
      await addNoticeLanes(work.transaction, lanes, at);
      return to - after;
    });
  }

  replayOne({ destination, entry, at }: { destination: string; entry: PlannedEntry; at: number }): Promise<boolean> {
    return this.#run(async ({ transaction }) => {
      const known = await transaction.all('select 1 from log where seq = $1', [entry.seq]);
      if (known.length === 0) return false;
      await transaction.all('delete from outbox where destination = $1 and seq = $2', [destination, entry.seq]);
      await addEntries(transaction, [entry], at);
      return true;
    });
  }

  #run<Result>(run: (work: UnitOfWork) => Promise<Result>): Promise<Result> {
    return this.#writer.submit({ run });
  }
}
