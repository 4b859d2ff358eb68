import type { Answerer } from '../protocol/interaction.ts';
import type { InteractionCoordinator } from './interaction-coordinator.ts';
import type { TextOrigin } from './text-router.ts';

/**
 * Puts the coordinator in front of an agent. A text that answers a pending request does not reach the agent; every
 * other text does. Returns what the person should read.
 */
export function createMessageHandler<Reply>(
  coordinator: InteractionCoordinator,
  agent: (chatId: string, text: string) => Promise<Reply> | Reply,
): (chatId: string, text: string, options?: { by?: Answerer } & TextOrigin) => Promise<Reply | string> {
  return async (chatId, text, options) =>
    (await coordinator.handleMessage(chatId, text, options)) ?? agent(chatId, text);
}
