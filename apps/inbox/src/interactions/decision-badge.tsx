import { DECISION_NAMES } from 'beckon/presentation';
import type { Decision } from 'beckon/protocol';
import { Badge, Icon, type IconName, type Tone } from 'beckon/react/parts';

/** A sign and a color for what became of a request. The word always stands beside them. */
export const DECISION_LOOKS: Readonly<Record<Decision, { icon: IconName; tone: Tone }>> = {
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

/** What became of a request, as a sign and a word. */
export function DecisionBadge({ decision }: { decision: Decision }) {
  const { icon, tone } = DECISION_LOOKS[decision];
  return (
    <Badge tone={tone}>
      <Icon name={icon} className="size-3" />
      {DECISION_NAMES[decision]}
    </Badge>
  );
}
