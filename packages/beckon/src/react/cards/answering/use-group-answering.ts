import type { AnswerEntry, GroupResult } from '../../../core/beckon.ts';
import { useStore } from '../state/store.ts';
import type { Answering, GroupSender, GroupSending } from './sending.ts';
import { usePressCheck } from './use-press-check.ts';

/** Sends the answers to the questions of one call together. Gives whether they count. */
export type OnAnswers = (entries: readonly AnswerEntry[]) => Promise<boolean>;

/** `useAnswering` for the questions of one call: all answers count, or none. */
export function useGroupAnswering(
  sender: GroupSender,
  groupId: string,
  { post, say }: { post: (entries: readonly AnswerEntry[]) => Promise<GroupResult>; say?: (text: string) => void },
): Answering<GroupSending, OnAnswers> {
  const sending = useStore(sender.sendings, (sendings) => sendings.get(groupId));
  const { refusal, checkPress } = usePressCheck(groupId, say);
  const send: OnAnswers = async (answers) => {
    const check = (): void => checkPress('decide');
    const { result } = await sender.send(groupId, { answers }, { check, post: () => post(answers) });
    return result === 'accepted' || result === 'repeated';
  };
  const retry = (): void => {
    if (sending?.state === 'failed') void send(sending.answers).catch(() => undefined); // SendingNote shows the failure.
  };
  return { sending, refusal, send, retry };
}
