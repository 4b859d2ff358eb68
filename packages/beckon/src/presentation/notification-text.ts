import type { Interaction } from '../protocol/interaction.ts';
import type { RiskLevel } from '../protocol/risk.ts';
import { toHeadline } from './headline.ts';
import { RISK_NAMES, RISK_SIGNS, toKindText } from './names.ts';
import { toPlace } from './place.ts';
import { describeAsker } from './who.ts';

/** The first line of a notification: the headline, with the level in front of it if it needs care. */
export function toNotificationTitle(interaction: Interaction, level: RiskLevel | undefined, chars?: number): string {
  const headline = toHeadline(interaction, chars);
  return level === undefined || level === 'routine'
    ? headline
    : `${RISK_SIGNS[level]} ${RISK_NAMES[level]}: ${headline}`;
}

/** The line below it: `Approval from laptop (calls itself "claude-code") · webshop`. */
export function describeRequest(interaction: Interaction): string {
  const { project } = toPlace(interaction);
  const who = `${toKindText(interaction)} from ${describeAsker(interaction)}`;
  return project === undefined ? who : `${who} · ${project}`;
}
