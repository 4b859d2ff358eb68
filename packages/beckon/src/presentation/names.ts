import type { Interaction, Kind, Status } from '../protocol/interaction.ts';

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

/** The kind, and which of several questions it is: "Question 2 of 3". */
export function toKindText(interaction: Pick<Interaction, 'kind' | 'metadata'>): string {
  return [KIND_NAMES[interaction.kind], describeStep(interaction)].filter(Boolean).join(' ');
}

/** Which of several questions this is: "2 of 3". Empty if there is only one. */
export function describeStep({ metadata }: Pick<Interaction, 'metadata'>): string {
  const { step, steps } = metadata ?? {};
  return isCount(step) && isCount(steps) && steps > 1 ? `${step} of ${steps}` : '';
}

// An agent may write anything into `metadata`.
function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0;
}
