import { toJsonText, toVisibleLine } from '../presentation/visible.ts';
import type { Interaction } from '../protocol/interaction.ts';

/** How many characters of an agent's text a line about it has. */
const LINE_CHARS = 120;

/** One line that tells a request from others of its kind: answering the wrong one may be consent. */
export function describe(interaction: Interaction): string {
  switch (interaction.kind) {
    case 'question':
      return toVisibleLine(interaction.request.question, LINE_CHARS);
    case 'plan_review':
      return toVisibleLine(`a plan to review: ${interaction.request.plan}`, LINE_CHARS);
    case 'approval': {
      const { tool, input } = interaction.request;
      return toVisibleLine(`may ${tool} run? ${toJsonText(input)}`, LINE_CHARS, 'code');
    }
    case 'form':
      return toVisibleLine(interaction.request.message, LINE_CHARS);
    case 'component':
      return 'a screen to click on';
  }
}

/** What the person reads when they are reminded of a request. */
export function toReminder(interaction: Interaction): string {
  return `Still waiting for you: ${describe(interaction)}`;
}
