import { toPlanChoices } from '../presentation/plan-choices.ts';
import { toVisible } from '../presentation/visible.ts';
import { toPlanAbilities } from '../protocol/abilities.ts';
import type { AnswerInput } from '../protocol/answers.ts';
import type { InteractionOf } from '../protocol/interaction.ts';
import { editHere } from './edit-json.ts';
import { choose, type PromptContext, present, promptForText, read, remark } from './prompt-context.ts';

const QUESTION = 'Accept this plan?';
const EDITED_QUESTION = 'Accept this plan, as you edited it?';
const OTHERS = [
  { value: 'open', label: 'Edit it in your editor' },
  { value: 'read', label: 'Read it again' },
] as const;

/** Shows a plan and asks what to do with it. The person may edit it before they accept it or send it back. */
export async function promptForPlan(
  interaction: InteractionOf<'plan_review'>,
  context: PromptContext,
): Promise<AnswerInput> {
  const { request, awaitingFeedback } = interaction;
  const decisions = toPlanChoices(interaction).map(({ decision, label }) => ({ value: decision, label }));
  const abilities = toPlanAbilities(interaction);
  const choices = [...decisions, ...OTHERS.filter(({ value }) => value !== 'open' || abilities.editPlan)];
  let plan = request.plan;
  const menu = { message: EDITED_QUESTION, choices };
  await present(context, 'Plan', toVisible(plan), menu);
  if (awaitingFeedback) return { decision: 'adjust', feedback: await promptForText(context, 'What should change?') };
  for (;;) {
    const isEdited = plan !== request.plan;
    const edited = isEdited ? { editedPlan: plan } : {};
    const decision = await choose(context, isEdited ? EDITED_QUESTION : QUESTION, choices);
    switch (decision) {
      case 'adjust':
        if (!abilities.feedback) return { decision, ...edited };
        return { decision, feedback: await promptForText(context, 'What should change?'), ...edited };
      case 'open': {
        const written = await editHere(context, plan, 'plan.md');
        if ('problem' in written) remark(context, written.problem);
        else plan = written.value;
        if (plan !== request.plan) await present(context, 'Plan, as you edited it', toVisible(plan), menu);
        break;
      }
      case 'read':
        await read(context, 'Plan', toVisible(plan));
        break;
      default:
        return { decision, ...edited };
    }
  }
}
