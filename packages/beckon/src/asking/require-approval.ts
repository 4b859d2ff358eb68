import type { Beckon } from '../core/beckon.ts';
import { BeckonError } from '../protocol/errors.ts';
import { type ApproveOptions, approve, type NotAllowed } from './approve.ts';

/** A function whose first argument is what a person sees and may change; the others are passed on unseen. */
type Arguments = [input?: object, ...unseen: unknown[]];

/** How a wrapped function asks. What differs from call to call is found from its arguments. */
export interface RequireApprovalOptions<Args extends readonly unknown[] = Arguments>
  extends Omit<ApproveOptions, 'tool' | 'input' | 'key' | 'signal' | 'id'> {
  /** The name that people see. Default: the name of the function. */
  tool?: string | undefined;
  /**
   * The key of one call, such as the id of the tool call. It must be the same after a restart, and differ for every
   * call that people should decide by themselves: the same key finds the same answer. Default: every call asks.
   */
  key?: ((...args: Args) => string | undefined) | undefined;
  /** Aborting takes the request back. Give one for all calls, or find that of each. */
  signal?: AbortSignal | ((...args: Args) => AbortSignal | undefined) | undefined;
}

/**
 * A wrapped function did not run, because nobody allowed it. `verdict` says whether somebody denied it or nobody
 * answered; the message is the verdict's.
 */
export class NotAllowedError extends Error {
  override readonly name = 'NotAllowedError';
  readonly verdict: NotAllowed;

  constructor(tool: string, verdict: NotAllowed) {
    super(`${tool} was not allowed to run. ${verdict.message}`);
    this.verdict = verdict;
  }
}

/**
 * Wraps a function so that it runs only when a person, or a rule, allows the call, and then with the input that they
 * allowed. The person sees its name and its first argument, which must be an object that JSON can carry; the other
 * arguments are passed on unseen.
 *
 * If the call is not allowed, the wrapped function rejects with a `NotAllowedError`: its callers expect the result of
 * the function and nothing else, and agents hand the message of an error to their model.
 *
 * @example
 * const guarded = requireApproval(beckon, deploy, { description: 'Deploys to a stage.', timeout: '10m' });
 * await guarded({ stage: 'production' }); // runs deploy, or rejects with a NotAllowedError
 */
export function requireApproval<Args extends Arguments, Result>(
  beckon: Beckon,
  fn: (...args: Args) => Result | PromiseLike<Result>,
  options: RequireApprovalOptions<Args> = {},
): (...args: Args) => Promise<Result> {
  const { tool = fn.name, key, signal, ...rest } = options;
  if (tool === '') {
    throw new BeckonError('invalid_input', 'Expected a name that people see, got a function without one. Set `tool`.');
  }
  return async function (this: unknown, ...args) {
    const [input, ...unseen] = args;
    const verdict = await approve(beckon, {
      ...rest,
      tool,
      input,
      key: key?.(...args),
      signal: typeof signal === 'function' ? signal(...args) : signal,
    });
    if (!verdict.allowed) throw new NotAllowedError(tool, verdict);
    // An input that was left out stays so: the function may have a default.
    const isLeftOut = input === undefined && !verdict.isEdited;
    return await fn.apply(this, isLeftOut ? args : ([verdict.input, ...unseen] as unknown as Args));
  };
}
