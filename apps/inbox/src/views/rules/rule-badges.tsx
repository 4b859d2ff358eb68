import type { Rule } from 'beckon/client';
import type { Effect } from 'beckon/protocol';
import { Badge, Icon, type IconName, type Tone } from 'beckon/react/parts';
import { texts } from './texts.ts';

const LOOKS: Readonly<Record<Effect, { icon: IconName; tone: Tone }>> = {
  allow: { icon: 'check', tone: 'success' },
  ask: { icon: 'question', tone: 'accent' },
  deny: { icon: 'denied', tone: 'danger' },
};

/** What a rule says, and whether it only watches or has stopped, each as a sign and a word. */
export function RuleBadges({ rule }: { rule: Rule }) {
  const { icon, tone } = LOOKS[rule.effect];
  return (
    <>
      <Badge tone={tone}>
        <Icon name={icon} className="size-3" />
        {texts.shown[rule.effect]}
      </Badge>
      {rule.mode === 'watch' && <Badge tone="neutral">{texts.watching}</Badge>}
      {rule.stopped !== undefined && (
        <Badge tone="warning">
          <Icon name="warning" className="size-3" />
          {texts.stopped}
        </Badge>
      )}
    </>
  );
}
