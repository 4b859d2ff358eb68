import type { AnswerEntry } from 'beckon/client';
import { type Refusal, usePressCheck, useStore } from 'beckon/react/parts';
import type { GroupSending } from '../../live/answers.ts';
import { useApp } from '../../live/app-context.ts';
import { useUi } from '../../ui/ui-context.ts';
import { useMovingOn } from './use-moving-on.ts';

/** Sends the answers to the questions of one call together. `send` gives whether they count. */
export function useGroupAnswering(
  groupId: string,
  onAnswered: (() => void) | undefined,
): {
  sending: GroupSending | undefined;
  refusal: Refusal | null;
  send: (entries: readonly AnswerEntry[]) => Promise<boolean>;
  retry: () => void;
} {
  const { answers, me } = useApp();
  const sending = useStore(answers.groupSendings, (sendings) => sendings.get(groupId));
  const { announcer } = useUi();
  const { refusal, checkPress } = usePressCheck(groupId, (text) => announcer.say(text));
  useMovingOn(sending, sending?.answers.map(({ id }) => id) ?? [], () => onAnswered?.());
  const send = async (entries: readonly AnswerEntry[]): Promise<boolean> => {
    const { result } = await answers.sendGroup(groupId, entries, me.who, () => checkPress('decide'));
    return result === 'accepted' || result === 'repeated';
  };
  const retry = (): void => {
    if (sending?.state === 'failed') void send(sending.answers).catch(() => undefined); // SendingNote shows the failure.
  };
  return { sending, refusal, send, retry };
}
