import type { Interaction } from 'beckon/protocol';
import { checkAnswer, type OnAnswer, type Refusal, type Sending, usePressCheck, useStore } from 'beckon/react/parts';
import { useApp } from '../../live/app-context.ts';
import { useUi } from '../../ui/ui-context.ts';
import { useMovingOn } from './use-moving-on.ts';

/**
 * Sends the answer to one request, and moves on once it is accepted. Every answer of the page comes through `send`,
 * here or in `useGroupAnswering`, so only these refuse a press that was meant for something else.
 */
export function useAnswering(
  interaction: Interaction,
  onAnswered: (() => void) | undefined,
): {
  sending: Sending | undefined;
  refusal: Refusal | null;
  send: OnAnswer;
  retry: () => void;
} {
  const { answers, me } = useApp();
  const { id } = interaction;
  const sending = useStore(answers.sendings, (sendings) => sendings.get(id));
  const { announcer } = useUi();
  const { refusal, checkPress } = usePressCheck(id, (text) => announcer.say(text));
  useMovingOn(sending, [id], () => onAnswered?.());
  const send: OnAnswer = (answer, { step, first } = {}) => {
    const check = (): void => checkAnswer(interaction, answer, { isSecond: step === 'second', checkPress });
    return answers.send(id, answer, me.who, check, first);
  };
  const retry = (): void => {
    if (sending?.state === 'failed') void send(sending.answer).catch(() => undefined); // SendingNote shows the failure.
  };
  return { sending, refusal, send, retry };
}
