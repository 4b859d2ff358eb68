import { describeEnding, toHeadline } from 'beckon/presentation';
import type { Interaction } from 'beckon/protocol';
import { type RefObject, useEffect, useRef } from 'react';
import { useApp } from '../../live/app-context.ts';
import { useUi } from '../../ui/ui-context.ts';
import { texts } from './texts.ts';

/**
 * When questions of a call settle while it is open, the page announces it. If the form went away under the person's
 * hands, the focus goes to the outcome.
 */
export function useSettledSteps(group: readonly Interaction[], body: RefObject<HTMLElement | null>): void {
  const { me } = useApp();
  const { announcer } = useUi();
  const pending = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const settled = group.filter(({ id, status }) => pending.current.has(id) && status !== 'pending');
    pending.current = new Set(group.filter(({ status }) => status === 'pending').map(({ id }) => id));
    if (settled.length === 0) return;
    announcer.say(
      settled.map((one) => texts.outcome.announce(toHeadline(one), describeEnding(one, me.who))).join('. '),
    );
    if (document.activeElement === document.body) body.current?.querySelector<HTMLElement>('h2')?.focus();
  }, [group, me.who, announcer, body]);
}
