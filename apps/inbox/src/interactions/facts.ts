import { toVisibleLine } from 'beckon/presentation';
import type { Interaction } from 'beckon/protocol';
import { texts } from '../texts.ts';

/** Who asks, as far as the interaction says it. */
export function toAgent(interaction: Interaction): string {
  const agent = interaction.metadata?.['agent'];
  return toVisibleLine(typeof agent === 'string' && agent !== '' ? agent : (interaction.askedBy ?? texts.anAgent), 60);
}

/** Where in a call of several questions this one is; `null` for one that stands alone. */
export function toStep(interaction: Interaction): { step: number; steps: number } | null {
  const { step, steps } = interaction.metadata ?? {};
  if (typeof step !== 'number' || typeof steps !== 'number') return null;
  return Number.isInteger(step) && Number.isInteger(steps) && step >= 1 && steps > 1 && steps <= 100 && step <= steps
    ? { step, steps }
    : null;
}

/** Whether it is one of the samples that a new Beckon comes with. */
export function isSample(interaction: Interaction): boolean {
  return interaction.chatId === SAMPLES_CHAT_ID && Boolean(interaction.metadata?.['sample']);
}

/** The chat that the samples are in. */
export const SAMPLES_CHAT_ID = 'samples';
