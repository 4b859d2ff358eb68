import type { Beckon } from '../../../core/beckon.ts';
import { toEntryKey } from '../../../presentation/index.ts';
import { type Interaction, LIMITS } from '../../../protocol/index.ts';
import { toGroup } from '../request/to-group.ts';
import { useLive } from './use-live.ts';

/** The requests of the same call, live, in the order of their steps. Until the first reply, those that are `listed`. */
export function useGroup(
  beckon: Beckon,
  interaction: Interaction,
  listed: readonly Interaction[],
): { group: readonly Interaction[]; isLoading: boolean } {
  const { id, groupId, chatId } = interaction;
  const call = toEntryKey(interaction);
  const isGroup = groupId !== undefined && call !== id;
  const { value, error } = useLive(
    beckon,
    `group ${call}`,
    async () => (isGroup ? (await beckon.list({ chatId, groupId, limit: LIMITS.pageItems })).items : []),
    (event) => isGroup && 'interactionId' in event && event.chatId === chatId,
  );
  return {
    group: toGroup(interaction, value ?? listed),
    isLoading: isGroup && value === undefined && error === undefined,
  };
}
