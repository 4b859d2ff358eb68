import { toHeadline } from '../presentation/headline.ts';
import { toJsonText, toVisible } from '../presentation/visible.ts';
import type { Interaction, InteractionOf } from '../protocol/interaction.ts';
import { ownText } from '../protocol/tool-input.ts';

/** All that a request says, as plain text that is safe to show. Forms and components are opened to be seen. */
export function toRequestText(interaction: Interaction): string {
  switch (interaction.kind) {
    case 'question':
      return toVisible(toQuestion(interaction));
    case 'plan_review':
      return toVisible(interaction.request.plan);
    case 'approval':
      return toVisible(toCall(interaction), 'code');
    case 'form':
      return toVisible(interaction.request.message);
    case 'component':
      return toHeadline(interaction);
  }
}

function toQuestion({ request }: InteractionOf<'question'>): string {
  const options = request.options.map(({ label, description, preview }, index) =>
    [`${index + 1}. ${label}${description ? `: ${description}` : ''}`, ...(preview ? [preview] : [])].join('\n'),
  );
  return [request.question, ...(options.length === 0 ? [] : [options.join('\n')])].join('\n\n');
}

/** The command as it would run, or the tool and its input, below what the agent says of it. */
function toCall({ request }: InteractionOf<'approval'>): string {
  const { tool, input, description } = request;
  const command = tool === 'Bash' ? ownText(input, 'command') : undefined;
  const { command: _, ...rest } = input;
  const shown = command === undefined ? input : rest;
  const about = description ?? '';
  const fields = Object.keys(shown).length === 0 ? '' : toJsonText(shown, 2);
  return [about, command ?? tool, fields].filter((part) => part !== '').join('\n\n');
}
