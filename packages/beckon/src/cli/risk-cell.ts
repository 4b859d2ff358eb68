import { RISK_NAMES, RISK_SIGNS } from '../presentation/names.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { assessRisk } from '../risk/assess-risk.ts';

/** The risk of a request in a table, with its sign. Empty for what is routine. */
export function toRiskCell(interaction: Interaction): string {
  const { level } = assessRisk(interaction);
  return level === 'routine' ? '' : `${RISK_SIGNS[level]} ${RISK_NAMES[level].toLowerCase()}`;
}
