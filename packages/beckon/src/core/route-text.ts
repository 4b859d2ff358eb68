import type { AnswerInput } from '../protocol/answers.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { toLowestSteps } from './steps.ts';
import { isAllowAnyway, toApprovalDecision, toPlanWord } from './words.ts';

/** Whether a person must take a second step before they allow something. Core has no parser, so it is passed in. */
export type IsDangerous = (interaction: Interaction) => boolean;

/**
 * What a text typed in a chat does. `dangerous`: it is a plain yes to what needs more than that, so it decides nothing.
 * `unclear`: it could be meant for several interactions, and a guess could answer the wrong one. `nothing`: none of
 * them takes a text, or the text is blank.
 */
export type TextRoute =
  | { type: 'answers'; target: Interaction; answer: AnswerInput }
  | { type: 'dangerous'; target: Interaction }
  | { type: 'unclear' }
  | { type: 'nothing' };

/**
 * Decides what a text typed in a chat answers: the interaction that awaits feedback, else the only pending one. Of the
 * steps of a call only the lowest open one counts, because a chat shows no other. Forms and components take no text,
 * but the author may have meant one, so they count when a text is checked for being clear.
 */
export function routeText(pending: readonly Interaction[], text: string, isDangerous: IsDangerous): TextRoute {
  const shown = toLowestSteps(pending);
  const awaiting = shown.filter((interaction) => interaction.awaitingFeedback);
  const meant = awaiting.length > 0 ? awaiting : shown;
  const [first] = meant.flatMap((target) => {
    const answer = toTextAnswer(target, text, isDangerous);
    return answer === null ? [] : [{ target, answer }];
  });
  if (first === undefined) return { type: 'nothing' };
  if (meant.length > 1) return { type: 'unclear' };
  const { target, answer } = first;
  return answer === 'dangerous' ? { type: 'dangerous', target } : { type: 'answers', target, answer };
}

/**
 * Turns a text into an answer. `dangerous`: it is a plain yes to what needs `ALLOW_ANYWAY`. `null`: the text is blank,
 * or the kind takes no text.
 */
export function toTextAnswer(
  interaction: Interaction,
  text: string,
  isDangerous: IsDangerous,
): AnswerInput | 'dangerous' | null {
  if (text.trim() === '') return null;
  switch (interaction.kind) {
    case 'question':
      return { text };
    case 'plan_review': {
      const word = interaction.awaitingFeedback ? null : toPlanWord(text);
      return word === null ? { decision: 'adjust', feedback: text } : { decision: word };
    }
    case 'approval': {
      if (isAllowAnyway(text)) return { decision: 'allow' };
      // Anything but a plain yes is a no with a reason: nothing else may become consent.
      const decision = toApprovalDecision(text);
      if (decision === 'allow' && isDangerous(interaction)) return 'dangerous';
      return decision === null ? { decision: 'deny', message: text } : { decision };
    }
    case 'form':
    case 'component':
      return null;
  }
}
