import type { AnswerResult } from '../../../core/beckon.ts';
import type { AnswerInput, Interaction } from '../../../protocol/index.ts';
import type { OnAnswer } from '../kinds/parts/kind-props.ts';
import { useStore } from '../state/store.ts';
import { checkAnswer } from './check-answer.ts';
import type { Answering, AnswerSender, Sending } from './sending.ts';
import { usePressCheck } from './use-press-check.ts';

/**
 * Sends the answer to one request. Every answer comes through `send`, here or in `useGroupAnswering`, so only these
 * refuse a press that was meant for something else. A refusal is also said with `say`.
 */
export function useAnswering(
  sender: AnswerSender,
  interaction: Interaction,
  { post, say }: { post: (answer: AnswerInput) => Promise<AnswerResult>; say?: (text: string) => void },
): Answering<Sending, OnAnswer> {
  const { id } = interaction;
  const sending = useStore(sender.sendings, (sendings) => sendings.get(id));
  const { refusal, checkPress } = usePressCheck(id, say);
  const send: OnAnswer = (answer, { step, first } = {}) => {
    const check = (): void => checkAnswer(interaction, answer, { isSecond: step === 'second', checkPress });
    return sender.send(id, { answer }, { check, first, post: () => post(answer) });
  };
  const retry = (): void => {
    if (sending?.state === 'failed') void send(sending.answer).catch(() => undefined); // SendingNote shows the failure.
  };
  return { sending, refusal, send, retry };
}
