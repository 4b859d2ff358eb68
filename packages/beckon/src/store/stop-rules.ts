import type { RuleEvent } from '../protocol/events.ts';
import type { Rule } from '../protocol/rule.ts';
import { toColumnText } from './column-text.ts';
import type { Reader } from './driver.ts';
import { fromRuleRow, toRuleChange } from './rule-rows.ts';
import { RULE_CHANGES, type RuleRow } from './tables.ts';
import type { UnitOfWork } from './unit-of-work.ts';

/** The fields that every event of a rule has. */
export function toRuleHead({ id, scope }: Rule, at: string): Pick<RuleEvent, 'at' | 'ruleId' | 'chatId'> {
  return { at, ruleId: id, ...(scope.chatId !== undefined && { chatId: scope.chatId }) };
}

/** Stops those of the rules that are not stopped, and returns them as they are then. */
export async function stopRules(
  work: UnitOfWork,
  rules: readonly Rule[],
  { why, by, at }: { why: string; by?: string | undefined; at: string },
): Promise<Rule[]> {
  const stopped = rules.flatMap((rule) => (rule.stopped === undefined ? [{ ...rule, stopped: { at, why } }] : []));
  if (stopped.length === 0) return [];
  await work.transaction.update(RULE_CHANGES, stopped.map(toRuleChange), 'stopped_at is null');
  for (const rule of stopped) {
    work.appendRule({ ...toRuleHead(rule, at), type: 'rule.stopped', why, ...(by !== undefined && { by }) });
  }
  return stopped;
}

/**
 * Stops the rules of people who can no longer come in, now that tokens or browsers with their names are gone. Rules
 * that were made in process have no token or browser, and stay.
 */
export async function stopRulesOfGone(work: UnitOfWork, names: readonly string[], at: string): Promise<void> {
  for (const name of new Set(names)) {
    if (await canComeIn(work.transaction, name)) continue;
    const rows = await work.transaction.all<RuleRow>(
      'select * from rules where author = $1 and author_id is not null and stopped_at is null order by seq',
      [toColumnText(name)],
    );
    await stopRules(work, rows.map(fromRuleRow), {
      why: `${name}, who answers for it, can no longer log in`,
      at,
    });
  }
}

/**
 * Stops what was allowed to an agent whose token is gone: another one may get its name. What is denied to it stays
 * denied.
 */
export async function stopRulesForAgent(work: UnitOfWork, name: string, at: string): Promise<void> {
  const rows = await work.transaction.all<RuleRow>('select * from rules where stopped_at is null order by seq');
  const rules = rows.map(fromRuleRow).filter(({ effect, scope }) => effect === 'allow' && scope.askedBy === name);
  await stopRules(work, rules, { why: `the token of ${name}, the agent that it is about, was revoked`, at });
}

/** Whether a token of a person or a browser has this name. */
export async function canComeIn(reader: Reader, name: string): Promise<boolean> {
  const found = await reader.all(
    `select 1 from tokens where name = $1 and role <> 'agent' union all select 1 from devices where name = $1 limit 1`,
    [toColumnText(name)],
  );
  return found.length > 0;
}
