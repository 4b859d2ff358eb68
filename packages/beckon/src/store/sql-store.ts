import type { AnswerResult, GroupResult } from '../core/beckon.ts';
import type { CheckForm } from '../core/check-answer.ts';
import { toIso } from '../core/clock.ts';
import { toEventHead } from '../core/judge-answer.ts';
import type { Policy } from '../core/rules.ts';
import type { AnswersInput, Changes, Commit, EndInput, NewInteraction, Store } from '../core/store.ts';
import type { InteractionEvent } from '../core/transition.ts';
import type { Context } from '../protocol/context.ts';
import type { LogEvent, NewLogEvent } from '../protocol/events.ts';
import type { Interaction, Kind, Status } from '../protocol/interaction.ts';
import { DEFAULT_PAGE_ITEMS, type InteractionPage, type ListFilter } from '../protocol/list.ts';
import type { Note } from '../protocol/note.ts';
import type { TimePolicy } from '../protocol/time-policy.ts';
import { addAll } from './add-all.ts';
import type { Driver, Reader } from './driver.ts';
import { type Asked, findAsked, findRarest, needsFacts, toFacts, toFactsQuery, toPlainFilter } from './facts.ts';
import { toListQuery } from './list-query.ts';
import { migrate } from './migrate.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { type ChangesRow, READ_CHANGES } from './read-changes.ts';
import { type AnswerChecks, recordAnswers, recordGroup } from './record-answers.ts';
import { fromInteractionRow, fromLogRow } from './rows.ts';
import { RuleShelf } from './rule-shelf.ts';
import { SqlAttendance } from './sql-attendance.ts';
import { SqlDestinations } from './sql-destinations.ts';
import { SqlDevices } from './sql-devices.ts';
import { SqlHistory } from './sql-history.ts';
import { SqlHooks } from './sql-hooks.ts';
import { SqlMachineLogins } from './sql-machine-logins.ts';
import { SqlNotices } from './sql-notices.ts';
import { SqlOutbox } from './sql-outbox.ts';
import { SqlPolicies } from './sql-policies.ts';
import { SqlReplies } from './sql-replies.ts';
import { SqlRules } from './sql-rules.ts';
import { SqlSecrets } from './sql-secrets.ts';
import { SqlSessions } from './sql-sessions.ts';
import { SqlSnoozes } from './sql-snoozes.ts';
import { SqlTimers } from './sql-timers.ts';
import { SqlTokens } from './sql-tokens.ts';
import { INTERACTION_STATUSES, INTERACTIONS, type InteractionRow, type LogRow } from './tables.ts';
import { toSearchQuery } from './word-search.ts';
import { WriteCheck } from './write-check.ts';
import { toClosedError, Writer } from './writer.ts';

/** Settings of a store besides the engine's. */
export interface SqlStoreOptions {
  checkForm: CheckForm;
  policy: Policy;
  /** How many steps may share one commit. 1 turns the sharing off. Default 500: about 20 ms of work. */
  batchSteps?: number;
  /** Hears of what a listener of commits throws. Default: ignored. */
  onError?: ((error: unknown) => void) | undefined;
}

/** Opens the store on an engine and migrates the database, or rejects it. Closes the driver if that fails. */
export async function openSqlStore(driver: Driver, options: SqlStoreOptions): Promise<SqlStore> {
  try {
    await migrate(driver, MIGRATIONS);
    await driver.prepare();
  } catch (error) {
    await driver.close();
    throw error;
  }
  return new SqlStore(driver, options);
}

/** The one implementation of `Store`, for both engines. */
export class SqlStore implements Store {
  readonly #driver: Driver;
  readonly #writer: Writer;
  readonly #writeCheck: WriteCheck;
  readonly #checks: AnswerChecks;
  readonly #reads = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;
  readonly hooks: SqlHooks;
  readonly outbox: SqlOutbox;
  readonly tokens: SqlTokens;
  readonly devices: SqlDevices;
  readonly machineLogins: SqlMachineLogins;
  readonly history: SqlHistory;
  readonly sessions: SqlSessions;
  readonly snoozes: SqlSnoozes;
  readonly rules: SqlRules;
  readonly destinations: SqlDestinations;
  readonly notices: SqlNotices;
  readonly secrets: SqlSecrets;
  readonly replies: SqlReplies;
  readonly attendance: SqlAttendance;
  readonly policies: SqlPolicies;
  readonly timers: SqlTimers;

  constructor(driver: Driver, options: SqlStoreOptions) {
    this.#driver = driver;
    const { checkForm, policy } = options;
    this.#checks = { checkForm, isDangerous: policy.isDangerous, isOneTap: policy.isOneTap };
    this.#writer = new Writer(driver, {
      batchSteps: options.batchSteps ?? 500,
      shelf: new RuleShelf(options.policy),
      onError: options.onError,
    });
    this.#writeCheck = new WriteCheck({ engine: driver.engine, writer: this.#writer });
    const reader: Reader = {
      all: (sql, values) => this.#read((open) => open.all(sql, values)),
      findIn: (table, column, values) => this.#read((open) => open.findIn(table, column, values)),
    };
    this.hooks = new SqlHooks(reader, this.#writer);
    this.outbox = new SqlOutbox(reader, this.#writer);
    this.tokens = new SqlTokens(reader, this.#writer);
    this.devices = new SqlDevices(reader, this.#writer);
    this.machineLogins = new SqlMachineLogins(reader, this.#writer);
    this.sessions = new SqlSessions(reader, this.#writer);
    this.snoozes = new SqlSnoozes(reader, this.#writer);
    this.rules = new SqlRules(reader, this.#writer);
    this.destinations = new SqlDestinations(reader, this.#writer);
    this.notices = new SqlNotices(reader, this.#writer);
    this.secrets = new SqlSecrets(reader, this.#writer);
    this.replies = new SqlReplies(reader, this.#writer);
    this.attendance = new SqlAttendance(reader, this.#writer);
    this.policies = new SqlPolicies(reader, this.#writer);
    this.timers = new SqlTimers(reader, this.#writer);
    this.history = new SqlHistory({ engine: driver.engine, writer: this.#writer, reader });
  }

  async ask(
    interaction: Interaction,
    context?: Context,
    times?: TimePolicy,
  ): Promise<{ interaction: Interaction; isNew: boolean }> {
    const [asked] = await this.askGroup([{ interaction, context, times }]);
    return asked as { interaction: Interaction; isNew: boolean };
  }

  askGroup(asks: readonly NewInteraction[]): Promise<{ interaction: Interaction; isNew: boolean }[]> {
    return this.#writer.submit({
      ids: asks.flatMap(({ interaction, hasNewId }) => (hasNewId ? [] : [interaction.id])),
      keys: asks.flatMap(({ interaction: { idempotencyKey: key } }) => (key === undefined ? [] : [key])),
      canDecideAhead: true,
      run: (work) => addAll(work, asks),
    });
  }

  async recordAnswer({ id, answer, by, at }: Parameters<Store['recordAnswer']>[0]): Promise<AnswerResult> {
    const [result] = await this.recordAnswers({ answers: [{ id, answer }], by, at });
    return result as AnswerResult;
  }

  recordAnswers(input: AnswersInput): Promise<AnswerResult[]> {
    return this.#writer.submit({
      ids: input.answers.map(({ id }) => id),
      canDecideAhead: true,
      run: (work) => recordAnswers(work, input, this.#checks),
    });
  }

  recordGroup(input: AnswersInput & { groupId: string }): Promise<GroupResult> {
    return this.#writer.submit({
      ids: input.answers.map(({ id }) => id),
      canDecideAhead: true,
      run: (work) => recordGroup(work, input, this.#checks),
    });
  }

  end({ ids, as, reason, at }: EndInput): Promise<Interaction[]> {
    return this.#writer.submit({
      ids,
      canDecideAhead: true,
      run: (work) =>
        ids.flatMap((id) => {
          const current = work.find(id);
          if (current === undefined) return [];
          const head = toEventHead(current, at);
          const applied = work.apply(
            as === 'expired'
              ? { ...head, type: 'interaction.expired' }
              : { ...head, type: `interaction.${as}`, ...(reason !== undefined && { reason }) },
          );
          return applied === null ? [] : [work.find(id) ?? current];
        }),
    });
  }

  note({ id, note, at }: { id: string; note: Note; at: string }): Promise<boolean> {
    return this.#writer.submit({
      ids: [id],
      // A reminder is one only while its request waits, and nothing that `flush` writes would notice that it does not.
      canDecideAhead: note.type !== 'reminded',
      run: (work) => {
        const current = work.find(id);
        if (current === undefined) return false;
        const event = { ...toEventHead(current, at), ...note, type: `interaction.${note.type}` };
        return work.apply(event as InteractionEvent) !== null; // `Note` has the fields of each type.
      },
    });
  }

  appendEvent(event: NewLogEvent): Promise<LogEvent | null> {
    return this.#writer.submit({
      ids: 'interactionId' in event ? [event.interactionId] : [],
      run: (work) => ('interactionId' in event ? work.apply(event) : work.append(event)),
    });
  }

  async get(id: string): Promise<Interaction | null> {
    const [interaction] = await this.getMany([id]);
    return interaction ?? null;
  }

  async getContext(id: string): Promise<Context | null> {
    const [row] = await this.#read((driver) =>
      driver.all<{ data: string }>(
        `select data from contexts where interaction_seq = (select seq from interactions where id = $1)`,
        [id],
      ),
    );
    // `UnitOfWork` wrote it.
    return row === undefined ? null : (JSON.parse(row.data) as Context);
  }

  async getStatuses(ids: readonly string[]): Promise<Map<string, Pick<Interaction, 'status' | 'expiresAt'>>> {
    const rows = await this.#read((driver) => driver.findIn(INTERACTION_STATUSES, 'id', ids));
    return new Map(
      rows.map(({ id, status, expires_at }) => [
        id,
        { status: status as Status, ...(expires_at !== null && { expiresAt: toIso(expires_at) }) },
      ]),
    );
  }

  async getMany(ids: readonly string[]): Promise<Interaction[]> {
    return (await this.#read((driver) => driver.findIn(INTERACTIONS, 'id', ids))).map(fromInteractionRow);
  }

  async list(filter: ListFilter): Promise<InteractionPage> {
    const limit = filter.limit ?? DEFAULT_PAGE_ITEMS;
    const wanted = toPlainFilter(filter);
    const isComplete = !(wanted.text !== undefined || needsFacts(wanted)) || (await this.history.catchUpForNow());
    // Read before the rows: an event in between is then in the rows, and also after this number.
    const lastSeq = await this.lastSeq();
    // One extra row tells whether there is a next page.
    const rows = await this.#read((reader) => this.#readRows(reader, wanted, limit + 1));
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    return {
      items: shown.map(fromInteractionRow),
      ...(rows.length > limit && last !== undefined && { next: String(last.seq) }),
      lastSeq,
      ...(!isComplete && { incomplete: true }),
    };
  }

  async #readRows(reader: Reader, filter: ListFilter, rows: number): Promise<InteractionRow[]> {
    const page = { asked: await findAsked(reader, filter), rows };
    const query = await this.#toQuery(reader, filter, page);
    return query === null ? [] : reader.all<InteractionRow>(query.sql, query.values);
  }

  async #toQuery(reader: Reader, filter: ListFilter, page: { asked: Asked | null; rows: number }) {
    if (filter.text !== undefined) {
      const rarest = needsFacts(filter) ? await findRarest(reader, toFacts(filter)) : null;
      return toSearchQuery(this.#driver.engine, filter, { ...page, rarest });
    }
    return needsFacts(filter) ? toFactsQuery(reader, filter, page) : toListQuery(filter, page);
  }

  async listDue({ at, limit, asked }: Parameters<Store['listDue']>[0]): Promise<string[]> {
    const isAsked = asked === undefined ? '' : 'and created_at > $3 and seq <= $4';
    const rows = await this.#read((driver) =>
      driver.all<{ id: string }>(
        `select id from interactions where status = 'pending' and expires_at <= $1 ${isAsked} order by expires_at limit $2`,
        [Date.parse(at), limit, ...(asked === undefined ? [] : [Date.parse(asked.after), asked.upTo])],
      ),
    );
    return rows.map(({ id }) => id);
  }

  async countPending(): Promise<Partial<Record<Kind, number>>> {
    const rows = await this.#read((driver) =>
      driver.all<{ kind: Kind; pending: number }>(
        `select kind, count(*) as pending from interactions where status = 'pending' group by kind`,
      ),
    );
    return Object.fromEntries(rows.map(({ kind, pending }) => [kind, pending]));
  }

  async nextDeadline(): Promise<string | null> {
    const [row] = await this.#read((driver) =>
      driver.all<{ expires_at: number }>(
        `select expires_at from interactions where status = 'pending' and expires_at is not null order by expires_at limit 1`,
      ),
    );
    return row === undefined ? null : toIso(row.expires_at);
  }

  async readLog({ after, limit }: { after: number; limit: number }): Promise<LogEvent[]> {
    const rows = await this.#read((driver) =>
      driver.all<LogRow>('select * from log where seq > $1 order by seq limit $2', [after, limit]),
    );
    return rows.map(fromLogRow);
  }

  async readChanges({ after, limit }: { after: number; limit: number }): Promise<Changes | null> {
    const [row] = await this.#read((driver) =>
      driver.all<ChangesRow>(READ_CHANGES[this.#driver.engine], [after, limit]),
    );
    if (row === undefined || row.last_seq === null) return null;
    return {
      lastSeq: row.last_seq,
      ids: row.ids === null ? [] : (JSON.parse(row.ids) as string[]),
      ...(row.expires_at !== null && { expiresAt: toIso(row.expires_at) }),
    };
  }

  async lastSeq(): Promise<number> {
    const [row] = await this.#read((driver) => driver.all<{ seq: number }>('select seq from log_head'));
    return row?.seq ?? 0;
  }

  onCommit(listener: (commit: Commit) => void): void {
    this.#writer.onCommit(listener);
  }

  follow(onChange: (seq?: number) => void): () => void {
    return this.#driver.follow(onChange);
  }

  async checkWrites(): Promise<void> {
    if (this.#closing !== undefined) throw toClosedError();
    await this.#writeCheck.check();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#writer.close();
    await Promise.allSettled(this.#reads);
    await this.#driver.close();
  }

  async #read<Result>(work: (reader: Reader) => Promise<Result>): Promise<Result> {
    if (this.#closing !== undefined) throw toClosedError();
    const reading = work(this.#driver);
    this.#reads.add(reading);
    try {
      return await reading;
    } finally {
      this.#reads.delete(reading);
    }
  }
}
