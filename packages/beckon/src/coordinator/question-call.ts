import { type AnsweredQuestion, toAnsweredInput } from '../adapters/claude/tool-answers.ts';
import { BeckonError } from '../protocol/errors.ts';
import type { JsonObject } from '../protocol/json.ts';
import type { QuestionRequest } from '../protocol/requests.ts';
import { explain } from './explain.ts';
import type { Ended } from './pending-requests.ts';
import { deny, type PermissionAllow, type PermissionDeny } from './results.ts';

/** What happens if nobody answers a question in time. */
export interface TimeoutPolicy {
  /** Deny the call, or take the `default`. Default `deny`. */
  onTimeout?: 'deny' | 'default' | undefined;
  /**
   * The answer to take then: one for all questions, or by question. The result lists those questions in `defaulted`.
   */
  default?: string | Readonly<Record<string, string>> | undefined;
}

/** Collects the answers to one AskUserQuestion call. */
export class QuestionCall {
  readonly #toolInput: JsonObject;
  readonly #policy: TimeoutPolicy;
  readonly #answered: AnsweredQuestion[] = [];
  readonly #defaulted: string[] = [];

  /** Throws `invalid_input` if a default is wanted but not named. */
  constructor(toolInput: JsonObject, questions: readonly QuestionRequest[], policy: TimeoutPolicy) {
    this.#toolInput = toolInput;
    this.#policy = policy;
    const unnamed = questions.find(({ question }) => policy.onTimeout === 'default' && !this.#defaultOf(question));
    if (unnamed === undefined) return;
    throw new BeckonError(
      'invalid_input',
      `Expected a default for ${JSON.stringify(unnamed.question)}, because onTimeout is "default"; got none.`,
    );
  }

  /** Whether a default stood in for a person. */
  get isDefaulted(): boolean {
    return this.#defaulted.length > 0;
  }

  /** Takes how one question ended. Returns the denial if the call cannot go on. */
  add(request: QuestionRequest, ended: Ended): PermissionDeny | null {
    const { question } = request;
    const { outcome, interaction } = ended;
    if (outcome === 'answered' && interaction.kind === 'question' && interaction.answer !== undefined) {
      this.#answered.push({ request, answer: interaction.answer });
      return null;
    }
    const fallback = outcome === 'expired' && this.#policy.onTimeout === 'default' && this.#defaultOf(question);
    if (!fallback) return deny(`${explain(ended, `the question ${JSON.stringify(question)}`)}${this.#listAnswered()}`);
    this.#answered.push({ request, answer: { text: fallback } });
    this.#defaulted.push(question);
    return null;
  }

  /** The agent's input with the answers in it. */
  toResult(): PermissionAllow {
    return {
      behavior: 'allow',
      updatedInput: {
        ...toAnsweredInput(this.#toolInput, this.#answered),
        ...(this.isDefaulted && { defaulted: this.#defaulted }),
      },
    };
  }

  #defaultOf(question: string): string | undefined {
    const { default: named } = this.#policy;
    if (typeof named === 'string' || named === undefined) return named;
    return Object.hasOwn(named, question) ? named[question] : undefined;
  }

  #listAnswered(): string {
    const pairs = this.#answered.map(
      ({ request, answer }) => `${JSON.stringify(request.question)}: ${JSON.stringify(answer.text)}`,
    );
    return pairs.length === 0 ? '' : ` Answered before: ${pairs.join('; ')}.`;
  }
}
