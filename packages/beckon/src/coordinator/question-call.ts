import { toPartialDenial } from '../adapters/claude/partial-denial.ts';
import { type AnsweredQuestion, toAnsweredInput } from '../adapters/claude/tool-answers.ts';
import { BeckonError } from '../protocol/errors.ts';
import type { JsonObject } from '../protocol/json.ts';
import type { QuestionRequest } from '../protocol/requests.ts';
import { explain } from './explain.ts';
import type { Ended } from './pending-requests.ts';
import { type CoordinatorEvent, deny, type PermissionAllow, type PermissionResult } from './results.ts';

/** What happens if nobody answers a question in time. */
export interface TimeoutPolicy {
  /** Deny the call, or take the `default`. Default `deny`. */
  onTimeout?: 'deny' | 'default' | undefined;
  /**
   * The answer to take then: one for all questions, or by question. The result lists those questions in `defaulted`.
   */
  default?: string | Readonly<Record<string, string>> | undefined;
}

/** What the agent gets, and how that came about. */
interface QuestionResult {
  result: PermissionResult;
  outcome: NonNullable<CoordinatorEvent['outcome']>;
}

/** Turns the answers to one AskUserQuestion call into its result. */
export class QuestionCall {
  readonly #toolInput: JsonObject;
  readonly #questions: readonly QuestionRequest[];
  readonly #policy: TimeoutPolicy;

  /** Throws `invalid_input` if a default is wanted but not named. */
  constructor(toolInput: JsonObject, questions: readonly QuestionRequest[], policy: TimeoutPolicy) {
    this.#toolInput = toolInput;
    this.#questions = questions;
    this.#policy = policy;
    const unnamed = questions.find(({ question }) => policy.onTimeout === 'default' && !this.#defaultOf(question));
    if (unnamed === undefined) return;
    throw new BeckonError(
      'invalid_input',
      `Expected a default for ${JSON.stringify(unnamed.question)}, because onTimeout is "default"; got none.`,
    );
  }

  /** Takes how the questions ended, in their order. */
  toResult(ended: readonly Ended[]): QuestionResult {
    const answered: AnsweredQuestion[] = [];
    const defaulted: string[] = [];
    const open: { question: string; ended: Ended }[] = [];
    for (const [index, one] of ended.entries()) {
      const request = this.#questions[index] as QuestionRequest;
      const { question } = request;
      const { outcome, interaction } = one;
      const fallback = outcome === 'expired' && this.#policy.onTimeout === 'default' && this.#defaultOf(question);
      if (outcome === 'answered' && interaction.kind === 'question' && interaction.answer !== undefined) {
        answered.push({ request, answer: interaction.answer });
      } else if (fallback) {
        answered.push({ request, answer: { text: fallback } });
        defaulted.push(question);
      } else open.push({ question, ended: one });
    }
    // Cancelling one question ends the others too, so it says more than how they ended.
    const cause = open.find((one) => one.ended.outcome === 'cancelled') ?? open[0];
    if (cause !== undefined) {
      const partial = toPartialDenial(ended.map(({ interaction }) => interaction));
      const why = `${explain(cause.ended, `the question ${JSON.stringify(cause.question)}`)}${listAnswered(answered)}`;
      return { result: deny(partial ?? why), outcome: cause.ended.outcome };
    }
    return { result: this.#allow(answered, defaulted), outcome: defaulted.length > 0 ? 'default' : 'answered' };
  }

  /** The agent's input with the answers in it. */
  #allow(answered: readonly AnsweredQuestion[], defaulted: readonly string[]): PermissionAllow {
    return {
      behavior: 'allow',
      updatedInput: {
        ...toAnsweredInput(this.#toolInput, answered),
        ...(defaulted.length > 0 && { defaulted: [...defaulted] }),
      },
    };
  }

  #defaultOf(question: string): string | undefined {
    const { default: named } = this.#policy;
    if (typeof named === 'string' || named === undefined) return named;
    return Object.hasOwn(named, question) ? named[question] : undefined;
  }
}

function listAnswered(answered: readonly AnsweredQuestion[]): string {
  const pairs = answered.map(
    ({ request, answer }) => `${JSON.stringify(request.question)}: ${JSON.stringify(answer.text)}`,
  );
  return pairs.length === 0 ? '' : ` Answered before: ${pairs.join('; ')}.`;
}
