import type { TurnSteerParams } from './codex-types.ts';
import type { CodexRequest } from './messages.ts';

/** A message of the person to the turn that asked; `null` if it names none. */
export function toSteer({ params: { threadId, turnId } }: CodexRequest, text: string): TurnSteerParams | null {
  if (turnId === null) return null;
  return { threadId, expectedTurnId: turnId, input: [{ type: 'text', text, text_elements: [] }] };
}
