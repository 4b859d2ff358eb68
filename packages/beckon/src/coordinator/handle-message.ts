import type { Answerer } from '../protocol/interaction.ts';
import type { InteractionCoordinator } from './interaction-coordinator.ts';

/**
 * Puts the coordinator in front of an agent: a text that answers what is pending never reaches the agent, every other text does.
 * Returns what the person should read.
 */
export function createMessageHandler<Reply>(
  coordinator: InteractionCoordinator,
  agent: (chatId: string, text: string) => Promise<Reply> | Reply,
): (chatId: string, text: string, options?: { by?: Answerer; replyTo?: string }) => Promise<Reply | string> {
  return async (chatId, text, options) =>
    (await coordinator.handleMessage(chatId, text, options)) ?? agent(chatId, text);
}
