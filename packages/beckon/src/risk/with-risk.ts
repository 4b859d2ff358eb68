import type { Interaction } from '../protocol/interaction.ts';
import type { Risk } from '../protocol/risk.ts';
import { assessRisk } from './assess-risk.ts';

/** A request with how much care it needs. Only approvals have a risk. */
export type InteractionWithRisk = Interaction & { risk?: Risk };

/** A request for other programs, with how much care it needs if it is an approval. */
export function withRisk(interaction: Interaction): InteractionWithRisk {
  return interaction.kind === 'approval' ? { ...interaction, risk: assessRisk(interaction) } : interaction;
}
