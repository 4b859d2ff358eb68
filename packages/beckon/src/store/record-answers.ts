import { checkButton, type IsOneTap } from '../core/answer-by-button.ts';
import type { AnswerResult, GroupResult } from '../core/beckon.ts';
import { type CheckedAnswer, type CheckForm, checkAnswer } from '../core/check-answer.ts';
import { judgeAnswer, type Verdict } from '../core/judge-answer.ts';
import type { AnswersInput } from '../core/store.ts';
import { BeckonError } from '../protocol/errors.ts';
import type { AnsweredBy, Interaction } from '../protocol/interaction.ts';
import type { UnitOfWork } from './unit-of-work.ts';

/** What an answer is checked against besides its request. */
export interface AnswerChecks {
  checkForm: CheckForm;
  /** Whether a person must decide this one by itself, and not for the future. */
  isDangerous(interaction: Interaction): boolean;
  isOneTap: IsOneTap;
}

/** What is worst for a whole group comes first. */
const WORST_FIRST = ['unknown', 'lost', 'late', 'accepted', 'repeated'] as const;

/** Records several answers, each judged by itself. Throws before it records any. */
export function recordAnswers(work: UnitOfWork, input: AnswersInput, checks: AnswerChecks): AnswerResult[] {
  refuseDangerous(work, input, checks);
  const verdicts = judgeAll(work, input, checks);
  for (const verdict of verdicts) for (const event of verdict?.events ?? []) work.apply(event);
  return input.answers.map(({ id }, index) => ({
    result: verdicts[index]?.result ?? 'unknown',
    interaction: work.find(id) ?? null,
  }));
}

/** Records the answers to requests of one group: all, or only what is late about them. Throws before it records any. */
export function recordGroup(
  work: UnitOfWork,
  { groupId, ...input }: AnswersInput & { groupId: string },
  checks: AnswerChecks,
): GroupResult {
  for (const { id } of input.answers) {
    const found = work.find(id);
    if (found === undefined || found.groupId === groupId) continue;
    throw new BeckonError(
      'invalid_input',
      `The request ${JSON.stringify(id)} is not in this group. Nothing was recorded.`,
    );
  }
  const verdicts = judgeAll(work, input, checks);
  const results = verdicts.map((verdict) => verdict?.result ?? 'unknown');
  const result = WORST_FIRST.find((worst) => results.includes(worst)) ?? 'repeated';
  const isRecorded = result === 'accepted' || result === 'repeated';
  for (const verdict of verdicts) {
    if (!isRecorded && verdict?.result !== 'late') continue;
    for (const event of verdict?.events ?? []) work.apply(event);
  }
  return { result, interactions: input.answers.map(({ id }) => work.find(id) ?? null) };
}

/** One verdict for each answer; `undefined` where no request has its id. */
function judgeAll(work: UnitOfWork, { answers, by, at }: AnswersInput, checks: AnswerChecks): (Verdict | undefined)[] {
  return answers.map(({ id, answer }) => {
    const current = work.find(id);
    return current && judgeAnswer(current, check(current, answer, by, checks), by, at);
  });
}

// What is dangerous is never allowed for the future, whatever a surface offers.
function check(
  current: Interaction,
  input: unknown,
  by: AnsweredBy,
  { checkForm, isDangerous, isOneTap }: AnswerChecks,
): CheckedAnswer {
  const checked = checkAnswer(current, input, checkForm);
  checkButton(current, checked.answer, by, isOneTap);
  if (!('remember' in checked.answer) || !isDangerous(current)) return checked;
  const { remember: _, ...answer } = checked.answer;
  return { ...checked, answer };
}

/** Throws if several requests are allowed at once and one that is still open is dangerous. */
function refuseDangerous(work: UnitOfWork, { answers }: AnswersInput, { isDangerous }: AnswerChecks): void {
  const allowed = answers.filter(({ answer }) => isAllow(answer));
  if (allowed.length < 2) return;
  for (const { id } of allowed) {
    const current = work.find(id);
    if (current?.kind !== 'approval' || current.status !== 'pending' || !isDangerous(current)) continue;
    throw new BeckonError(
      'invalid_answer',
      `The request ${JSON.stringify(id)} is dangerous, so it cannot be allowed together with others. ` +
        'Nothing was recorded. Decide it by itself.',
    );
  }
}

function isAllow(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'decision' in answer && answer.decision === 'allow';
}
