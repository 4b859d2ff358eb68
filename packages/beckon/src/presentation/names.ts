import type { Decision } from '../protocol/decision.ts';
import type { Interaction, Kind, Status } from '../protocol/interaction.ts';
import type { RiskLevel } from '../protocol/risk.ts';
import type { Effect } from '../protocol/rule.ts';

/** A call with more questions than this does not number them. */
const MOST_STEPS = 100;

/** What people read for a kind. */
export const KIND_NAMES: Readonly<Record<Kind, string>> = {
  question: 'Question',
  plan_review: 'Plan review',
  approval: 'Approval',
  form: 'Form',
  component: 'Component',
};

/** What people read for a status. */
export const STATUS_NAMES: Readonly<Record<Status, string>> = {
  pending: 'Pending',
  answered: 'Answered',
  expired: 'Expired',
  cancelled: 'Cancelled',
  superseded: 'Ended elsewhere',
};

/** What people read for what became of a request. */
export const DECISION_NAMES: Readonly<Record<Decision, string>> = {
  pending: 'Pending',
  allowed: 'Allowed',
  denied: 'Denied',
  accepted: 'Accepted',
  sent_back: 'Sent back',
  answered: 'Answered',
  expired: 'Expired',
  cancelled: 'Cancelled',
  ended_elsewhere: 'Ended elsewhere',
};

/** A yes and a no look different before they are read. Empty if nobody decided. */
export const DECISION_SIGNS: Readonly<Record<Decision, string>> = {
  pending: '',
  allowed: '✓',
  denied: '✗',
  accepted: '✓',
  sent_back: '✗',
  answered: '✓',
  expired: '',
  cancelled: '',
  ended_elsewhere: '',
};

/** What people read for the risk of a request. */
export const RISK_NAMES: Readonly<Record<RiskLevel, string>> = {
  routine: 'Routine',
  notable: 'Notable',
  dangerous: 'Dangerous',
};

/** A sign beside the color, because a color alone says nothing to many. Empty for what is routine. */
export const RISK_SIGNS: Readonly<Record<RiskLevel, string>> = { routine: '', notable: '△', dangerous: '⚠' };

/** What people read for what a rule does. */
export const EFFECT_NAMES: Readonly<Record<Effect, string>> = { allow: 'Allow', ask: 'Ask', deny: 'Deny' };

/** The kind, and which of several questions it is: "Question 2 of 3". */
export function toKindText(interaction: Pick<Interaction, 'kind' | 'metadata'>): string {
  return [KIND_NAMES[interaction.kind], describeStep(interaction)].filter(Boolean).join(' ');
}

/** Which of several questions this is: "2 of 3". Empty if there is only one. */
export function describeStep(interaction: Pick<Interaction, 'metadata'>): string {
  const place = toStep(interaction);
  return place === null ? '' : `${place.step} of ${place.steps}`;
}

/** Which of several questions of one call this is; `null` if it stands alone. */
export function toStep({ metadata }: Pick<Interaction, 'metadata'>): { step: number; steps: number } | null {
  const { step, steps } = metadata ?? {};
  // An agent may write anything into `metadata`.
  if (!isCount(step) || !isCount(steps)) return null;
  return steps > 1 && step <= steps ? { step, steps } : null;
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MOST_STEPS;
}
