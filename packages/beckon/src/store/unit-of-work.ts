import { answerByRule } from '../core/answer-by-rule.ts';
import { toIso, toMs } from '../core/clock.ts';
import { toEventHead } from '../core/judge-answer.ts';
import type { RuleBook, RuleDecision } from '../core/rules.ts';
import type { Commit } from '../core/store.ts';
import type { NewTimer } from '../core/time-policy.ts';
import { type InteractionEvent, transition } from '../core/transition.ts';
import type { Context } from '../protocol/context.ts';
import type { LogEvent, NewLogEvent, PolicyEvent, RuleEvent } from '../protocol/events.ts';
import type { Interaction } from '../protocol/interaction.ts';
import type { AheadTransaction, LogHead, Transaction } from './driver.ts';
import { type PolicyShelf, readPolicies, type ShelvedPolicies } from './policy-shelf.ts';
import { toRequestDigest } from './request-digest.ts';
import { fromInteractionRow, toInteractionChange, toInteractionRow, toLogRow } from './rows.ts';
import type { RuleShelf, ShelvedBook } from './rule-shelf.ts';
import {
  CONTEXTS,
  type ContextRow,
  INTERACTION_CHANGES,
  INTERACTIONS,
  type InteractionRow,
  LOG,
  RULE_HITS,
  type RuleHitRow,
  type Table,
} from './tables.ts';
import { TIMERS, type TimerRow } from './timer-tables.ts';

/** What this process read last, besides interactions. */
export interface Shelves {
  rules: RuleShelf;
  policies: PolicyShelf;
}

/** The interactions that a batch looks at, by id and by idempotency key. */
interface Wanted {
  ids: readonly string[];
  keys: readonly string[];
}

interface Entry {
  seq: number;
  interaction: Interaction;
  /** The digest of its row; `null` if it has no row yet, or one of an older Beckon. */
  digest: string | null;
  state: 'unchanged' | 'changed' | 'new';
  /** Whether feedback was awaited when its row was read. */
  wasAwaiting: boolean;
}

/**
 * The interactions that one transaction reads and changes, in memory. Steps decide on it one after another, as if each
 * had the database to itself; `flush` then writes what they decided with a fixed number of statements, however many
 * steps there were.
 */
export class UnitOfWork {
  /** For steps that need SQL of their own. */
  readonly transaction: Transaction;
  readonly #byId = new Map<string, Entry>();
  readonly #byKey = new Map<string, Entry>();
  readonly #events: LogEvent[] = [];
  readonly #contexts: ContextRow[] = [];
  readonly #hits: RuleHitRow[] = [];
  readonly #timers: TimerRow[] = [];
  readonly #shelves: Shelves;
  /** Set if it decides before it has the log's lock. Then new numbers count from 1 until `place`. */
  readonly #ahead: AheadTransaction | null;
  #logEnd: Promise<number> | undefined;
  #hasUsedRules = false;
  #hasUsedPolicies = false;
  #book: ShelvedBook;
  #policies: ShelvedPolicies;
  #seq: number;
  #rulesSeq: number;
  #policiesSeq: number;

  private constructor(
    { transaction, ahead = null }: { transaction: Transaction; ahead?: AheadTransaction | null },
    head: LogHead,
    shelves: Shelves,
  ) {
    this.transaction = transaction;
    this.#ahead = ahead;
    this.#seq = head.seq;
    this.#rulesSeq = head.rulesSeq;
    this.#policiesSeq = head.policiesSeq;
    this.#shelves = shelves;
    this.#book = shelves.rules.current;
    this.#policies = shelves.policies.current;
  }

  /** Locks the log and loads the interactions that the steps name by id or idempotency key. */
  static async open(transaction: Transaction, wanted: Wanted, shelves: Shelves): Promise<UnitOfWork> {
    // Called together, so that they take one round trip: the lock comes first, and the rows are read when it is held.
    const [head, rows] = await Promise.all([transaction.lockLog(), findAll(transaction, wanted)]);
    const work = new UnitOfWork({ transaction }, head, shelves);
    work.#load(rows);
    return work;
  }

  /**
   * Loads the same without the lock, and takes rules and time policies as this process read them last. The transaction
   * fails if anything that was decided on has changed by then.
   */
  static async openAhead(ahead: AheadTransaction, wanted: Wanted, shelves: Shelves): Promise<UnitOfWork> {
    const head = { seq: 0, rulesSeq: shelves.rules.current.seq, policiesSeq: shelves.policies.current.seq };
    const work = new UnitOfWork({ transaction: ahead, ahead }, head, shelves);
    work.#load(await findAll(ahead, wanted));
    return work;
  }

  #load(rows: readonly InteractionRow[]): void {
    for (const row of rows) {
      const interaction = fromInteractionRow(row);
      const { awaitingFeedback: wasAwaiting } = interaction;
      this.#remember({ seq: row.seq, interaction, digest: row.digest, state: 'unchanged', wasAwaiting });
    }
  }

  /** Finds an interaction that a step of this batch named. */
  find(id: string): Interaction | undefined {
    return this.#byId.get(id)?.interaction;
  }

  /** Finds an interaction by the idempotency key that a step of this batch named. */
  findKey(key: string): Interaction | undefined {
    return this.#byKey.get(key)?.interaction;
  }

  /** The same, for somebody who asks under this key. `isSame`: the other asks the same. */
  findByKey(key: string, other: Interaction): { interaction: Interaction; isSame: boolean } | undefined {
    const entry = this.#byKey.get(key);
    if (entry === undefined) return undefined;
    const digest = entry.digest ?? toRequestDigest(entry.interaction);
    return { interaction: entry.interaction, isSame: digest === toRequestDigest(other) };
  }

  /** The number of the last change of a rule, as this step sees it. */
  get rulesSeq(): number {
    return this.#rulesSeq;
  }

  /** The number that the next event gets. */
  get nextSeq(): number {
    return this.#seq + 1;
  }

  /** The book that this transaction used. It is to be kept only if the transaction is committed. */
  get book(): ShelvedBook {
    return this.#book;
  }

  /** The rules as this step sees them. It is a promise only if they have changed since this process read them. */
  openBook(at: string): RuleBook | Promise<RuleBook> {
    this.#hasUsedRules = true;
    return this.#book.seq === this.#rulesSeq ? this.#book.book : this.#readBook(at);
  }

  async #readBook(at: string): Promise<RuleBook> {
    this.#book = await this.#shelves.rules.read(this, at);
    return this.#book.book;
  }

  /** The number of the last change of a time policy, as this step sees it. */
  get policiesSeq(): number {
    return this.#policiesSeq;
  }

  /** The time policies that this transaction used. They are to be kept only if the transaction is committed. */
  get policies(): ShelvedPolicies {
    return this.#policies;
  }

  /** The time policies as this step sees them, by the rule of `openBook`. */
  openPolicies(): ShelvedPolicies | Promise<ShelvedPolicies> {
    this.#hasUsedPolicies = true;
    return this.#policies.seq === this.#policiesSeq ? this.#policies : this.#readPolicies();
  }

  async #readPolicies(): Promise<ShelvedPolicies> {
    this.#policies = await readPolicies(this);
    return this.#policies;
  }

  /**
   * Adds a new interaction together with its `interaction.requested` event, what surrounds it, what the rules say about
   * it, and what is to happen if it waits.
   */
  add(
    interaction: Interaction,
    {
      context,
      decision,
      timers = [],
    }: { context?: Context | undefined; decision?: RuleDecision | undefined; timers?: readonly NewTimer[] } = {},
  ): void {
    const { seq } = this.append({
      ...toEventHead(interaction, interaction.createdAt),
      type: 'interaction.requested',
      ...(interaction.expiresAt !== undefined && { expiresAt: interaction.expiresAt }),
    });
    this.#remember({ seq, interaction, digest: null, state: 'new', wasAwaiting: false });
    if (context !== undefined) this.#contexts.push({ interaction_seq: seq, data: JSON.stringify(context) });
    if (decision !== undefined) this.#decide(interaction, seq, decision);
    if (this.find(interaction.id)?.status === 'pending') this.#setTimers(interaction, timers);
  }

  #setTimers({ id, createdAt }: Interaction, timers: readonly NewTimer[]): void {
    const set_at = toMs(createdAt);
    for (const [position, { what, afterMs, to = null }] of timers.entries()) {
      this.#timers.push({ interaction_id: id, position, what, target: to, due_at: set_at + afterMs, set_at });
    }
  }

  #decide(interaction: Interaction, seq: number, decision: RuleDecision): void {
    const { effect, rules, watching } = decision;
    const at = interaction.createdAt;
    const said = [
      ...(effect === null ? [] : rules.map((rule) => ({ rule, effect, is_watch: 0 }))),
      ...watching.map((watch) => ({ ...watch, is_watch: 1 })),
    ];
    for (const [position, { rule, ...hit }] of said.entries()) {
      this.#hits.push({ rule_id: rule.id, interaction_seq: seq, position, ...hit, at: toMs(at) });
    }
    for (const { rule, effect: would } of watching) {
      this.apply({ ...toEventHead(interaction, at), type: 'interaction.watched', ruleId: rule.id, effect: would });
    }
    for (const event of answerByRule(interaction, decision, at)) this.apply(event);
  }

  /** Applies an event to its interaction and appends it. Returns `null`, and does neither, if it no longer applies. */
  apply(event: InteractionEvent): LogEvent | null {
    const entry = this.#byId.get(event.interactionId);
    const next = entry === undefined ? null : transition(entry.interaction, event);
    if (entry === undefined || next === null) return null;
    if (next !== entry.interaction && entry.state === 'unchanged') entry.state = 'changed';
    entry.interaction = next;
    return this.append(event);
  }

  /** Gives an event the next number of the log. */
  append(event: NewLogEvent): LogEvent {
    this.#seq += 1;
    const logged: LogEvent = { seq: this.#seq, ...event };
    this.#events.push(logged);
    return logged;
  }

  /** Gives an event of a rule the next number of the log. From here on, asks see the rules as they are now. */
  appendRule(event: RuleEvent): LogEvent {
    const logged = this.append(event);
    this.#rulesSeq = logged.seq;
    return logged;
  }

  /** The same for an event of a time policy. */
  appendPolicy(event: PolicyEvent): LogEvent {
    const logged = this.append(event);
    this.#policiesSeq = logged.seq;
    return logged;
  }

  /**
   * Sends everything that changed, and does not wait for it: the commit goes with it, and fails if any of it fails.
   */
  flush(): Omit<Commit, 'steps'> {
    const { transaction } = this;
    const entries = [...this.#byId.values()];
    const added = entries.filter(({ state }) => state === 'new');
    const changed = entries.filter(({ state }) => state === 'changed');
    if (this.#events.length > 0) {
      this.#logEnd = this.#ahead?.advanceLog({
        by: this.#seq,
        rulesSeq: this.#hasUsedRules ? this.#rulesSeq : null,
        policiesSeq: this.#hasUsedPolicies ? this.#policiesSeq : null,
      });
    }
    this.#insert(
      INTERACTIONS,
      added.map(({ interaction, seq }) => toInteractionRow(interaction, seq)),
    );
    this.#insert(CONTEXTS, this.#contexts);
    this.#insert(RULE_HITS, this.#hits);
    if (this.#timers.length > 0) void transaction.insert(TIMERS, this.#timers);
    this.#change(changed);
    this.#insert(LOG, this.#events.map(toLogRow));
    if (this.#events.length > 0 && this.#ahead === null)
      void transaction.moveLog({ seq: this.#seq, rulesSeq: this.#rulesSeq, policiesSeq: this.#policiesSeq });
    const interactions = [...added, ...changed].map(({ interaction }) => interaction);
    const timerAt = this.#timers.reduce((first, { due_at }) => Math.min(first, due_at), Number.POSITIVE_INFINITY);
    return {
      events: this.#events,
      interactions,
      ...(timerAt < Number.POSITIVE_INFINITY && { timerAt: toIso(timerAt) }),
    };
  }

  /** Gives the events the numbers that they have in the log, once they are committed. */
  async place(): Promise<void> {
    const end = (await this.#logEnd) ?? 0;
    for (const event of this.#events) event.seq += end;
  }

  #insert<Row>(table: Table<Row>, rows: readonly Row[]): void {
    if (rows.length > 0) void (this.#ahead?.insertNumbered(table, rows) ?? this.transaction.insert(table, rows));
  }

  // Each must still be as it was read. The log's lock makes sure of it; decided ahead, it is found out here. If one is
  // not, nothing may be committed.
  #change(changed: readonly Entry[]): void {
    for (const was of [false, true]) {
      const rows = changed.flatMap(({ interaction, seq, wasAwaiting }) =>
        wasAwaiting === was ? [toInteractionChange(interaction, seq)] : [],
      );
      const guard = `status = 'pending' and awaiting_feedback = ${was ? 1 : 0}`;
      if (rows.length > 0) void this.transaction.updateAll(INTERACTION_CHANGES, rows, guard);
    }
  }

  #remember(entry: Entry): void {
    this.#byId.set(entry.interaction.id, entry);
    if (entry.interaction.idempotencyKey !== undefined) this.#byKey.set(entry.interaction.idempotencyKey, entry);
  }
}

async function findAll(transaction: Transaction, { ids, keys }: Wanted): Promise<InteractionRow[]> {
  const found = await Promise.all([
    ids.length === 0 ? [] : transaction.findIn(INTERACTIONS, 'id', ids),
    keys.length === 0 ? [] : transaction.findIn(INTERACTIONS, 'idempotency_key', keys),
  ]);
  return found.flat();
}
