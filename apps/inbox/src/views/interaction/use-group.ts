import { useQuery } from '@tanstack/react-query';
import { toStep } from 'beckon/presentation';
import type { Interaction } from 'beckon/protocol';
import { useMemo } from 'react';
import { useApp } from '../../live/app-context.ts';
import { keys } from '../../live/keys.ts';
import { usePending } from '../../live/use-pending.ts';

/** The requests of the same call, including this one, in the order of their steps. */
export function useGroup(interaction: Interaction): Interaction[] {
  const { beckon } = useApp();
  const { groupId, chatId, sessionId } = interaction;
  const pending = usePending();
  const { data } = useQuery({
    queryKey: keys.group(chatId, groupId ?? ''),
    // Requests of one call are asked together, so one page usually holds them all.
    queryFn: async () => {
      const page = await beckon.list({ chatId, limit: 100, ...(sessionId !== undefined && { sessionId }) });
      return page.items.filter((item) => item.groupId === groupId);
    },
    enabled: groupId !== undefined,
  });
  return useMemo(() => {
    if (groupId === undefined) return [interaction];
    const found = new Map((data ?? []).map((item) => [item.id, item]));
    for (const item of pending.items.values()) if (item.groupId === groupId) found.set(item.id, item);
    found.set(interaction.id, interaction);
    return [...found.values()].sort(
      (a, b) => (toStep(a)?.step ?? 0) - (toStep(b)?.step ?? 0) || (a.createdAt < b.createdAt ? -1 : 1),
    );
  }, [groupId, data, pending.items, interaction]);
}
