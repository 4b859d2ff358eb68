import type { AnswerEntry } from 'beckon/client';
import { DECISION_NAMES, toHeadline } from 'beckon/presentation';
import { type AnswerInput, type Interaction, toDecision } from 'beckon/protocol';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Refusal } from '../../consent/decision-guard.ts';
import { consent } from '../../consent/use-consent.ts';
import type { OnAnswer } from '../../kinds/answer-form.tsx';
import type { GroupSending, Sending } from '../../live/answers.ts';
import { useApp } from '../../live/app-context.ts';
import { usePending } from '../../live/use-pending.ts';
import { risks } from '../../risk/risks.ts';
import { useStore } from '../../state/store.ts';
import { useUi } from '../../ui/ui-context.ts';
import { texts } from './texts.ts';

/** A toast has room for this much of what was decided. */
const HEADLINE_CHARS = 60;
/** How long the page says that a press was not sent. */
const REFUSED_MS = 6000;

/** What a press does: decide by itself, or be the first or the second of two steps. */
type Step = 'decide' | 'prepare' | 'confirm';
const JUDGES: Readonly<Record<Step, (id: string) => Refusal | null>> = {
  decide: (id) => consent.decide(id),
  prepare: (id) => consent.prepare(id),
  confirm: (id) => consent.confirm(id),
};

type OnAnswered = (() => void) | undefined;

/**
 * Sends the answer to one request, and moves on once it is accepted. Every answer of the page comes through `send`,
 * here or for a group below, so only this file refuses a press that was meant for something else.
 */
export function useAnswering(
  interaction: Interaction,
  onAnswered: OnAnswered,
): {
  sending: Sending | undefined;
  refusal: Refusal | null;
  send: OnAnswer;
  retry: () => void;
} {
  const { answers, me } = useApp();
  const { id } = interaction;
  const sending = useStore(answers.sendings, (sendings) => sendings.get(id));
  const { refusal, checkPress } = usePressCheck(id);
  useMovingOn(sending, [id], () => onAnswered?.());
  const send: OnAnswer = (answer, { step, first } = {}) => {
    const check = (): void => {
      if (!needsTwoSteps(interaction, answer)) return checkPress('decide');
      checkPress(step === 'second' ? 'confirm' : 'prepare');
      if (step !== 'second') throw new Error(texts.sending.offered);
    };
    return answers.send(id, answer, me.who, check, first);
  };
  const retry = (): void => {
    if (sending?.state === 'failed') void send(sending.answer).catch(() => undefined); // SendingNote shows the failure.
  };
  return { sending, refusal, send, retry };
}

/** Sends the answers to the questions of one call together. `send` gives whether they count. */
export function useGroupAnswering(
  groupId: string,
  onAnswered: OnAnswered,
): {
  sending: GroupSending | undefined;
  refusal: Refusal | null;
  send: (entries: readonly AnswerEntry[]) => Promise<boolean>;
  retry: () => void;
} {
  const { answers, me } = useApp();
  const sending = useStore(answers.groupSendings, (sendings) => sendings.get(groupId));
  const { refusal, checkPress } = usePressCheck(groupId);
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

// Only what is known not to be dangerous is allowed by one press: the check may be late, or fail.
function needsTwoSteps(interaction: Interaction, answer: AnswerInput): boolean {
  if (interaction.kind !== 'approval' || !('decision' in answer) || answer.decision !== 'allow') return false;
  const edited = 'updatedInput' in answer ? answer.updatedInput : undefined;
  const level = risks.get(interaction, edited)?.level;
  return level === undefined || level === 'dangerous';
}

/** Asks the guard about the press behind the current event. A refusal is said aloud, and shown for a while. */
function usePressCheck(sightId: string): { refusal: Refusal | null; checkPress: (step: Step) => void } {
  const { announcer } = useUi();
  const [refused, setRefused] = useState<{ refusal: Refusal } | null>(null);
  useEffect(() => {
    if (refused === null) return undefined;
    const timer = setTimeout(() => setRefused(null), REFUSED_MS);
    return () => clearTimeout(timer);
  }, [refused]);
  const checkPress = (step: Step): void => {
    const refusal = JUDGES[step](sightId);
    setRefused(refusal && { refusal });
    if (refusal === null) return;
    announcer.say(texts.sending.notSent[refusal]);
    throw new Error(texts.sending.notSent[refusal]);
  };
  return { refusal: refused?.refusal ?? null, checkPress };
}

/** Says that an answer counts, and opens the next request. */
function useMovingOn(
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
