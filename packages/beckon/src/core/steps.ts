import type { Interaction } from '../protocol/interaction.ts';

/** What says which step of which call a request is. */
type Step = Pick<Interaction, 'groupId' | 'chatId' | 'askedBy' | 'askerId' | 'metadata'>;

/**
 * Names the call that a request is a step of; `null` if it stands alone. What somebody else asked, or in another chat,
 * is of another call even under the same `groupId`: it could hide a request.
 */
export function toCallKey({ groupId, chatId, askedBy, askerId, metadata }: Step): string | null {
  if (groupId === undefined || !Number.isInteger(metadata?.['step'])) return null;
  return JSON.stringify([groupId, chatId, askedBy, askerId]);
}

/** The requests without those that wait for an earlier step of their call, in the same order. */
export function toLowestSteps(pending: readonly Interaction[]): Interaction[] {
  const lowest = new Map<string, number>();
  for (const interaction of pending) {
    const key = toCallKey(interaction);
    if (key !== null) lowest.set(key, Math.min(stepOf(interaction), lowest.get(key) ?? Number.POSITIVE_INFINITY));
  }
  return pending.filter((interaction) => {
    const key = toCallKey(interaction);
    return key === null || lowest.get(key) === stepOf(interaction);
  });
}

/** The steps of the same call among these requests, in their order. */
export function toStepsOf(interaction: Interaction, among: readonly Interaction[]): Interaction[] {
  const key = toCallKey(interaction);
  const steps = among.filter((other) => key !== null && toCallKey(other) === key);
  return steps.toSorted((one, other) => stepOf(one) - stepOf(other));
}

/** Whether one step of a call comes before another. */
export function isBefore(one: Step, other: Step): boolean {
  return stepOf(one) < stepOf(other);
}

/** Whether no step of a call can come before this one. */
export function isFirstStep(step: Step): boolean {
  return stepOf(step) <= 1;
}

function stepOf({ metadata }: Step): number {
  return Number(metadata?.['step']);
}
