import { toVisible } from '../presentation/visible.ts';
import type { AnswerInput } from '../protocol/answers.ts';
import type { Interaction } from '../protocol/interaction.ts';
import type { JsonObject } from '../protocol/json.ts';
import { promptForApproval } from './prompt-approval.ts';
import { promptForComponent } from './prompt-component.ts';
import type { PromptContext } from './prompt-context.ts';
import { promptForValues } from './prompt-form.ts';
import { promptForPlan } from './prompt-plan.ts';
import { promptForQuestion } from './prompt-question.ts';

/**
 * Shows an interaction and lets the person answer with the keyboard. Throws `PromptLeft` where they leave it, or the signal
 * aborts. `earlier` is an answer that did not fit: what can be kept of it is offered again.
 */
export async function promptFor(
  interaction: Interaction,
  context: PromptContext,
  earlier?: AnswerInput,
): Promise<AnswerInput> {
  switch (interaction.kind) {
    case 'question':
      return promptForQuestion(interaction, context);
    case 'plan_review':
      return promptForPlan(interaction, context);
    case 'approval':
      return promptForApproval(interaction, context);
    case 'form': {
      const { message, schema } = interaction.request;
      const values = earlier !== undefined && 'values' in earlier ? (earlier.values as JsonObject) : {};
      return { values: await promptForValues(toVisible(message), schema, context, values) };
    }
    case 'component':
      return promptForComponent(interaction, context);
  }
}
