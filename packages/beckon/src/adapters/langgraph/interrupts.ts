import { interrupt } from '@langchain/langgraph';
import { type ApproveOptions, approve, type Verdict } from '../../asking/approve.ts';
import { type Choice, type ChoiceOption, type ChooseOptions, choose } from '../../asking/choose.ts';
import type { Beckon } from '../../core/beckon.ts';
import { BeckonError } from '../../protocol/errors.ts';
import type { PeopleOptions } from '../shared/people-options.ts';

type Call<Input extends object> = Pick<ApproveOptions<Input>, 'tool' | 'input' | 'description' | 'abilities'>;
type Choosing<Many extends boolean, Own extends boolean> = Pick<
  ChooseOptions<Many, Own>,
  'header' | 'multiSelect' | 'ownWords'
>;

/**
 * In a node: interrupts the graph until somebody says whether a call may run. Like every `interrupt`, it begins the
 * node again when the graph is resumed, so do nothing before it that must not happen twice.
 *
 * @example
 * const verdict = interruptForApproval({ tool: 'send_mail', input: mail });
 * return { said: verdict.allowed ? await send(verdict.input) : verdict.message };
 */
export function interruptForApproval<Input extends object>(call: Call<Input>): Verdict<Input> {
  return interrupt({ kind: 'approval', ...call });
}

/** In a node: interrupts the graph until somebody has chosen, by the rules of `choose`. */
export function interruptForChoice<
  const Label extends string,
  const Many extends boolean = false,
  const Own extends boolean = false,
>(question: string, choices: readonly (Label | ChoiceOption<Label>)[], options: Choosing<Many, Own> = {}) {
  return interrupt<unknown, Choice<Label, Many, Own>>({ kind: 'question', question, choices, ...options });
}

/** Asks what an interrupt of this module wants to know. */
export async function askInterrupt(beckon: Beckon, value: unknown, options: PeopleOptions & { key: string }) {
  const asked = (value ?? {}) as
    | ({ kind: 'approval' } & Call<Record<string, unknown>>)
    | ({ kind: 'question'; question: string; choices: ChoiceOption[] } & Choosing<boolean, boolean>)
    | { kind?: undefined };
  if (asked.kind === 'approval') {
    const { kind: _, ...call } = asked;
    return approve(beckon, { ...options, ...call });
  }
  if (asked.kind === 'question') {
    const { kind: _, question, choices, ...choosing } = asked;
    return choose(beckon, question, choices, { ...options, ...choosing });
  }
  throw new BeckonError(
    'invalid_input',
    'The graph was interrupted by something else than interruptForApproval or interruptForChoice. ' +
      'Tell runWithPeople in its option `ask` what such an interrupt asks.',
  );
}
