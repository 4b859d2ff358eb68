import type { AnswerInput, Interaction } from 'beckon/protocol';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Refusal } from '../../consent/decision-guard.ts';
import { consent } from '../../consent/use-consent.ts';
import type { Sending } from '../../live/answers.ts';
import { useApp } from '../../live/app-context.ts';
import { useStore } from '../../live/store.ts';
import { usePending } from '../../live/use-pending.ts';
import { texts } from '../../texts.ts';
import { useUi } from '../../ui/ui-context.ts';

/** How long it is said that a press was not sent. */
const REFUSED_MS = 6000;

/**
 * Sends the answer of one interaction, and goes on when it has counted. Every decision of the page comes through `send`, whatever its
 * kind: a press that began on something else is refused here, and nowhere else.
 */
export function useAnswering(
  { id, groupId }: Interaction,
  onAnswered: ((groupId: string | undefined) => void) | undefined,
): {
  sending: Sending | undefined;
  refusal: Refusal | null;
  send: (answer: AnswerInput) => Promise<void>;
  retry: () => void;
} {
  const { answers, me } = useApp();
  const { toasts, announcer } = useUi();
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

  const [refused, setRefused] = useState<{ refusal: Refusal } | null>(null);
  useEffect(() => {
    if (refused === null) return undefined;
    const timer = setTimeout(() => setRefused(null), REFUSED_MS);
    return () => clearTimeout(timer);
  }, [refused]);
  const send = async (answer: AnswerInput): Promise<void> => {
    const refusal = consent.decide(id);
    setRefused(refusal && { refusal });
    if (refusal !== null) {
      announcer.say(texts.sending.notSent[refusal]);
      // Whoever sends keeps what was filled in.
      throw new Error(texts.sending.notSent[refusal]);
    }
    await answers.send(id, answer, me.who);
  };
  const retry = (): void => {
    if (sending?.state === 'failed') void send(sending.answer).catch(() => undefined); // It is said already.
  };
  return { sending, refusal: refused?.refusal ?? null, send, retry };
}
