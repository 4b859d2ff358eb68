import { useQuery } from '@tanstack/react-query';
import type { Statistics } from 'beckon/client';
import { Loading } from 'beckon/react/parts';
import { type ReactNode, useState } from 'react';
import { formatTook } from '../../interactions/durations.ts';
import { useApp } from '../../live/app-context.ts';
import { keys } from '../../live/keys.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Failure } from '../../ui/failure.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { ViewHeader } from '../../ui/view-header.tsx';
import { DataTable } from './data-table.tsx';
import { Plot } from './plot.tsx';
import { type Table, toDayTable, toKindTable, toTimeTable } from './tables.ts';
import { texts } from './texts.ts';

const SPANS = [7, 30, 90];
const DAY_MS = 86_400_000;

/** How long people take to answer, and how requests end. */
export function StatisticsView() {
  const { history } = useApp();
  const [days, setDays] = useState(30);
  const query = useQuery({
    queryKey: keys.statistics(days),
    queryFn: () => history.statistics({ since: new Date(Date.now() - days * DAY_MS).toISOString() }),
    staleTime: 0,
  });
  return (
    <div className="flex h-full flex-col bg-surface">
      <ViewHeader title={texts.title}>
        <span className="ml-auto">
          <SegmentedControl
            label={texts.since}
            value={String(days)}
            options={SPANS.map((span) => ({ value: String(span), name: texts.days(span) }))}
            onChange={(span) => setDays(Number(span))}
          />
        </span>
      </ViewHeader>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto max-w-5xl px-4 py-4">
          {query.isPending && <Loading />}
          {query.isError && query.data === undefined && (
            <Failure title={texts.failed} error={query.error} onRetry={() => void query.refetch()} />
          )}
          {query.data !== undefined && <Shown statistics={query.data} />}
        </div>
      </div>
    </div>
  );
}

function Shown({ statistics }: { statistics: Statistics }) {
  const { timeToAnswer, byKind } = statistics;
  const asked = sum(byKind.map(({ count }) => count));
  if (asked === 0) return <EmptyState icon="statistics" title={texts.empty} />;
  const answered = sum(byKind.filter(({ status }) => status === 'answered').map(({ count }) => count));
  return (
    <div className="space-y-4">
      <dl className="grid grid-cols-2 gap-3 md:grid-cols-4">
        <Figure name={texts.asked}>{asked}</Figure>
        <Figure name={texts.answered}>{answered}</Figure>
        <Figure name={texts.median}>{toTime(timeToAnswer.medianSeconds)}</Figure>
        <Figure name={texts.p90}>{toTime(timeToAnswer.p90Seconds)}</Figure>
      </dl>
      <div className="grid gap-4 xl:grid-cols-5">
        <div className="min-w-0 xl:col-span-3">
          <Panel title={texts.timeToAnswer} table={toTimeTable(timeToAnswer)} />
        </div>
        <div className="min-w-0 xl:col-span-2">
          <Panel title={texts.byKind} table={toKindTable(byKind)} />
        </div>
        <div className="min-w-0 xl:col-span-5">
          <Panel title={texts.byDay} table={toDayTable(statistics)} />
        </div>
      </div>
    </div>
  );
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="rounded-lg border border-line px-3 py-2.5">
      <dt className="text-xs text-muted">{name}</dt>
      <dd className="text-xl font-semibold tabular-nums">{children}</dd>
    </div>
  );
}

// Screen readers get the table, which has the same numbers as the chart.
function Panel({ title, table }: { title: string; table: Table }) {
  const [look, setLook] = useState<'chart' | 'table'>('chart');
  return (
    <section aria-label={title} className="h-full rounded-lg border border-line p-3">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-sm font-semibold">{title}</h2>
        <SegmentedControl
          label={texts.view(title)}
          value={look}
          options={[
            { value: 'chart', name: texts.chart },
            { value: 'table', name: texts.table },
          ]}
          onChange={setLook}
        />
      </div>
      {look === 'chart' ? (
        <>
          <div aria-hidden="true" className="min-h-60">
            <Plot table={table} />
          </div>
          <div className="sr-only">
            <DataTable caption={title} table={table} />
          </div>
        </>
      ) : (
        <div className="max-h-80 overflow-auto">
          <DataTable caption={title} table={table} />
        </div>
      )}
    </section>
  );
}

function toTime(seconds: number | null): string {
  return seconds === null ? texts.none : formatTook(seconds * 1000);
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
