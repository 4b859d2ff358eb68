import { describeOutcome } from '../presentation/describe-outcome.ts';
import { toHeadline } from '../presentation/headline.ts';
import { toVisibleLine } from '../presentation/visible.ts';
import { type Decision, toDecision } from '../protocol/decision.ts';
import type { Interaction } from '../protocol/interaction.ts';
import type { Style } from './line.ts';

/** A remark below the list, ready for a terminal. */
export interface Notice {
  text: string;
  style: Style;
}

const LOOKS: Readonly<Record<Decision, { mark: string; style: Style }>> = {
  pending: { mark: '*', style: 'yellow' },
  allowed: { mark: '✓', style: 'green' },
  denied: { mark: '✗', style: 'red' },
  accepted: { mark: '✓', style: 'green' },
  sent_back: { mark: '✗', style: 'yellow' },
  answered: { mark: '✓', style: 'cyan' },
  expired: { mark: '*', style: 'yellow' },
  cancelled: { mark: '*', style: 'yellow' },
  ended_elsewhere: { mark: '*', style: 'yellow' },
};

/** How a decision looks: allowed and denied differ in mark and color. */
export function toLook(interaction: Pick<Interaction, 'kind' | 'status' | 'answer'>): { mark: string; style: Style } {
  return LOOKS[toDecision(interaction)];
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
