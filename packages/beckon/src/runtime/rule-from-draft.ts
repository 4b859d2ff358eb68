import { toIso } from '../core/clock.ts';
import { BeckonError } from '../protocol/errors.ts';
import type { InteractionOf } from '../protocol/interaction.ts';
import { type ParsedDraft, type Rule, type RuleChange, type RuleSample, toRuleEnd } from '../protocol/rule.ts';

/** The rule of a draft. Throws `invalid_input` if it would be over before it begins. */
export function toRule(
  { until, ...said }: ParsedDraft,
  of: Pick<Rule, 'id' | 'createdBy' | 'authorId' | 'createdAt'>,
  nowMs: number,
): Rule {
  const end = until === undefined ? undefined : toRuleEnd(until, nowMs);
  if (end !== undefined && end <= nowMs) {
    throw new BeckonError(
      'invalid_input',
      `Expected "until" in the future, got ${JSON.stringify(until)}. Name a later time, or none for a rule that stays.`,
    );
  }
  return { ...said, ...of, ...(end !== undefined && { until: toIso(end) }) };
}

/** The draft that a rule becomes by a change: `null` removes a field. */
export function applyChange(rule: Rule, change: RuleChange): object {
  const { effect, tool, match, scope, mode, examples, reason, until } = rule;
  const named = Object.entries(change).filter(([, value]) => value !== undefined);
  const fields = { effect, tool, match, scope, mode, examples, reason, until, ...Object.fromEntries(named) };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
}

/** The request that an agent would ask for a sample. */
export function toSampleInteraction(
  { request, ...of }: Omit<RuleSample, 'chatId' | 'request'> & Pick<InteractionOf<'approval'>, 'chatId' | 'request'>,
  at: string,
): InteractionOf<'approval'> {
  return {
    id: 'int_sample',
    ...of,
    kind: 'approval',
    request,
    status: 'pending',
    awaitingFeedback: false,
    createdAt: at,
  };
}
