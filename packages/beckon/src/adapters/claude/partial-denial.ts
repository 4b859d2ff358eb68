import type { Interaction } from '../../protocol/interaction.ts';
import type { QuestionRequest } from '../../protocol/requests.ts';

/**
 * What an agent reads if some questions of a call were answered and the time of the others ran out; `null` otherwise.
 * It names both, so nobody is asked again what was answered.
 */
export function toPartialDenial(settled: readonly Interaction[]): string | null {
  const questions = settled.filter((one) => one.kind === 'question');
  const toName = createNames(questions.map(({ request }) => request));
  const open = questions.filter(({ status }) => status === 'expired');
  const answered = questions.flatMap(({ request, answer }) =>
    answer === undefined ? [] : [`${toName(request)} = ${answer.text}`],
  );
  const hasBoth = open.length > 0 && answered.length > 0;
  if (!hasBoth || open.length + answered.length < settled.length) return null;
  const missing = open.map(({ request }) => toName(request)).join('; ');
  const count = `${open.length} of ${questions.length} questions`;
  return `Nobody answered ${count} in time: ${missing}. Answered: ${answered.join('; ')}. Ask again only what is open.`;
}

// Headers are short, but two questions may have the same one.
function createNames(questions: readonly QuestionRequest[]): (request: QuestionRequest) => string {
  const headers = questions.flatMap(({ header }) => header || []);
  const isClear = headers.length === questions.length && new Set(headers).size === headers.length;
  return ({ header, question }) => (isClear && header) || JSON.stringify(question);
}
