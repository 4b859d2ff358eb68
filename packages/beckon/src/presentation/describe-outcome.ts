import type { Interaction } from '../protocol/interaction.ts';
import { toJsonText, toVisibleLine } from './visible.ts';
import { describeAnswerer } from './who.ts';

/** How an interaction stands, in one line that may be shown anywhere: "Answered by dev@laptop in the terminal: yes". */
export function describeOutcome(interaction: Interaction): string {
  const { status, reason, answeredBy } = interaction;
  const because = reason === undefined ? '.' : `: ${reason}`;
  switch (status) {
    case 'pending':
      return 'It waits for an answer.';
    case 'answered':
      return `Answered by ${describeAnswerer(answeredBy)}: ${toVisibleLine(toAnswerText(interaction))}`;
    case 'expired':
      return 'Expired: nobody answered in time.';
    case 'cancelled':
      return toVisibleLine(`Cancelled${because}`);
    case 'superseded':
      return toVisibleLine(`Settled elsewhere${because}`);
  }
}

/** Which of several questions this is: "2 of 3". Empty where it is one alone. */
export function describeStep({ metadata }: Interaction): string {
  const { step, steps } = metadata ?? {};
  return isCount(step) && isCount(steps) && steps > 1 ? `${step} of ${steps}` : '';
}

// What an agent writes into `metadata` may be anything.
function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0;
}

/** What was answered, with what was said beside it. */
function toAnswerText(interaction: Interaction): string {
  switch (interaction.kind) {
    case 'question':
      return [interaction.answer?.text, interaction.answer?.notes].filter(Boolean).join('; ');
    case 'plan_review':
      return [interaction.answer?.decision, interaction.answer?.feedback].filter(Boolean).join(', ');
    case 'approval':
      return [interaction.answer?.decision, interaction.answer?.message].filter(Boolean).join(', ');
    case 'form':
      return toJsonText(interaction.answer?.values ?? {});
    case 'component':
      return `${interaction.answer?.action}`;
  }
}
