import type { AnswerInput, Interaction } from 'beckon/protocol';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { Sending } from '../../live/answers.ts';
import { useApp } from '../../live/app-context.ts';
import { useStore } from '../../live/store.ts';
import { usePending } from '../../live/use-pending.ts';
import { texts } from '../../texts.ts';
import { useUi } from '../../ui/ui-context.ts';

/** Sends the answer of one interaction, and goes on when it has counted. */
export function useAnswering(
  { id, groupId }: Interaction,
  onAnswered: ((groupId: string | undefined) => void) | undefined,
): { sending: Sending | undefined; send: (answer: AnswerInput) => Promise<void>; retry: () => void } {
  const { answers, me } = useApp();
  const { toasts } = useUi();
  const pending = usePending();
  const sending = useStore(answers.sendings, (sendings) => sendings.get(id));
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);

  const onCounted = useEffectEvent((result: 'accepted' | 'repeated') => {
    const left = [...pending.items.keys()].filter((other) => other !== id).length;
    toasts.show(result === 'accepted' ? texts.sending.acceptedNext(left) : texts.sending.repeated);
    // Whoever has opened another one meanwhile is not taken away from it.
    if (isShown.current) onAnswered?.(groupId);
  });
  // The answer's result arrives here also when another view sent it.
  const result = sending?.state === 'done' ? sending.result.result : undefined;
  const isNew = useRef(result === undefined);
  useEffect(() => {
    if (result === undefined) isNew.current = true;
    else if (isNew.current) {
      isNew.current = false;
      if (result === 'accepted' || result === 'repeated') onCounted(result);
    }
  }, [result]);

  const send = async (answer: AnswerInput): Promise<void> => {
    await answers.send(id, answer, me.who);
  };
  const retry = (): void => {
    if (sending?.state === 'failed') void send(sending.answer).catch(() => undefined); // The store has the failure.
  };
  return { sending, send, retry };
}
