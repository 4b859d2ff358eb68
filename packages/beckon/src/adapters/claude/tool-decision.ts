import type { Interaction, InteractionOf } from '../../protocol/interaction.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { toPartialDenial } from './partial-denial.ts';
import { type AnsweredQuestion, toAnsweredInput, toPlanOutcome } from './tool-answers.ts';

/** What a person decided about a tool call, in the form that Claude Code's hooks and the Agent SDK share. */
export type ToolDecision =
  | { behavior: 'allow'; updatedInput?: JsonObject; updatedPermissions?: JsonObject[] }
  | { behavior: 'deny'; message: string };

/**
 * Turns the settled interactions of a tool call into a decision. `null` if one was not answered, which is never
 * consent; but if others of the call were, the agent is told which.
 */
export function toToolDecision(input: JsonObject, settled: readonly Interaction[]): ToolDecision | null {
  const [first] = settled;
  if (settled.some(({ status }) => status !== 'answered')) {
    const message = toPartialDenial(settled);
    return message === null ? null : { behavior: 'deny', message };
  }
  switch (first?.kind) {
    case 'question':
      return { behavior: 'allow', updatedInput: toAnsweredInput(input, settled.flatMap(toAnswered)) };
    case 'plan_review':
      return decidePlanReview(first);
    case 'approval':
      return decideApproval(first);
    default:
      return null;
  }
}

function toAnswered(interaction: Interaction): AnsweredQuestion[] {
  if (interaction.kind !== 'question' || interaction.answer === undefined) return [];
  return [{ request: interaction.request, answer: interaction.answer }];
}

function decidePlanReview({ request, answer }: InteractionOf<'plan_review'>): ToolDecision | null {
  if (answer === undefined) return null;
  const outcome = toPlanOutcome(answer, request.toolInput);
  if (!outcome.mayProceed) return { behavior: 'deny', message: outcome.message };
  const mode = answer.decision === 'default' ? 'default' : 'acceptEdits';
  return {
    behavior: 'allow',
    // Claude ignores an allowed plan without an input.
    updatedInput: outcome.updatedInput,
    updatedPermissions: [{ type: 'setMode', mode, destination: 'session' }],
  };
}

/** What an agent reads when a person says no: the reason, or who said it. */
export function toDenial({ request, answer, answeredBy }: InteractionOf<'approval'>): string {
  return answer?.message || `${answeredBy?.who ?? 'The person'} denied ${request.tool}.`;
}

function decideApproval(interaction: InteractionOf<'approval'>): ToolDecision | null {
  const { request, answer } = interaction;
  if (answer === undefined) return null;
  const { decision, updatedInput, remember } = answer;
  if (decision === 'deny') return { behavior: 'deny', message: toDenial(interaction) };
  return {
    behavior: 'allow',
    ...(updatedInput !== undefined && { updatedInput }),
    ...(remember === true && request.suggestions !== undefined && { updatedPermissions: request.suggestions }),
  };
}
