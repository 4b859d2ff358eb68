import type { Policy, RuleBook } from '../core/rules.ts';
import type { Rule } from '../protocol/rule.ts';
import { fromRuleRow } from './rule-rows.ts';
import { stopRules } from './stop-rules.ts';
import { RULES, type RuleRow } from './tables.ts';
import type { UnitOfWork } from './unit-of-work.ts';

/** The rules at one number of the log, ready to decide. `known` has each one as it was read. */
export interface ShelvedBook {
  readonly seq: number;
  readonly book: RuleBook;
  readonly known: ReadonlyMap<string, KnownRule>;
}

interface KnownRule {
  row: RuleRow;
  rule: Rule;
  /** Why it may not decide anything. */
  problem: string | null;
}

/**
 * The rules as this process read them last. It holds only what was committed: a book that was read in a transaction
 * replaces the one here when the transaction is on disk.
 */
export class RuleShelf {
  readonly #policy: Policy;
  #current: ShelvedBook;

  constructor(policy: Policy) {
    this.#policy = policy;
    this.#current = { seq: 0, book: policy.compile([]), known: new Map() };
  }

  get current(): ShelvedBook {
    return this.#current;
  }

  /** Replaces the book, after the commit of the transaction that read it. */
  keep(book: ShelvedBook): void {
    this.#current = book;
  }

  /** Reads the rules in the transaction of `work`, and stops those whose examples no longer hold. */
  async read(work: UnitOfWork, at: string): Promise<ShelvedBook> {
    const rows = await work.transaction.all<RuleRow>('select * from rules where stopped_at is null order by seq');
    const known = new Map(rows.map((row) => [row.id, this.#check(row)]));
    const active = [...known.values()].flatMap(({ rule, problem }) => (problem === null ? [rule] : []));
    const book = this.#policy.compile(active);
    for (const { rule, problem } of known.values()) {
      if (problem !== null) await stopRules(work, [rule], { why: problem, at });
    }
    return { seq: work.rulesSeq, book, known };
  }

  // After one change of ten thousand rules, all the others are still as they were checked.
  #check(row: RuleRow): KnownRule {
    const known = this.#current.known.get(row.id);
    if (known !== undefined && isSameRow(known.row, row)) return known;
    const rule = fromRuleRow(row);
    return { row, rule, problem: this.#policy.check(rule) };
  }
}

function isSameRow(left: RuleRow, right: RuleRow): boolean {
  return (Object.keys(RULES.columns) as (keyof RuleRow)[]).every((column) => left[column] === right[column]);
}
