import type { NewLogEvent } from '../protocol/events.ts';
import { isPlainName } from '../protocol/hooks.ts';
import type { Json, JsonObject } from '../protocol/json.ts';

/** What an agent reports, such as a hook of Claude Code. */
export interface HookInput {
  /** The agent whose hook it is, where that matters for reading it. Default: Claude Code. */
  agent?: string;
  sessionId: string;
  /** The command that it belongs to, as named by the program that started the agent. Default: the session itself. */
  commandId?: string;
  /** The hook's own JSON object. */
  hook: JsonObject;
  /** `hook` as the JSON text in which it came, kept and forwarded unchanged. Default: `hook` is serialized. */
  text?: string;
  /** When it happened, as ISO 8601. Default: now. */
  at?: string;
  /** The same hook with the same id again changes nothing; another hook with it is refused. Default: a new id. */
  id?: string;
}

/** Takes hooks in. */
export interface HookSink {
  /**
   * Resolves when the hook is on disk: on the log and, if a backend is configured, in the outbox, in one commit. Hooks
   * of one session are kept in the order of the calls. Throws `invalid_input` for what can never be kept, and
   * `key_reused` if the id belongs to another hook.
   */
  receive(input: HookInput): Promise<void>;
}

/** A hook as the store keeps it. */
export interface HookRecord {
  id: string;
  sessionId: string;
  /** On the wire and in the database: `interaction_id`, as backends know it. It is not an interaction of Beckon. */
  commandId: string;
  eventType: string;
  /** When it happened, as ISO 8601. */
  at: string;
  /** The hook's own JSON object as text. */
  data: string;
}

/**
 * The name of what happened: the first of `event_type`, `type` and `hook_event_name` that is a name, else
 * `claude_hook`.
 */
export function toEventType(hook: Readonly<JsonObject>): string {
  return [hook['event_type'], hook['type'], hook['hook_event_name']].find(isName) ?? 'claude_hook';
}

/** Whether a hook completes the command that waits for it. Of Claude Code's hooks, only `SessionEnd` does. */
export function completesCommand(hook: Readonly<JsonObject>): boolean {
  const name = hook['hook_event_name'];
  return name === undefined || name === null || name === 'SessionEnd';
}

/** The event that a backend receives, as JSON text, with the hook unchanged inside. */
export function toWrappedEvent({ sessionId, commandId, eventType, at, data }: HookRecord): string {
  const head = { session_id: sessionId, interaction_id: commandId, event_type: eventType };
  return `${JSON.stringify(head).slice(0, -1)},"event_data":${data},"timestamp":${JSON.stringify(at)}}`;
}

/** What a hook says about its session: that it began, with the agent's own id for it, or that it ended. */
export function toSessionEvents(
  { sessionId, eventType, at }: Pick<HookRecord, 'sessionId' | 'eventType' | 'at'>,
  hook: Readonly<JsonObject>,
): NewLogEvent[] {
  switch (eventType) {
    case 'SessionStart': {
      const conversationId = [hook['session_id'], hook['conversation_id']].find(isName);
      return [{ type: 'session.started', sessionId, at, ...(conversationId !== undefined && { conversationId }) }];
    }
    case 'SessionEnd':
      return [{ type: 'session.ended', sessionId, at }];
    default:
      return [];
  }
}

function isName(value: Json | undefined): value is string {
  return typeof value === 'string' && isPlainName(value);
}
