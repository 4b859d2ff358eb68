import { type CANCEL_SYMBOL, isCancel } from '@clack/prompts';

/** What the prompts share: they are on stderr, so that stdout has the answer alone, and close when the signal aborts. */
export interface PromptContext {
  output: NodeJS.WriteStream;
  signal: AbortSignal;
}

/** The person left the prompt, or it was closed. */
export class PromptLeft extends Error {
  override readonly name = 'PromptLeft';
}

/** Gives the value of a prompt. Throws `PromptLeft` where there is none. */
export function orLeave<Value>(value: Value | typeof CANCEL_SYMBOL): Value {
  if (isCancel(value)) throw new PromptLeft();
  return value as Value;
}
