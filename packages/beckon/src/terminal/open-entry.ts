import type { AnswerEntry, AnswerResult, GroupResult } from '../core/beckon.ts';
import type { PendingEntry } from '../presentation/group-pending.ts';
import type { AnswerInput } from '../protocol/answers.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { answerHere, sendOrExplain } from './answer-here.ts';
import { decideOnScreen } from './approval-screen.ts';
import type { Desk, Going } from './desk.ts';
import type { Draft, Question } from './draft.ts';
import type { Line } from './line.ts';
import { reviewOnScreen } from './plan-screen.ts';
import { begin } from './prompt-context.ts';
import { answerOnScreen } from './question-screen.ts';

/** Offers answers to Beckon. */
export interface SendAnswers {
  answer(id: string, answer: AnswerInput): Promise<AnswerResult>;
  answerGroup(groupId: string, answers: readonly AnswerEntry[]): Promise<GroupResult>;
}

/** What became of one answer. */
export interface Sent extends AnswerResult {
  id: string;
}

/** What became of the answers to an open entry, or where the person goes instead. */
export type EntryEnd = { sent: readonly Sent[] } | Going;

/**
 * Opens a request, or the questions of one call, and sends what the person answers. An answer that is invalid or not
 * allowed is explained, and asked for again. Throws `PromptLeft` if the person leaves or the signal aborts.
 */
export async function openEntry(
  entry: PendingEntry,
  desk: Desk,
  send: SendAnswers,
  notice: readonly Line[],
  drafts: Map<string, Draft>,
): Promise<EntryEnd> {
  let notes = notice;
  for (;;) {
    const answered = await promptOnScreen(entry, desk, notes, drafts);
    if (answered === null) {
      const { id } = entry.interaction;
      begin(desk);
      return { sent: [{ id, ...(await answerHere(entry.interaction, desk, (answer) => send.answer(id, answer))) }] };
    }
    if ('go' in answered) return answered;
    const sent = await sendOrExplain(desk, () => sendAll(entry.interaction, answered.answers, send));
    if ('result' in sent) {
      for (const { id } of answered.answers) drafts.delete(id);
      return { sent: sent.result };
    }
    notes = [{ text: desk.screen.paint(sent.refused, 'yellow') }];
  }
}

/** `null`: this kind is answered in prompts below each other. */
async function promptOnScreen(
  { interaction, steps }: PendingEntry,
  desk: Desk,
  notice: readonly Line[],
  drafts: Map<string, Draft>,
): Promise<{ answers: readonly AnswerEntry[] } | Going | null> {
  const questions = steps.filter((step): step is Question => step.kind === 'question');
  const [first, ...others] = questions;
  const isAlone = steps.length === 1;
  if (first !== undefined && questions.length === steps.length && (!isAlone || first.request.options.length > 0)) {
    return answerOnScreen([first, ...others], desk, notice, drafts);
  }
  const { id } = interaction;
  if (interaction.kind === 'approval') return toAnswers(id, await decideOnScreen(interaction, desk, notice));
  if (interaction.kind === 'plan_review' && !interaction.awaitingFeedback) {
    return toAnswers(id, await reviewOnScreen(interaction, desk, notice));
  }
  return null;
}

function toAnswers(id: string, decided: { answer: AnswerInput } | Going): { answers: readonly AnswerEntry[] } | Going {
  return 'go' in decided ? decided : { answers: [{ id, answer: decided.answer }] };
}

async function sendAll({ groupId }: Interaction, answers: readonly AnswerEntry[], send: SendAnswers): Promise<Sent[]> {
  if (groupId === undefined || answers.length === 1) {
    return Promise.all(answers.map(async ({ id, answer }) => ({ id, ...(await send.answer(id, answer)) })));
  }
  const { result, interactions } = await send.answerGroup(groupId, answers);
  return answers.map(({ id }, index) => ({ id, result, interaction: interactions[index] ?? null }));
}
