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

/** The event of a hook that only tests the way to Beckon. It leaves no trace. */
export const TEST_EVENT = 'BeckonTest';

/** A hook that tests the way to Beckon, and changes nothing. */
export function toTestHook(sessionId = 'beckon-test'): string {
  return JSON.stringify({ hook_event_name: TEST_EVENT, session_id: sessionId });
}

/** The reason of a request that ended because its agent did not come back for it. */
export const NOT_BACK = 'The agent did not come back for it';

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
  /** Hears that everything that the hook asks is kept, before the wait begins. */
  onAsked?: () => void;
  /** Hears what was decided, before the reply goes out. */
  onSettled?: (settled: readonly Interaction[]) => void;
  /** The agent can end now and come back for the answer. */
  mayDefer?: boolean;
  /**
   * The agent may lose its connection and come back under the same `key`: what it asks stays when the signal aborts,
   * and ends if nobody has come back in time. How long this attempt lasts at most, in milliseconds.
   */
  holdMs?: number;
  /** When the hook happened, in milliseconds of the clock of the agent's machine, to order the hooks of a session. */
  happenedAt?: number;
  /**
   * Aborted when the agent no longer waits for the reply; with a `BeckonError` when Beckon stops and the request stays.
   */
  signal: AbortSignal;
}

/** Knows which agents come back for their answers. Requests are named by their idempotency keys. */
export interface AgentAttendance {
  /**
   * Notes that the agent of these requests is here for up to `holdMs`, and may be away for a while after that. Call it
   * before the requests are asked: they end if nobody comes back in time.
   */
  attend(keys: readonly string[], holdMs: number): Promise<void>;
}

/** Answers the hooks of an agent: at once, or when a person has answered what the hook asks. */
export interface AgentHooks {
  /** Gives the reply in the agent's own format. Throws `invalid_input` if it is not a hook. */
  handle(payload: JsonObject, context: HookContext): Promise<JsonObject>;
  /**
   * Takes note of a hook whose agent no longer waits for a reply: it came late, or the agent stopped waiting. What it
   * asked ends, and what it settled. Throws `invalid_input` if it is not a hook.
   */
  takeNote(payload: JsonObject, context: Omit<HookContext, 'signal'>): Promise<void>;
}
