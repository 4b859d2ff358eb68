import { toStep } from 'beckon/presentation';
import { useMemo } from 'react';
import { usePending } from './use-pending.ts';
import { useSnoozes } from './use-snoozes.ts';

/** How many requests wait for this person: without those put aside, and the questions of one call count once. */
export function useWaitingCount(): number {
  const { items } = usePending();
  const snoozes = useSnoozes();
  return useMemo(() => {
    const calls = new Set<string>();
    for (const interaction of items.values()) {
      const { id, groupId, chatId, askedBy, askerId } = interaction;
      if (snoozes.has(id)) continue;
      const isStep = groupId !== undefined && toStep(interaction) !== null;
      calls.add(isStep ? JSON.stringify([groupId, chatId, askedBy, askerId]) : id);
    }
    return calls.size;
  }, [items, snoozes]);
}
