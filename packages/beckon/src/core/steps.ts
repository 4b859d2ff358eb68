import type { Interaction } from '../protocol/interaction.ts';
import { type Step, toCallKey } from '../protocol/steps.ts';

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
