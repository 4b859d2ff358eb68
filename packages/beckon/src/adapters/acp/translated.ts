import type { AnswerInput } from '../../protocol/answers.ts';
import type { AskInput, Interaction } from '../../protocol/interaction.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { NamedCall } from './tool-call.ts';

/** What people are asked, by kind. */
export type AskedPart = Pick<AskInput, 'kind' | 'request'>;

/** A request of an agent in Beckon's words, both ways. */
export interface Translated {
  asks: readonly AskedPart[];
  /** The call that is asked about, if it is one. */
  call?: NamedCall;
  /** The result for the agent; `null` if somebody did not answer, which is never consent. */
  toResult(settled: readonly Interaction[]): JsonObject | null;
  /** What a client's own result says, as an answer to each ask; `null` if it says nothing that Beckon knows. */
  toAnswers(result: unknown): AnswerInput[] | null;
  /** The result that says no, for a client without a person of its own. */
  refusal: JsonObject;
}

/** Whether people allowed a call. */
export function isAllowed(settled: readonly Interaction[]): boolean {
  return settled.some((one) => one.kind === 'approval' && one.answer?.decision === 'allow');
}
