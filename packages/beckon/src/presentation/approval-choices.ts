import type { ApprovalAnswer } from '../protocol/answers.ts';

/** One thing that may be decided about a tool call. `past` says what was decided. */
export interface ApprovalChoice {
  decision: ApprovalAnswer['decision'];
  label: string;
  past: string;
}

const ALLOW: ApprovalChoice = { decision: 'allow', label: 'Allow', past: 'Allowed' };
const DENY: ApprovalChoice = { decision: 'deny', label: 'Deny', past: 'Denied' };

/** What is offered for a tool call. "Deny" comes first: somebody who only presses Enter must not consent. */
export const APPROVAL_CHOICES: readonly ApprovalChoice[] = [DENY, ALLOW];

/** What was decided about a tool call. */
export function describeApprovalDecision(decision: ApprovalAnswer['decision']): string {
  return (decision === 'allow' ? ALLOW : DENY).past;
}
