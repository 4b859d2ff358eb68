import type { Interaction } from './interaction.ts';

/** What says which step of which call a request is. */
export type Step = Pick<Interaction, 'groupId' | 'chatId' | 'askedBy' | 'askerId' | 'metadata'>;

/**
 * Names the call that a request is a step of; `null` if it stands alone. What somebody else asked, or in another chat,
 * is of another call even under the same `groupId`: it could hide a request.
 */
export function toCallKey({ groupId, chatId, askedBy, askerId, metadata }: Step): string | null {
  if (groupId === undefined || !Number.isInteger(metadata?.['step'])) return null;
  return JSON.stringify([groupId, chatId, askedBy, askerId]);
}
