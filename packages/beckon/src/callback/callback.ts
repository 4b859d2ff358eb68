import { ANSWER_INPUTS, type ComponentAnswer } from '../protocol/answers.ts';
import type { Duration } from '../protocol/duration.ts';
import type { Json } from '../protocol/json.ts';
import { parse } from '../protocol/parse.ts';

/**
 * What a person did: `click`, `select`, `submit`, `change` or an action of your own component, with its data. `shown`
 * has the components they did it with, if those differ from the last `open`: a restarted agent may word an earlier
 * round differently.
 */
export type CallbackEvent = ComponentAnswer & { shown?: Json };

/** How a wait may end early. */
export interface AwaitOptions {
  /** Ends the wait with the signal's reason. The callback itself stays. */
  signal?: AbortSignal | undefined;
}

/**
 * The way back from what an agent shows to the agent. Anything that has the first two methods works with `ai()`.
 */
export interface Callback {
  /**
   * Resolves with what the person did; everybody who awaits gets the same event. Rejects with `wait_timed_out` after
   * `timeout` (default 300 seconds).
   */
  awaitInteraction(timeout?: Duration, options?: AwaitOptions): Promise<CallbackEvent>;
  /** The callback URL: where the page sends the event. */
  endpoint(): string;
  /** Called by `ai()` before it shows components: forgets the last event, so the next one counts. */
  open?(components: Json, options?: { timeout?: Duration | undefined }): Promise<void> | void;
  /**
   * Called by `ai()` at the end of a conversation, if there is also `open`. Using the callback again opens it again.
   */
  close?(): Promise<void> | void;
}

/** Parses an event. Throws `invalid_input`. */
export function parseEvent(input: unknown): CallbackEvent {
  return parse(ANSWER_INPUTS.component, input, { what: 'callback event' });
}
