import type { ContextInput } from '../protocol/context.ts';
import type { Duration } from '../protocol/duration.ts';
import type { Interaction } from '../protocol/interaction.ts';
import type { JsonObject } from '../protocol/json.ts';
import type { Caller } from './access.ts';

/**
 * The prefix of hooks' idempotency keys. Over HTTP nobody else may use it: a hook reports what was answered in its
 * agent's terminal, and must not do so for any other request.
 */
export const HOOK_KEY_PREFIX = 'hook_call_';

/** What is known about a hook besides its body. */
export interface HookContext {
  caller: Caller;
  /** The body as it came, which is kept unchanged. */
  text?: string;
  /** The sender's name for this hook. Sent again under the same name, it is the same hook. */
  key?: string;
  /** The chat in which people are asked. Default: that of the caller, or of Beckon. */
  chatId?: string;
  /** How long people have to answer. Default: that of Beckon. */
  timeout?: Duration | null;
  /** How long ago it happened: hooks may overtake each other. Default: just now. */
  ageMs?: number;
  /** The person at the agent's terminal, who answers there. */
  user?: string;
  /** What surrounds the call, for the people who are asked. */
  context?: ContextInput;
  /** Hears what was decided, before the reply goes out. */
  onSettled?: (settled: readonly Interaction[]) => void;
  /** The agent can end now and come back for the answer. */
  mayDefer?: boolean;
  /**
   * Aborted when the agent no longer waits for the reply; with a `BeckonError` when Beckon stops and the request stays.
   */
  signal: AbortSignal;
}

/** Answers the hooks of an agent: at once, or when a person has answered what the hook asks. */
export interface AgentHooks {
  /** Gives the reply in the agent's own format. Throws `invalid_input` if it is not a hook. */
  handle(payload: JsonObject, context: HookContext): Promise<JsonObject>;
}
