import { DECISION_NAMES, toHeadline } from 'beckon/presentation';
import { toDecision } from 'beckon/protocol';
import type { Sending } from 'beckon/react/parts';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { GroupSending } from '../../live/answers.ts';
import { usePending } from '../../live/use-pending.ts';
import { useUi } from '../../ui/ui-context.ts';
import { texts } from './texts.ts';

/** A toast has room for this much of what was decided. */
const HEADLINE_CHARS = 60;

/** Says that an answer counts, and opens the next request. */
export function useMovingOn(
  sending: Sending | GroupSending | undefined,
  ids: readonly string[],
  onAnswered: () => void,
): void {
  const { toasts } = useUi();
  const pending = usePending();
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  const onCounted = useEffectEvent((result: 'accepted' | 'repeated') => {
    const left = [...pending.items.keys()].filter((other) => !ids.includes(other)).length;
    toasts.show(result === 'accepted' ? texts.sending.acceptedNext(toSaid(sending), left) : texts.sending.repeated);
    // Somebody who has opened another request meanwhile stays there.
    if (isShown.current) onAnswered();
  });
  // The result also arrives here if another view sent the answer.
  const result = sending?.state === 'done' ? sending.result : undefined;
  const before = useRef(result);
  useEffect(() => {
    if (result === before.current) return;
    before.current = result;
    if (result?.result === 'accepted' || result?.result === 'repeated') onCounted(result.result);
  }, [result]);
}

/** What was decided, in words. */
function toSaid(sending: Sending | GroupSending | undefined): string {
  if (sending?.state !== 'done') return texts.sending.sent;
  const { result } = sending;
  if ('interactions' in result && result.interactions.length > 1) {
    return texts.sending.severalSent(result.interactions.length);
  }
  const decided = 'interaction' in result ? result.interaction : result.interactions[0];
  if (decided == null) return texts.sending.sent;
  return texts.sending.decided(DECISION_NAMES[toDecision(decided)], toHeadline(decided, HEADLINE_CHARS));
}
