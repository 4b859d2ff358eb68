import type { ContextSaid, Interaction } from 'beckon/protocol';
import { useRequestContext } from './use-request-context.ts';

/** The conversation so far, the oldest first. */
export function useConversation(interaction: Interaction): { entries: readonly ContextSaid[]; isLoading: boolean } {
  const { context, isLoading } = useRequestContext(interaction);
  return { entries: context?.conversation ?? [], isLoading };
}
