import { useQuery } from '@tanstack/react-query';
import { toStep } from 'beckon/presentation';
import { type Interaction, toCallKey } from 'beckon/protocol';
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
    if (!isGroup) return [interaction];
    const found = new Map((data ?? []).map((item) => [item.id, item]));
    for (const item of pending.items.values()) if (item.groupId === groupId) found.set(item.id, item);
    found.set(interaction.id, interaction);
    // Another agent that knows the group's id must not get a tab in it.
    const call = toCallKey(interaction);
    return [...found.values()]
      .filter((item) => toStep(item) !== null && toCallKey(item) === call)
      .sort((a, b) => (toStep(a)?.step ?? 0) - (toStep(b)?.step ?? 0) || (a.createdAt < b.createdAt ? -1 : 1));
  }, [isGroup, groupId, data, pending.items, interaction]);
  return { group, isLoading: isGroup && isPending };
}
