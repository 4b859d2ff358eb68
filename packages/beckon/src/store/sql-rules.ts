import { toIso } from '../core/clock.ts';
import { isSameJson } from '../core/same-json.ts';
import type { RuleHit, RuleHits, StoredRules } from '../core/store.ts';
import { BeckonError } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { ListedRule, Rule } from '../protocol/rule.ts';
import { toColumnText } from './column-text.ts';
import type { Reader, SqlValue } from './driver.ts';
import { fromInteractionRow } from './rows.ts';
import { fromHitRow, fromRuleRow, toRuleChange } from './rule-rows.ts';
import { canComeIn, stopRules, toRuleHead } from './stop-rules.ts';
import { type InteractionRow, RULE_CHANGES, RULES, type RuleHitRow, type RuleRow } from './tables.ts';
import type { UnitOfWork } from './unit-of-work.ts';
import type { Writer } from './writer.ts';

const DAY_MS = 86_400_000;

/** The rules in the store's tables. */
export class SqlRules implements StoredRules {
  readonly #reader: Reader;
  readonly #writer: Writer;

  constructor(reader: Reader, writer: Writer) {
    this.#reader = reader;
    this.#writer = writer;
  }

  add(rule: Rule): Promise<void> {
    return this.#writer.submit({
      run: async (work) => {
        await refuseGone(work, rule);
        const [kept] = await work.transaction.all<{ rules: number }>('select count(*) as rules from rules');
        if ((kept?.rules ?? 0) >= LIMITS.rules) {
          throw new BeckonError(
            'invalid_input',
            `This Beckon has ${LIMITS.rules} rules, and cannot keep more. Remove some that are no longer used: ` +
              'beckon rules list',
          );
        }
        await work.transaction.insert(RULES, [{ ...toRuleChange(rule), seq: work.nextSeq }]);
        work.appendRule({ ...toRuleHead(rule, rule.createdAt), type: 'rule.added', by: rule.createdBy });
      },
    });
  }

  put({ rule, expected, at }: Parameters<StoredRules['put']>[0]): Promise<'kept' | 'stale' | 'unknown'> {
    return this.#writer.submit({
      run: async (work) => {
        await refuseGone(work, rule);
        const [row] = await work.transaction.findIn(RULES, 'id', [rule.id]);
        if (row === undefined) return 'unknown';
        if (!isSameJson(fromRuleRow(row), expected)) return 'stale';
        await work.transaction.update(RULE_CHANGES, [toRuleChange(rule)], 'id is not null');
        work.appendRule({ ...toRuleHead(rule, at), type: 'rule.changed', by: rule.createdBy });
        return 'kept';
      },
    });
  }

  remove({ id, by, at }: { id: string; by: string; at: string }): Promise<boolean> {
    return this.#writer.submit({
      run: async (work) => {
        const [row] = await work.transaction.all<RuleRow>('delete from rules where id = $1 returning *', [id]);
        if (row === undefined) return false;
        work.appendRule({ ...toRuleHead(fromRuleRow(row), at), type: 'rule.removed', by });
        return true;
      },
    });
  }

  stop({ ids, ...stop }: Parameters<StoredRules['stop']>[0]): Promise<Rule[]> {
    return this.#writer.submit({
      run: async (work) => {
        const rows = await work.transaction.findIn(RULES, 'id', ids);
        return stopRules(work, rows.map(fromRuleRow), stop);
      },
    });
  }

  async find(id: string): Promise<Rule | null> {
    const [row] = await this.#reader.findIn(RULES, 'id', [id]);
    return row === undefined ? null : fromRuleRow(row);
  }

  async list({ after, limit, chatId }: Parameters<StoredRules['list']>[0]) {
    // One extra row tells whether there is a next page.
    const values: SqlValue[] = [limit + 1];
    const conditions = [
      ...(after === undefined ? [] : [`seq < $${values.push(Number(after))}`]),
      ...(chatId === undefined ? [] : [`chat_id = $${values.push(chatId)}`]),
    ];
    const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`;
    const rows = await this.#reader.all<RuleRow & { hits: number; last_hit_at: number | null }>(
      `select rules.*, (select count(*) from rule_hits where rule_id = rules.id) as hits,
         (select at from rule_hits where rule_id = rules.id order by interaction_seq desc limit 1) as last_hit_at
       from rules ${where} order by seq desc limit $1`,
      values,
    );
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    return {
      items: shown.map(
        (row): ListedRule => ({
          rule: fromRuleRow(row),
          hits: row.hits,
          ...(row.last_hit_at !== null && { lastHitAt: toIso(row.last_hit_at) }),
        }),
      ),
      ...(rows.length > limit && last !== undefined && { next: String(last.seq) }),
    };
  }

  async all(): Promise<Rule[]> {
    return (await this.#reader.all<RuleRow>('select * from rules order by seq')).map(fromRuleRow);
  }

  async hits({ ruleId, limit }: { ruleId: string; limit: number }): Promise<RuleHits> {
    // Both engines divide whole numbers to a whole number.
    const days = await this.#reader.all<{ day: number; hits: number }>(
      `select at / ${DAY_MS} as day, count(*) as hits from rule_hits where rule_id = $1 group by 1 order by 1`,
      [ruleId],
    );
    const recent = await this.#reader.all<InteractionRow & HitColumns>(
      `select interactions.*, hit.rule_id, hit.effect, hit.is_watch, hit.at
       from (select * from rule_hits where rule_id = $1 order by interaction_seq desc limit $2) as hit
       join interactions on interactions.seq = hit.interaction_seq order by hit.interaction_seq desc`,
      [ruleId, limit],
    );
    return {
      days: days.map(({ day, hits }) => ({ day: toIso(day * DAY_MS).slice(0, 10), hits })),
      recent: recent.map((row) => ({ ...fromHitRow(row), interaction: fromInteractionRow(row) })),
    };
  }

  async rulesOf(interactionId: string): Promise<RuleHit[]> {
    const rows = await this.#reader.all<HitColumns>(
      `select rule_id, effect, is_watch, at from rule_hits
       where interaction_seq = (select seq from interactions where id = $1) order by position`,
      [interactionId],
    );
    return rows.map(fromHitRow);
  }

  dismiss({ key, who, at }: { key: string; who: string; at: string }): Promise<void> {
    return this.#writer.submit({
      run: async ({ transaction }) => {
        await transaction.all(
          'insert into rule_dismissals (key, who, at) values ($1, $2, $3) on conflict (key) do nothing',
          [key, toColumnText(who), Date.parse(at)],
        );
      },
    });
  }

  async dismissed(): Promise<string[]> {
    return (await this.#reader.all<{ key: string }>('select key from rule_dismissals order by key')).map(
      ({ key }) => key,
    );
  }
}

type HitColumns = Pick<RuleHitRow, 'rule_id' | 'effect' | 'is_watch' | 'at'>;

// Between the check of its right and this commit, its token may have been revoked.
async function refuseGone(work: UnitOfWork, { authorId, createdBy }: Rule): Promise<void> {
  if (authorId === undefined || (await canComeIn(work.transaction, createdBy))) return;
  throw new BeckonError('unauthorized', `${JSON.stringify(createdBy)} can no longer log in, so no rule was kept.`);
}
