import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { toVisibleLine } from 'beckon/presentation';
import { LIMITS } from 'beckon/protocol';
import { useMemo } from 'react';
import { Link } from 'wouter';
import { summarize } from '../../kinds/request-summary.ts';
import { useApp } from '../../live/app-context.ts';
import { keys } from '../../live/keys.ts';
import { texts } from '../../texts.ts';
import { buttonClasses, IconButton } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Icon } from '../../ui/icon.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Timeline } from './timeline.tsx';

/** The timeline of one session: what it asked, what its hooks reported. */
export function SessionView({ sessionId, onClose }: { sessionId: string; onClose: () => void }) {
  const { beckon, history } = useApp();
  const query = useInfiniteQuery({
    queryKey: keys.sessionLog(sessionId),
    queryFn: ({ pageParam }) => history.sessionLog(sessionId, pageParam === undefined ? {} : { after: pageParam }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => page.next,
  });
  // The log does not repeat what was asked. Where a session asked more than a page holds, older ones are named by their id.
  const asked = useQuery({
    queryKey: keys.history({ sessionId, limit: LIMITS.pageItems }),
    queryFn: () => beckon.list({ sessionId, limit: LIMITS.pageItems }),
  });
  const titles = useMemo(() => new Map(asked.data?.items.map((item) => [item.id, summarize(item)])), [asked.data]);
  const events = query.data?.pages.flatMap((page) => page.events) ?? [];
  return (
    <article className="flex h-full flex-col">
      <header className="flex min-h-14 shrink-0 flex-wrap items-center gap-2 border-b border-line px-4 py-2.5 lg:px-6">
        <IconButton label={texts.back} onClick={onClose} className="-ml-2 lg:hidden">
          <Icon name="back" />
        </IconButton>
        <h1 className="min-w-0 flex-1 truncate font-semibold" title={sessionId}>
          {texts.sessions.one(toVisibleLine(sessionId))}
        </h1>
        <Link to={`/history?session=${encodeURIComponent(sessionId)}`} className={buttonClasses('secondary', 'small')}>
          {texts.sessions.inHistory}
        </Link>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="max-w-4xl px-4 py-4 lg:px-6">
          {query.isPending && <Loading />}
          {query.isError && events.length === 0 && (
            <Failure title={texts.sessions.timelineFailed} error={query.error} onRetry={() => void query.refetch()} />
          )}
          {query.isSuccess && events.length === 0 && <EmptyState icon="log" title={texts.sessions.timelineEmpty} />}
          {events.length > 0 && (
            <section aria-label={texts.sessions.timeline}>
              <Timeline events={events} titles={titles} />
              <LoadMore query={query} />
            </section>
          )}
        </div>
      </div>
    </article>
  );
}
