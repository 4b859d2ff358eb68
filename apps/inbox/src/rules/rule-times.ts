import type { RuleDraft } from 'beckon/client';

/** How long a rule may hold, the shortest first. */
export const RULE_TIMES = ['half_hour', 'today', 'week', 'always'] as const;
export type RuleTime = (typeof RULE_TIMES)[number];

type Until = RuleDraft['until'];

/** The end of a rule that begins now, as a draft says it. `undefined`: it has no end. */
export function toUntil(time: RuleTime, now: Date): Until {
  switch (time) {
    case 'half_hour':
      return '30m';
    case 'today':
      return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1).toISOString();
    case 'week':
      return '7d';
    case 'always':
      return undefined;
  }
}

/** The choice that an offered end is, or `null` if it is none of them. */
export function toRuleTime(until: Until): RuleTime | null {
  if (until === undefined) return 'always';
  return RULE_TIMES.find((time) => time !== 'today' && toUntil(time, new Date(0)) === until) ?? null;
}
