import type { AnswerInput, InteractionOf } from '../../../../protocol/index.ts';
import { type QuestionDraft, toAnswer } from './question-draft.ts';

/** One question of a call. `answer` is what the draft would send; a settled question has none. */
export interface Step {
  interaction: InteractionOf<'question'>;
  draft: QuestionDraft;
  answer: AnswerInput | null;
  state: 'open' | 'drafted' | 'settled';
}

export function toStepOf(interaction: InteractionOf<'question'>, draft: QuestionDraft): Step {
  const isPending = interaction.status === 'pending';
  const answer = isPending ? toAnswer(interaction.request, draft) : null;
  const ready = answer === null ? 'open' : 'drafted';
  return { interaction, draft, answer, state: isPending ? ready : 'settled' };
}

/** The next open question after `id`, from the beginning again after the last; `null` if no other is open. */
export function findNextOpen(steps: readonly Step[], id: string): Step | null {
  const place = steps.findIndex(({ interaction }) => interaction.id === id);
  const ahead = [...steps.slice(place + 1), ...steps.slice(0, Math.max(0, place))];
  return ahead.find(({ state }) => state === 'open') ?? null;
}

/** What one submit sends: an answer to each question that is still pending; `null` if one has none. */
export function toEntries(steps: readonly Step[]): { id: string; answer: AnswerInput }[] | null {
  if (steps.some(({ state }) => state === 'open')) return null;
  return steps.flatMap(({ interaction, answer }) => (answer === null ? [] : [{ id: interaction.id, answer }]));
}
