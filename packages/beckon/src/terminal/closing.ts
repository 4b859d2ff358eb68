import { describeOutcome } from '../presentation/describe-outcome.ts';
import { toHeadline } from '../presentation/headline.ts';
import { DECISION_SIGNS } from '../presentation/names.ts';
import { toVisibleLine } from '../presentation/visible.ts';
import { type Decision, toDecision } from '../protocol/decision.ts';
import type { Interaction } from '../protocol/interaction.ts';
import type { Style } from './line.ts';

/** A remark below the list, ready for a terminal. */
export interface Notice {
  text: string;
  style: Style;
}

const STYLES: Readonly<Partial<Record<Decision, Style>>> = {
  allowed: 'green',
  denied: 'red',
  accepted: 'green',
  answered: 'cyan',
};

/** How a decision looks: allowed and denied differ in mark and color. */
export function toLook(interaction: Pick<Interaction, 'kind' | 'status' | 'answer'>): { mark: string; style: Style } {
  const decision = toDecision(interaction);
  return { mark: DECISION_SIGNS[decision] || '*', style: STYLES[decision] ?? 'yellow' };
}

/** What was asked, and how it ended: "✓ Lunch? - Answered by ada in Telegram: yes". */
export function toClosing(interaction: Interaction): Notice {
  const { mark, style } = toLook(interaction);
  return { text: `${mark} ${toHeadline(interaction, 40)} - ${describeOutcome(interaction)}`, style };
}

/** A remark about a chat or a request. */
export function toRemark(about: string, text: string): Notice {
  return { text: `* ${toVisibleLine(about, undefined, 'code')}: ${toVisibleLine(text)}`, style: 'yellow' };
}
