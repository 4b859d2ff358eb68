import type { InteractionOf } from '../../../../protocol/index.ts';

/** An earlier plan of the same session, and its number from 1. */
export interface PlanVersion {
  number: number;
  interaction: InteractionOf<'plan_review'>;
}

/** The plans that the session asked for before this one, oldest first. */
export function toEarlierVersions(
  { id, createdAt, chatId }: InteractionOf<'plan_review'>,
  plans: readonly InteractionOf<'plan_review'>[],
): PlanVersion[] {
  return plans
    .filter((plan) => plan.id !== id && plan.chatId === chatId && plan.createdAt < createdAt)
    .toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1))
    .map((interaction, index) => ({ number: index + 1, interaction }));
}
