import type { Interaction } from 'beckon/protocol';
import {
  type Answering,
  type GroupSending,
  type OnAnswer,
  type OnAnswers,
  type Sending,
  useAnswering,
  useGroupAnswering,
} from 'beckon/react/parts';
import { useApp } from '../../live/app-context.ts';
import { useUi } from '../../ui/ui-context.ts';
import { useMovingOn } from './use-moving-on.ts';

/** Sends the answer to one request from this page, and moves on once it is accepted. */
export function usePageAnswering(
  interaction: Interaction,
  onAnswered: (() => void) | undefined,
): Answering<Sending, OnAnswer> {
  const { answers, me } = useApp();
  const { announcer } = useUi();
  const { id } = interaction;
  const answering = useAnswering(answers.sender, interaction, {
    post: (answer) => answers.post(id, answer, me.who),
    say: (text) => announcer.say(text),
  });
  useMovingOn(answering.sending, [id], () => onAnswered?.());
  return answering;
}

/** The same for the questions of one call. */
export function usePageGroupAnswering(
  groupId: string,
  onAnswered: (() => void) | undefined,
): Answering<GroupSending, OnAnswers> {
  const { answers, me } = useApp();
  const { announcer } = useUi();
  const answering = useGroupAnswering(answers.groupSender, groupId, {
    post: (entries) => answers.postGroup(groupId, entries, me.who),
    say: (text) => announcer.say(text),
  });
  const { sending } = answering;
  useMovingOn(sending, sending?.answers.map(({ id }) => id) ?? [], () => onAnswered?.());
  return answering;
}
