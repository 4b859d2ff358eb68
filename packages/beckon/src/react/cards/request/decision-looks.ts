import type { Decision } from '../../../protocol/index.ts';
import type { Tone } from '../ui/badge.tsx';
import type { IconName } from '../ui/icon.tsx';

/** A sign and a color. */
export interface Look {
  icon: IconName;
  tone: Tone;
}

/** The look of what became of a request. The word always stands beside it. */
export const DECISION_LOOKS: Readonly<Record<Decision, Look>> = {
  pending: { icon: 'inbox', tone: 'accent' },
  allowed: { icon: 'check', tone: 'success' },
  denied: { icon: 'denied', tone: 'danger' },
  accepted: { icon: 'check', tone: 'success' },
  sent_back: { icon: 'back', tone: 'warning' },
  answered: { icon: 'chat', tone: 'accent' },
  expired: { icon: 'clock', tone: 'warning' },
  cancelled: { icon: 'close', tone: 'neutral' },
  ended_elsewhere: { icon: 'logout', tone: 'neutral' },
};
