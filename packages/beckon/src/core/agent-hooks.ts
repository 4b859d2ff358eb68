import type { Duration } from '../protocol/duration.ts';
import type { JsonObject } from '../protocol/json.ts';
import type { Caller } from './access.ts';

/**
 * What the idempotency keys of hooks begin with. Over HTTP nobody else may use such keys: an agent tells through a hook what was answered in its
 * terminal, and must not tell that of anything else.
 */
export const HOOK_KEY_PREFIX = 'hook_call_';

/** What is known about a hook beside its body. */
export interface HookContext {
  caller: Caller;
  /** The body as it came, which is kept to the letter. */
  text?: string;
  /** The name of this hook, where its sender gave it one: sent again under the same name, it is the same hook. */
  key?: string;
  /** The chat in which people are asked. Default: that of the caller, or of Beckon. */
  chatId?: string;
  /** How long people have for their answer. Default: that of Beckon. */
  timeout?: Duration | null;
  /** How long ago it happened, where its sender knows: hooks may overtake each other. Default: just now. */
  ageMs?: number;
  /** Who sits at the agent's terminal, and answers there. */
  user?: string;
  /** Whether the agent can end now and come back when there is an answer. */
  mayDefer?: boolean;
  /** Aborted when the agent no longer waits for the reply; with a `BeckonError` when Beckon stops, and the question stays. */
  signal: AbortSignal;
}

/** Answers the hooks of an agent: at once, or when a person has answered what the hook asks for. */
export interface AgentHooks {
  /** Gives the reply in the agent's own form. Throws `invalid_input` for what is no hook. */
  handle(payload: JsonObject, context: HookContext): Promise<JsonObject>;
}
