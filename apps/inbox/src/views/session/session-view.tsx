import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { describePlace, toHeadline, toPlace } from 'beckon/presentation';
import { LIMITS } from 'beckon/protocol';
import { buttonClasses, Loading } from 'beckon/react/parts';
import { useMemo } from 'react';
import { Link } from 'wouter';
import { useApp } from '../../live/app-context.ts';
import { keys } from '../../live/keys.ts';
import { useTitles } from '../../live/use-titles.ts';
import { BackButton } from '../../ui/back-button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Failure } from '../../ui/failure.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Timeline } from '../log/timeline.tsx';
import { SessionTitle } from './session-title.tsx';
import { texts } from './texts.ts';

/** The timeline of one session: its requests and hooks. */
export function SessionView({ sessionId, onClose }: { sessionId: string; onClose: () => void }) {
  const { beckon, history } = useApp();
  const query = useInfiniteQuery({
    queryKey: keys.sessionLog(sessionId),
    queryFn: ({ pageParam }) => history.sessionLog(sessionId, pageParam === undefined ? {} : { after: pageParam }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => page.next,
  });
  // The log does not contain the requests. If there are more than a page holds, older ones are named by id.
  const asked = useQuery({
    queryKey: keys.history({ sessionId, limit: LIMITS.pageItems }),
    queryFn: () => beckon.list({ sessionId, limit: LIMITS.pageItems }),
  });
  const titles = useMemo(() => new Map(asked.data?.items.map((item) => [item.id, toHeadline(item)])), [asked.data]);
  // As in the list of sessions: a person's title, else the first that the agent named, and where it works now.
  const places = (asked.data?.items ?? []).map(toPlace);
  const title = useTitles().get(sessionId) ?? places.findLast((place) => place.title !== undefined)?.title;
  const newest = asked.data?.items.find((item) => describePlace(item) !== '');
  const place = newest === undefined ? '' : describePlace(newest);
  const events = query.data?.pages.flatMap((page) => page.events) ?? [];
  return (
    <article className="flex h-full flex-col">
      <header className="flex min-h-14 shrink-0 flex-wrap items-center gap-2 border-b border-line px-4 py-2.5 lg:px-6">
        <BackButton onClick={onClose} />
        <SessionTitle sessionId={sessionId} title={title} place={place} />
        <Link to={`/history?session=${encodeURIComponent(sessionId)}`} className={buttonClasses('secondary', 'small')}>
          {texts.inHistory}
        </Link>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="max-w-4xl px-4 py-4 lg:px-6">
          {query.isPending && <Loading />}
          {query.isError && events.length === 0 && (
            <Failure title={texts.timelineFailed} error={query.error} onRetry={() => void query.refetch()} />
          )}
          {query.isSuccess && events.length === 0 && <EmptyState icon="log" title={texts.timelineEmpty} />}
          {events.length > 0 && (
            <section aria-label={texts.timeline}>
              <Timeline events={events} titles={titles} />
              <LoadMore query={query} />
            </section>
          )}
        </div>
      </div>
    </article>
  );
}
