import { toIso, toMs } from '../core/clock.ts';
import type { RuleHit } from '../core/store.ts';
import type { Effect, Rule } from '../protocol/rule.ts';
import { toColumnText } from './column-text.ts';
import type { RuleChange, RuleHitRow, RuleRow } from './tables.ts';

/** A rule as its columns. The author's name is in the body as well: the column is for finding it. */
export function toRuleChange(rule: Rule): RuleChange {
  const { id, authorId, createdAt, until, stopped, ...body } = rule;
  return {
    id,
    body: JSON.stringify(body),
    author: toColumnText(rule.createdBy),
    author_id: authorId ?? null,
    chat_id: rule.scope.chatId ?? null,
    created_at: toMs(createdAt),
    until: until === undefined ? null : Date.parse(until),
    stopped_at: stopped === undefined ? null : toMs(stopped.at),
    stopped_why: stopped === undefined ? null : JSON.stringify(stopped.why),
  };
}

/** `toRuleChange` wrote the row, so its parts fit together; the type cannot know. */
export function fromRuleRow(row: RuleRow): Rule {
  return {
    id: row.id,
    ...JSON.parse(row.body),
    ...(row.author_id !== null && { authorId: row.author_id }),
    createdAt: toIso(row.created_at),
    ...(row.until !== null && { until: toIso(row.until) }),
    ...(row.stopped_at !== null &&
      row.stopped_why !== null && { stopped: { at: toIso(row.stopped_at), why: JSON.parse(row.stopped_why) } }),
  } as Rule;
}

export function fromHitRow(row: Pick<RuleHitRow, 'rule_id' | 'effect' | 'is_watch' | 'at'>): RuleHit {
  return { ruleId: row.rule_id, effect: row.effect as Effect, isWatch: row.is_watch === 1, at: toIso(row.at) };
}
