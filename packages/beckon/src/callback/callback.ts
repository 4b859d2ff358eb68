import { ANSWER_INPUTS, type ComponentAnswer } from '../protocol/answers.ts';
import type { Duration } from '../protocol/duration.ts';
import type { Json } from '../protocol/json.ts';
import { parse } from '../protocol/parse.ts';

/**
 * What a person did: `click`, `select`, `submit`, `change` or an action of an own component, with its data. `shown` are the components that
 * they did it with, where those are not the ones of the last `open`: a restarted agent may show a round that was shown before in other words.
 */
export type CallbackEvent = ComponentAnswer & { shown?: Json };

/** How one wait may end early. */
export interface AwaitOptions {
  /** Ends the wait with the signal's reason. The callback itself stays. */
  signal?: AbortSignal;
}

/**
 * The way back from what an agent shows to the agent. The first two methods are all it takes: anything that has them works with
 * `ai()`.
 */
export interface Callback {
  /**
   * Resolves with what the person did; everybody who awaits gets the same event. Rejects with `wait_timed_out` after
   * `timeout` (default 300 seconds).
   */
  awaitInteraction(timeout?: Duration, options?: AwaitOptions): Promise<CallbackEvent>;
  /** The address that the page sends the event to. */
  endpoint(): string;
  /** `ai()` calls it each time before it shows components: what was done before is forgotten, the next event counts. */
  open?(components: Json, options?: { timeout?: Duration }): Promise<void> | void;
  /** `ai()` calls it where there is also `open`, when the conversation is over. Using the callback again opens it again. */
  close?(): Promise<void> | void;
}

/** Reads an event as it was sent. Throws `invalid_input`. */
export function parseEvent(input: unknown): CallbackEvent {
  return parse(ANSWER_INPUTS.component, input, { what: 'callback event' });
}
