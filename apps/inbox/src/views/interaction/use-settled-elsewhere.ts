import { describeEnding, toHeadline } from 'beckon/presentation';
import type { Interaction } from 'beckon/protocol';
import { type RefObject, useEffect, useRef } from 'react';
import { useApp } from '../../live/app-context.ts';
import { useUi } from '../../ui/ui-context.ts';
import { texts } from './texts.ts';

/**
 * When an open request settles, its form closes under the person's hands. The page announces it and moves the focus to
 * the outcome.
 */
export function useSettledElsewhere(
  interaction: Interaction,
  { outcome, body }: { outcome: RefObject<HTMLElement | null>; body: RefObject<HTMLElement | null> },
): void {
  const { me } = useApp();
  const { announcer } = useUi();
  const before = useRef(interaction.status);
  useEffect(() => {
    const wasPending = before.current === 'pending';
    before.current = interaction.status;
    if (!wasPending || interaction.status === 'pending') return;
    announcer.say(texts.outcome.announce(toHeadline(interaction), describeEnding(interaction, me.who)));
    // If the focused element went with the form, the body has the focus.
    if (document.activeElement === document.body || body.current?.contains(document.activeElement) === true) {
      outcome.current?.focus({ preventScroll: true });
    }
    body.current?.scrollTo({ top: 0 });
  }, [interaction, me.who, announcer, outcome, body]);
}
