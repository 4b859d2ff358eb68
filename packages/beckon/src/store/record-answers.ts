import type { AnswerResult, GroupResult } from '../core/beckon.ts';
import { type CheckForm, checkAnswer } from '../core/check-answer.ts';
import { judgeAnswer, type Verdict } from '../core/judge-answer.ts';
import type { AnswersInput } from '../core/store.ts';
import { BeckonError } from '../protocol/errors.ts';
import type { UnitOfWork } from './unit-of-work.ts';

/** What is worst for a whole group comes first. */
const WORST_FIRST = ['unknown', 'lost', 'late', 'accepted', 'repeated'] as const;

/** Records several answers, each judged by itself. Throws before it records any. */
export function recordAnswers(work: UnitOfWork, input: AnswersInput, checkForm: CheckForm): AnswerResult[] {
  const verdicts = judgeAll(work, input, checkForm);
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
  checkForm: CheckForm,
): GroupResult {
  for (const { id } of input.answers) {
    const found = work.find(id);
    if (found === undefined || found.groupId === groupId) continue;
    throw new BeckonError(
      'invalid_input',
      `The request ${JSON.stringify(id)} is not in this group. Nothing was recorded.`,
    );
  }
  const verdicts = judgeAll(work, input, checkForm);
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
function judgeAll(work: UnitOfWork, { answers, by, at }: AnswersInput, checkForm: CheckForm): (Verdict | undefined)[] {
  return answers.map(({ id, answer }) => {
    const current = work.find(id);
    return current && judgeAnswer(current, checkAnswer(current, answer, checkForm), by, at);
  });
}
