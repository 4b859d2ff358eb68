import type { Interaction } from 'beckon/protocol';

/** Which of several questions of one call this is; `null` if it stands alone. */
export function toStep(interaction: Interaction): { step: number; steps: number } | null {
  const { step, steps } = interaction.metadata ?? {};
  if (typeof step !== 'number' || typeof steps !== 'number') return null;
  return Number.isInteger(step) && Number.isInteger(steps) && step >= 1 && steps > 1 && steps <= 100 && step <= steps
    ? { step, steps }
    : null;
}
