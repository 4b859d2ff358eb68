import { Button, toMessage } from 'beckon/react/parts';
import { useEffect, useEffectEvent, useRef } from 'react';
import { texts } from './texts.ts';

/** The parts of an infinite query that `LoadMore` needs. */
interface Pages {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  error: unknown;
  fetchNextPage: () => Promise<unknown>;
}

/** The end of a paged list. It loads the next page when scrolled into view, or by its button. */
export function LoadMore({ query }: { query: Pages }) {
  const end = useRef<HTMLDivElement>(null);
  const load = useEffectEvent(() => {
    if (query.hasNextPage && !query.isFetchingNextPage && !query.isFetchNextPageError) void query.fetchNextPage();
  });
  useEffect(() => {
    const element = end.current;
    if (element === null) return;
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && load(), {
      rootMargin: '400px',
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={end} className="flex flex-col items-center gap-2 px-4 py-4 text-xs text-muted">
      {query.isFetchNextPageError && <p role="alert">{toMessage(query.error)}</p>}
      {query.hasNextPage && (
        <Button size="small" disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {query.isFetchingNextPage ? texts.loadingMore : texts.loadMore}
        </Button>
      )}
    </div>
  );
}
