import type { Beckon } from '../core/beckon.ts';
import { request } from '../core/request.ts';
import type { ApprovalAbilities } from '../protocol/requests.ts';
import { type AskingOptions, splitOptions } from './asking-options.ts';
import { type ByAnswer, type NoAnswer, nameAnswerer, toNoAnswer, withDetails } from './no-answer.ts';

/** A call that needs permission, and how to ask for it. */
export interface ApproveOptions<Input extends object = Record<string, unknown>> extends AskingOptions<'approval'> {
  /** The name of the tool, as people see it. */
  tool: string;
  /** What it will be called with, as JSON. Default: nothing. */
  input?: Input | undefined;
  /** What the call does, in a sentence. */
  description?: string | undefined;
  /**
   * What you can do with the answer: read why it was denied, and run an input that the person changed. Default: both.
   */
  abilities?: Pick<ApprovalAbilities, 'denyText' | 'editInput'> | undefined;
}

/** A person, or a rule, allowed the call. */
interface Allowed<Input extends object = Record<string, unknown>> extends ByAnswer {
  allowed: true;
  /** What may run: your input, or what the person made of it. Run this, not what you asked with. */
  input: Input;
  /** The person changed the input. It is any JSON object then, so check it as you would a model's. */
  isEdited: boolean;
  because?: undefined;
}

/** A person, or a rule, denied the call. */
interface Denied extends ByAnswer {
  allowed: false;
  because: 'denied';
  /** Who denied it, and why if they said so, in a sentence for a person or a model. */
  message: string;
}

/** Whether a call may run, and if not, why. `denied` means that somebody denied it; everything else is no answer. */
export type Verdict<Input extends object = Record<string, unknown>> = Allowed<Input> | NotAllowed;
/** Every way in which a call is not allowed. */
export type NotAllowed = Denied | (NoAnswer & { allowed: false });

/**
 * Asks whether a call may run, and waits for the answer. Only a person's or a rule's "allow" allows it: a request that
 * expires or is cancelled is not allowed, and says so. Aborting `signal` takes the request back and rejects with the
 * signal's reason.
 *
 * @example
 * const verdict = await approve(beckon, { tool: 'deploy', input: { stage: 'production' }, key: toolCallId, signal });
 * if (verdict.allowed) await deploy(verdict.input);
 * else console.log(verdict.because, verdict.message); // denied Denied by ada: not on a Friday
 */
export async function approve<Input extends object = Record<string, unknown>>(
  beckon: Beckon,
  options: ApproveOptions<Input>,
): Promise<Verdict<Input>> {
  const { tool, input, description, abilities, ...rest } = options;
  const { ask, wait } = splitOptions(rest);
  const settled = await request(
    beckon,
    {
      ...ask,
      kind: 'approval',
      request: {
        tool,
        input: input as Record<string, unknown> | undefined,
        description,
        // Nothing here would remember it. Rules of Beckon are offered all the same.
        abilities: { ...abilities, remember: false },
      },
    },
    wait,
  );
  if (settled.status !== 'answered') return { allowed: false, ...toNoAnswer(settled) };
  const { id, answer, answeredBy } = settled;
  if (answer.decision !== 'allow') {
    const message = withDetails(`Denied by ${nameAnswerer(answeredBy)}`, answer.message);
    return { allowed: false, because: 'denied', message, id, answeredBy };
  }
  // What the person saw, not the caller's object: that may have changed since.
  const { updatedInput = settled.request.input } = answer;
  const isEdited = answer.updatedInput !== undefined;
  return { allowed: true, input: updatedInput as Input, isEdited, id, answeredBy };
}
