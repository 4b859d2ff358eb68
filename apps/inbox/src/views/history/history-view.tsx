import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { InteractionPage } from 'beckon/protocol';
import { Loading } from 'beckon/react/parts';
import { useLocation, useSearchParams } from 'wouter';
import { useApp } from '../../live/app-context.ts';
import { keys } from '../../live/keys.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Failure } from '../../ui/failure.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Split } from '../../ui/split.tsx';
import { useRowKeys } from '../../ui/use-row-keys.ts';
import { InteractionView } from '../interaction/interaction-view.tsx';
import { HistoryFilters } from './history-filters.tsx';
import { HistoryRow } from './history-row.tsx';
import { texts } from './texts.ts';
import { hasFilter, toListFilter } from './to-list-filter.ts';

const SEARCH_ON_MS = 1000;

/**
 * All requests and their outcomes. Filters and the open request are in the address, so it can be bookmarked and
 * shared.
 */
export function HistoryView() {
  const [params, setParams] = useSearchParams();
  const [, navigate] = useLocation();
  const openId = params.get('open') ?? undefined;
  const close = () =>
    setParams((before) => {
      before.delete('open');
      return before;
    });
  return (
    <Split
      isOpen={openId !== undefined}
      list={<HistoryList params={params} openId={openId} />}
      detail={
        openId === undefined ? (
          <div className="flex h-full items-center justify-center">
            <EmptyState icon="history" title={texts.choose} />
          </div>
        ) : (
          <InteractionView key={openId} id={openId} onClose={params.size > 0 ? close : () => navigate('/history')} />
        )
      }
    />
  );
}

function HistoryList({ params, openId }: { params: URLSearchParams; openId: string | undefined }) {
  const { beckon } = useApp();
  const list = useRowKeys();
  const filter = toListFilter(params);
  const query = useInfiniteQuery({
    queryKey: keys.history(filter),
    queryFn: ({ pageParam }) => beckon.list({ ...filter, ...(pageParam !== undefined && { after: pageParam }) }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
    // The first search over old requests arrives in parts.
    refetchInterval: ({ state }) => (isIncomplete(state.data) ? SEARCH_ON_MS : false),
  });
  const isSearching = isIncomplete(query.data);
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <>
      <HistoryFilters />
      <p role="status" className="sr-only">
        {query.isSuccess && !query.isPlaceholderData && texts.found(items.length, query.hasNextPage)}
      </p>
      {query.isPending && <Loading />}
      {query.isError && items.length === 0 && (
        <Failure title={texts.failed} error={query.error} onRetry={() => void query.refetch()} />
      )}
      {isSearching && (
        <p role="status" className="px-4 py-2 text-sm text-muted">
          {texts.searching}
        </p>
      )}
      {query.isSuccess && !isSearching && items.length === 0 && (
        <EmptyState
          icon={hasFilter(filter) ? 'search' : 'history'}
          title={hasFilter(filter) ? texts.noMatch : texts.empty}
        >
          <p>{hasFilter(filter) ? texts.noMatchHint : texts.emptyHint}</p>
        </EmptyState>
      )}
      {items.length > 0 && (
        <div ref={list} data-shortcut-list className="min-h-0 flex-1 overflow-y-auto">
          <ul aria-label={texts.list}>
            {items.map((interaction) => (
              <HistoryRow
                key={interaction.id}
                interaction={interaction}
                isOpen={interaction.id === openId}
                href={toOpenHref(params, interaction.id)}
              />
            ))}
          </ul>
          <LoadMore query={query} />
        </div>
      )}
    </>
  );
}

function isIncomplete(data: { pages: readonly InteractionPage[] } | undefined): boolean {
  return data?.pages.some(({ incomplete }) => incomplete === true) === true;
}

function toOpenHref(params: URLSearchParams, id: string): string {
  const next = new URLSearchParams(params);
  next.set('open', id);
  return `/history?${next.toString()}`;
}
