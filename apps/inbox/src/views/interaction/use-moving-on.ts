import type { AnswerResult, GroupResult } from 'beckon/client';
import { describeSent, type GroupSending, type Sending } from 'beckon/react/parts';
import { useEffect, useEffectEvent, useRef } from 'react';
import { usePending } from '../../live/use-pending.ts';
import { useUi } from '../../ui/ui-context.ts';
import { texts } from './texts.ts';

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
  const onCounted = useEffectEvent((counted: AnswerResult | GroupResult) => {
    const left = [...pending.items.keys()].filter((other) => !ids.includes(other)).length;
    const said = describeSent('interaction' in counted ? [counted.interaction] : counted.interactions);
    toasts.show(counted.result === 'accepted' ? texts.sending.acceptedNext(said, left) : texts.sending.repeated);
    // Somebody who has opened another request meanwhile stays there.
    if (isShown.current) onAnswered();
  });
  // The result also arrives here if another view sent the answer.
  const result = sending?.state === 'done' ? sending.result : undefined;
  const before = useRef(result);
  useEffect(() => {
    if (result === before.current) return;
    before.current = result;
    if (result?.result === 'accepted' || result?.result === 'repeated') onCounted(result);
  }, [result]);
}
