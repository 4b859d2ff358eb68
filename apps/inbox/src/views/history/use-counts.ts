import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { HistoryCounts, ListFilter } from 'beckon/protocol';
import { useApp } from '../../live/app-context.ts';
import { keys } from '../../live/keys.ts';
import { withoutFilter } from './to-list-filter.ts';

/** How many requests each choice of a filter would show, with all other filters as they are. */
export function useCounts(filter: ListFilter): Pick<HistoryCounts, 'byDecision' | 'byPerson' | 'byProject'> {
  return {
    byDecision: useCount(withoutFilter(filter, 'decision'))?.byDecision ?? [],
    byPerson: useCount(withoutFilter(filter, 'person'))?.byPerson ?? [],
    byProject: useCount(withoutFilter(filter, 'project'))?.byProject ?? [],
  };
}

function useCount(filter: ListFilter): HistoryCounts | undefined {
  const { history } = useApp();
  const { data } = useQuery({
    queryKey: keys.historyCounts(filter),
    queryFn: () => history.counts(filter),
    placeholderData: keepPreviousData,
  });
  return data;
}
