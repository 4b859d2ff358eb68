import { toVisible } from '../../core/visible.ts';
import type { AnswerInput } from '../../protocol/answers.ts';
import type { InteractionOf } from '../../protocol/interaction.ts';
import { editHere } from './edit-json.ts';
import { decide, type PromptContext, present, promptForText, read } from './prompt-context.ts';

const ACCEPTING = [
  { value: 'clean_edit', label: 'Accept, with a clear context' },
  { value: 'edit', label: 'Accept, and keep the context' },
  { value: 'default', label: 'Accept, with a clear context, and ask before each edit' },
] as const;

/** Shows a plan, in the pager where it is long, and asks what to do with it. It may be edited before it is accepted or sent back. */
export async function promptForPlan(
  { request, awaitingFeedback }: InteractionOf<'plan_review'>,
  context: PromptContext,
): Promise<AnswerInput> {
  let plan = request.plan;
  await present(context, 'Plan', toVisible(plan));
  if (awaitingFeedback) return { decision: 'adjust', feedback: await promptForText(context, 'What should change?') };
  for (;;) {
    const isEdited = plan !== request.plan;
    const edited = isEdited ? { editedPlan: plan } : {};
    const decision = await decide(context, isEdited ? 'Accept this plan, as you edited it?' : 'Accept this plan?', [
      ...ACCEPTING,
      { value: 'adjust', label: 'Send back with feedback' },
      { value: 'open', label: 'Edit it in your editor' },
      { value: 'read', label: 'Read it again' },
    ]);
    switch (decision) {
      case 'adjust':
        return { decision, feedback: await promptForText(context, 'What should change?'), ...edited };
      case 'open':
        plan = (await editHere(context, plan, 'plan.md')) ?? plan;
        if (plan !== request.plan) await present(context, 'Plan, as you edited it', toVisible(plan));
        break;
      case 'read':
        await read(context, 'Plan', toVisible(plan));
        break;
      default:
        return { decision, ...edited };
    }
  }
}
