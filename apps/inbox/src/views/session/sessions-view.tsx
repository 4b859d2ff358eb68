import { useInfiniteQuery } from '@tanstack/react-query';
import type { SessionSummary } from 'beckon/client';
import { toVisibleLine } from 'beckon/presentation';
import { Badge, classNames, Loading, useKey } from 'beckon/react/parts';
import { Link, useLocation } from 'wouter';
import { formatInstant } from '../../interactions/instants.ts';
import { toSessionPath } from '../../interactions/links.ts';
import { Age } from '../../interactions/time-left.tsx';
import { useApp } from '../../live/app-context.ts';
import { keys } from '../../live/keys.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Failure } from '../../ui/failure.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Split } from '../../ui/split.tsx';
import { useRowKeys } from '../../ui/use-row-keys.ts';
import { ViewHeader } from '../../ui/view-header.tsx';
import { SessionView } from './session-view.tsx';
import { texts } from './texts.ts';

/** The sessions, and the open one. */
export function SessionsView({ id }: { id?: string }) {
  const [, navigate] = useLocation();
  useKey('Escape', () => navigate('/sessions'), { isOn: id !== undefined });
  return (
    <Split
      isOpen={id !== undefined}
      list={<SessionList openId={id} />}
      detail={
        id === undefined ? (
          <div className="flex h-full items-center justify-center">
            <EmptyState icon="sessions" title={texts.choose} />
          </div>
        ) : (
          <SessionView key={id} sessionId={id} onClose={() => navigate('/sessions')} />
        )
      }
    />
  );
}

function SessionList({ openId }: { openId: string | undefined }) {
  const { history } = useApp();
  const list = useRowKeys();
  const query = useInfiniteQuery({
    queryKey: keys.sessions,
    queryFn: ({ pageParam }) => history.sessions(pageParam === undefined ? {} : { after: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
  });
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <>
      <ViewHeader title={texts.title} />
      {query.isPending && <Loading />}
      {query.isError && items.length === 0 && (
        <Failure title={texts.failed} error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.isSuccess && items.length === 0 && (
        <EmptyState icon="sessions" title={texts.empty}>
          <p>{texts.emptyHint}</p>
        </EmptyState>
      )}
      {items.length > 0 && (
        <div ref={list} data-shortcut-list className="min-h-0 flex-1 overflow-y-auto">
          <ul aria-label={texts.list}>
            {items.map((session) => (
              <SessionRow key={session.sessionId} session={session} isOpen={session.sessionId === openId} />
            ))}
          </ul>
          <LoadMore query={query} />
        </div>
      )}
    </>
  );
}

function SessionRow({ session, isOpen }: { session: SessionSummary; isOpen: boolean }) {
  const { sessionId, title, firstAt, lastAt, interactions, pending, project, branch, agent, machine } = session;
  const place = [project, branch, agent, machine].flatMap((text) => (text ? [toVisibleLine(text, 60)] : []));
  return (
    <li>
      <Link
        to={toSessionPath(sessionId)}
        title={sessionId}
        aria-current={isOpen ? 'true' : undefined}
        data-row
        className={classNames(
          'flex flex-col gap-0.5 border-b border-line px-4 py-2 -outline-offset-2',
          isOpen ? 'bg-selected-row' : 'hover:bg-hover',
        )}
      >
        <bdi className="truncate text-sm font-medium">
          {title ? toVisibleLine(title, 120) : texts.untitled(formatInstant(firstAt))}
        </bdi>
        {place.length > 0 && <bdi className="truncate text-xs text-muted">{place.join(' · ')}</bdi>}
        <span className="flex items-center gap-2 text-xs text-muted">
          <span className="flex-1">{texts.requests(interactions)}</span>
          {pending > 0 && <Badge tone="accent">{texts.pending(pending)}</Badge>}
          <Age at={lastAt} />
        </span>
      </Link>
    </li>
  );
}
