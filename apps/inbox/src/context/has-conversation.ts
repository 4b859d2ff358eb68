import type { Interaction } from 'beckon/protocol';

/** Whether there may be a conversation around a request: its agent sent one, or it belongs to a session. */
export function hasConversation({ context, sessionId }: Interaction): boolean {
  return context?.hasMore === true || sessionId !== undefined;
}
