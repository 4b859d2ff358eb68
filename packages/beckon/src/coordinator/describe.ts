import { toHeadline } from '../presentation/headline.ts';
import { toJsonText, toVisibleLine } from '../presentation/visible.ts';
import type { Interaction } from '../protocol/interaction.ts';

/** How many characters of an agent's text a line about it has. */
const LINE_CHARS = 120;

/** One line that tells a request from others of its kind: answering the wrong one may be consent. */
export function describe(interaction: Interaction): string {
  switch (interaction.kind) {
    // A typed "yes" may consent, so a plan is more than its title, and a call more than its most telling field.
    case 'plan_review':
      return toVisibleLine(`Plan: ${interaction.request.plan}`, LINE_CHARS);
    case 'approval': {
      const { tool, input } = interaction.request;
      return toVisibleLine(`Allow ${tool}? ${toJsonText(input)}`, LINE_CHARS, 'code');
    }
    default:
      return toHeadline(interaction, LINE_CHARS);
  }
}

/** What the person reads when they are reminded of a request. */
export function toReminder(interaction: Interaction): string {
  return `Still waiting for you: ${describe(interaction)}`;
}
