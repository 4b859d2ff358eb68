import { DECISION_NAMES } from 'beckon/presentation';
import type { Decision } from 'beckon/protocol';
import { Badge, DECISION_LOOKS, Icon } from 'beckon/react/parts';

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
