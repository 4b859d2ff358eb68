import { useQuery } from '@tanstack/react-query';
import { toStep } from 'beckon/presentation';
import type { Interaction } from 'beckon/protocol';
import { toGroup } from 'beckon/react/parts';
import { useMemo } from 'react';
import { useApp } from '../../live/app-context.ts';
import { keys } from '../../live/keys.ts';
import { usePending } from '../../live/use-pending.ts';

/** The requests of the same call, including this one, in the order of their steps. */
export function useGroup(interaction: Interaction): { group: Interaction[]; isLoading: boolean } {
  const { beckon } = useApp();
  const { groupId, chatId } = interaction;
  const isGroup = groupId !== undefined && toStep(interaction) !== null;
  const pending = usePending();
  const { data, isPending } = useQuery({
    queryKey: keys.group(chatId, groupId ?? ''),
    queryFn: async () => {
      const { items } = await beckon.list({ chatId, limit: 100, ...(groupId !== undefined && { groupId }) });
      return items;
    },
    enabled: isGroup,
  });
  const group = useMemo(() => {
    return isGroup ? toGroup(interaction, [...(data ?? []), ...pending.items.values()]) : [interaction];
  }, [isGroup, data, pending.items, interaction]);
  return { group, isLoading: isGroup && isPending };
}
