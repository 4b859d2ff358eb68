import type { Interaction } from '../protocol/interaction.ts';
import { assessRisk } from './assess-risk.ts';

/** Whether a person must decide a request by itself, with a second step, and not for the future. */
export function isDangerous(interaction: Pick<Interaction, 'kind' | 'request' | 'context'>): boolean {
  return assessRisk(interaction).level === 'dangerous';
}
