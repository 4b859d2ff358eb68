import type { PendingProject } from 'beckon/presentation';
import { Button, Icon, IconButton, Loading, useKey } from 'beckon/react/parts';
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { isFiltering, type Levels, NO_FILTER, type PendingFilter } from './filter-pending.ts';
import { texts } from './texts.ts';
import type { ListPreferences } from './use-list-preferences.ts';

const PendingFilters = lazy(() =>
  import('./pending-filters.tsx').then((module) => ({ default: module.PendingFilters })),
);

/** The frame of the pending list: search, filters, how it looks, and what an empty list says. */
export function PendingPane({
  projects,
  levels,
  counts,
  isComplete,
  filter,
  onFilter,
  preferences,
  onSelectSeveral,
  chips,
  empty,
  children,
}: {
  /** Everything that could be shown, for the choices of the filter. */
  projects: readonly PendingProject[];
  levels: Levels;
  counts: { all: number; shown: number };
  isComplete: boolean;
  filter: PendingFilter;
  onFilter: (filter: PendingFilter) => void;
  preferences: ListPreferences;
  onSelectSeveral: () => void;
  chips?: ReactNode;
  /** What stands here while nothing is pending. */
  empty: ReactNode;
  children: ReactNode;
}) {
  const search = useRef<HTMLInputElement>(null);
  const [isFilterOpen, setFilterOpen] = useState(false);
  useKey('/', () => search.current?.focus());
  const isNarrowed = isFiltering(filter);
  return (
    <>
      <div className="shrink-0 space-y-2 border-b border-line px-3 py-2">
        <div className="flex min-h-8 items-center gap-2">
          <h1 className="pl-1 text-lg font-semibold tracking-tight">{texts.title}</h1>
          <p className="min-w-0 flex-1 truncate text-sm text-muted tabular-nums">{toCount(counts, isComplete)}</p>
          <IconButton label={texts.beginSelecting} onClick={onSelectSeveral} className="pointer-fine:hidden">
            <Icon name="select" />
          </IconButton>
          <IconButton
            label={preferences.density === 'dense' ? texts.roomy : texts.dense}
            onClick={preferences.changeDensity}
          >
            <Icon name="density" />
          </IconButton>
        </div>
        <search className="flex items-center gap-1.5">
          <div className="relative min-w-0 flex-1">
            <Icon name="search" className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-muted" />
            <input
              ref={search}
              type="search"
              aria-label={texts.search}
              placeholder={texts.searchHint}
              value={filter.text}
              maxLength={200}
              onChange={(event) => onFilter({ ...filter, text: event.target.value })}
              className="field w-full py-1 pl-8 text-sm"
            />
          </div>
          <Button
            look={isFilterOpen || isNarrowed ? 'secondary' : 'quiet'}
            size="small"
            aria-expanded={isFilterOpen}
            onClick={() => setFilterOpen(!isFilterOpen)}
          >
            {texts.filter}
          </Button>
        </search>
        <Suspense>
          {isFilterOpen && <PendingFilters projects={projects} levels={levels} filter={filter} onChange={onFilter} />}
        </Suspense>
        {(chips || isNarrowed) && (
          <div className="flex flex-wrap items-center gap-1.5">
            {chips}
            {isNarrowed && (
              <Button look="quiet" size="small" className="ml-auto" onClick={() => onFilter(NO_FILTER)}>
                {texts.clear}
              </Button>
            )}
          </div>
        )}
      </div>
      {counts.shown > 0 && children}
      {counts.all === 0 && !isComplete && <Loading />}
      {counts.all > 0 && counts.shown === 0 && (
        <EmptyState icon="search" title={texts.noMatch}>
          <p>{texts.noMatchHint}</p>
          <Button onClick={() => onFilter(NO_FILTER)}>{texts.clear}</Button>
        </EmptyState>
      )}
      {counts.all === 0 && isComplete && empty}
    </>
  );
}

function toCount({ all, shown }: { all: number; shown: number }, isComplete: boolean): string {
  if (all === 0) return '';
  if (!isComplete) return texts.loadingMore(all);
  return shown === all ? texts.count(all) : texts.shown(shown, all);
}
