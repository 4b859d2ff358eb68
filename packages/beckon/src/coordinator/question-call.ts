import { BeckonError } from '../protocol/errors.ts';
import type { InteractionOf } from '../protocol/interaction.ts';
import type { JsonObject } from '../protocol/json.ts';
import type { QuestionRequest } from '../protocol/requests.ts';
import type { Ended } from './desk.ts';
import { explain } from './explain.ts';
import { deny, type PermissionAllow, type PermissionDeny } from './results.ts';

/** What a question does when nobody answered. */
export interface TimeoutPolicy {
  /** Be denied, or take the `default`. Default `deny`. */
  onTimeout?: 'deny' | 'default';
  /** The answer to take then: one for all questions, or by question. A result that has it says so in `defaulted`. */
  default?: string | Readonly<Record<string, string>>;
}

/** Collects what the questions of one AskUserQuestion call came to. */
export class QuestionCall {
  readonly #toolInput: JsonObject;
  readonly #policy: TimeoutPolicy;
  readonly #answers: [question: string, text: string][] = [];
  readonly #annotations: [question: string, annotation: JsonObject][] = [];
  readonly #defaulted: string[] = [];

  /** Throws `invalid_input` where a default is to be taken that the agent does not name. */
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

  /** Takes how one question ended. Returns the denial where the call cannot go on. */
  add({ question, options }: QuestionRequest, ended: Ended): PermissionDeny | null {
    const { outcome, interaction } = ended;
    if (outcome === 'answered' && interaction.kind === 'question' && interaction.answer !== undefined) {
      this.#answers.push([question, interaction.answer.text]);
      const annotation = toAnnotation(options, interaction.answer);
      if (annotation !== null) this.#annotations.push([question, annotation]);
      return null;
    }
    const fallback = outcome === 'expired' && this.#policy.onTimeout === 'default' && this.#defaultOf(question);
    if (!fallback) return deny(`${explain(ended, `the question ${JSON.stringify(question)}`)}${this.#listAnswered()}`);
    this.#answers.push([question, fallback]);
    this.#defaulted.push(question);
    return null;
  }

  /** The agent's input with the answers in it. */
  toResult(): PermissionAllow {
    return {
      behavior: 'allow',
      updatedInput: {
        ...this.#toolInput,
        // A question may be called "__proto__": `fromEntries` makes it a key like any other.
        answers: Object.fromEntries(this.#answers),
        ...(this.#annotations.length > 0 && { annotations: Object.fromEntries(this.#annotations) }),
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
    const pairs = this.#answers.map(([question, text]) => `${JSON.stringify(question)}: ${JSON.stringify(text)}`);
    return pairs.length === 0 ? '' : ` Answered before: ${pairs.join('; ')}.`;
  }
}

// The shape of Claude's own tool: the preview of what was chosen, and what the person wrote beside it.
function toAnnotation(
  options: QuestionRequest['options'],
  { selected, notes }: NonNullable<InteractionOf<'question'>['answer']>,
): JsonObject | null {
  const preview = options.find(({ label }) => label === selected?.[0])?.preview;
  if (preview === undefined && notes === undefined) return null;
  return { ...(preview !== undefined && { preview }), ...(notes !== undefined && { notes }) };
}
