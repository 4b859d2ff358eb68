import type { Interaction } from './interaction.ts';

/** What became of a request, in more detail than its status: an approval is allowed or denied. */
export const DECISIONS = [
  'pending',
  'allowed',
  'denied',
  'accepted',
  'sent_back',
  'answered',
  'expired',
  'cancelled',
  'ended_elsewhere',
] as const;
export type Decision = (typeof DECISIONS)[number];

/** What became of a request. A plan is accepted or sent back; forms, questions and components are answered. */
export function toDecision({ kind, status, answer }: Pick<Interaction, 'kind' | 'status' | 'answer'>): Decision {
  if (status === 'superseded') return 'ended_elsewhere';
  if (status !== 'answered') return status;
  const decision = answer !== undefined && 'decision' in answer ? answer.decision : undefined;
  if (kind === 'approval') return decision === 'allow' ? 'allowed' : 'denied';
  if (kind === 'plan_review') return decision === 'adjust' ? 'sent_back' : 'accepted';
  return 'answered';
}
