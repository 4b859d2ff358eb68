import { toStep } from 'beckon/presentation';
import { toCallKey } from 'beckon/protocol';
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
      if (snoozes.has(interaction.id)) continue;
      calls.add((toStep(interaction) && toCallKey(interaction)) ?? interaction.id);
    }
    return calls.size;
  }, [items, snoozes]);
}
