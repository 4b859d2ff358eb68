import { groupPending, type PendingProject } from 'beckon/presentation';
import { useLevelCount, useLevels } from 'beckon/react/parts';
import { useDeferredValue, useMemo, useState } from 'react';
import { usePending } from '../../live/use-pending.ts';
import { useSnoozes } from '../../live/use-snoozes.ts';
import { useTitles } from '../../live/use-titles.ts';
import { filterProjects, keepEntries, type Levels, type PendingFilter } from './filter-pending.ts';
import { StableOrder } from './stable-order.ts';

/** What is pending, as the list shows it. */
export interface PendingProjects {
  /** Everything the list is about: what is snoozed, or what is not. */
  all: PendingProject[];
  /** What passes the filter. */
  shown: PendingProject[];
  counts: { all: number; shown: number };
  snoozes: ReadonlyMap<string, string>;
  levels: Levels;
}

export function usePendingProjects(filter: PendingFilter, isSnoozedShown: boolean): PendingProjects {
  const { items, isComplete } = usePending();
  const titles = useTitles();
  const snoozes = useSnoozes();
  // Typing must stay fast while ten thousand requests are searched.
  const wanted = useDeferredValue(filter);
  const [order] = useState(() => new StableOrder());
  // Sorting again must not hold up a key press.
  const levels = useDeferredValue(useLevels());
  const grouped = useMemo(() => {
    const projects = groupPending(items.values(), { titles, riskOf: ({ id }) => levels.get(id) ?? 'routine' });
    // The pages come with the newest requests first, so the order is not known before the last.
    return isComplete ? order.arrange(projects) : projects;
  }, [items, isComplete, titles, levels, order]);
  const all = useMemo(() => {
    if (snoozes.size === 0) return isSnoozedShown ? [] : grouped;
    return grouped
      .map((project) => keepEntries(project, ({ interaction }) => snoozes.has(interaction.id) === isSnoozedShown))
      .filter(({ count }) => count > 0);
  }, [grouped, snoozes, isSnoozedShown]);
  const levelCount = useLevelCount();
  const seenCount = wanted.risks.size > 0 || wanted.text !== '' ? levelCount : 0;
  // oxlint-disable-next-line react/exhaustive-deps -- the levels are the same map while only routine ones come
  const shown = useMemo(() => filterProjects(all, wanted, levels), [all, wanted, levels, seenCount]);
  return { all, shown, counts: { all: toCount(all), shown: toCount(shown) }, snoozes, levels };
}

function toCount(projects: readonly PendingProject[]): number {
  return projects.reduce((sum, { count }) => sum + count, 0);
}
