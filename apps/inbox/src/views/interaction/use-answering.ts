import type { AnswerInput, Interaction } from 'beckon/protocol';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Refusal } from '../../consent/decision-guard.ts';
import { consent } from '../../consent/use-consent.ts';
import type { Sending } from '../../live/answers.ts';
import { useApp } from '../../live/app-context.ts';
import { usePending } from '../../live/use-pending.ts';
import { useStore } from '../../state/store.ts';
import { useUi } from '../../ui/ui-context.ts';
import { texts } from './texts.ts';

/** How long the page says that a press was not sent. */
const REFUSED_MS = 6000;

/**
 * Sends the answer to one request, and moves on once it is accepted. Every answer of the page comes through `send`, so
 * only this place refuses a press that was meant for something else.
 */
export function useAnswering(
  { id }: Interaction,
  onAnswered: (() => void) | undefined,
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
    // Somebody who has opened another request meanwhile stays there.
    if (isShown.current) onAnswered?.();
  });
  // The result also arrives here if another view sent the answer.
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
  const checkPress = (): void => {
    const refusal = consent.decide(id);
    setRefused(refusal && { refusal });
    if (refusal === null) return;
    announcer.say(texts.sending.notSent[refusal]);
    throw new Error(texts.sending.notSent[refusal]);
  };
  const send = async (answer: AnswerInput): Promise<void> => {
    await answers.send(id, answer, me.who, checkPress);
  };
  const retry = (): void => {
    if (sending?.state === 'failed') void send(sending.answer).catch(() => undefined); // SendingNote shows the failure.
  };
  return { sending, refusal: refused?.refusal ?? null, send, retry };
}
