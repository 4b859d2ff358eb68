import type { PlanComment, PlanReviewAnswer } from '../protocol/answers.ts';

/**
 * What a person said about a plan they sent back, as the agent reads it: the feedback, then each comment below the
 * passage it belongs to. Empty if they said nothing.
 */
export function toFeedbackText({ feedback, comments = [] }: Pick<PlanReviewAnswer, 'feedback' | 'comments'>): string {
  const remarks = comments.length === 0 ? [] : ['Comments on the plan:', ...comments.map(toRemark)];
  return [feedback ?? '', ...remarks].filter((part) => part !== '').join('\n\n');
}

function toRemark({ quote, line, comment }: PlanComment): string {
  const quoted = quote.trim() === '' ? [] : quote.split(/\r\n?|\n/).map((text) => `> ${text}`);
  return [`Line ${line}:`, ...quoted, comment].join('\n');
}
