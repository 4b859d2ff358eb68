import { useInfiniteQuery } from '@tanstack/react-query';
import type { Interaction } from 'beckon/protocol';
import { useMemo } from 'react';
import { useApp } from '../live/app-context.ts';
import { keys } from '../live/keys.ts';
import { mergeConversation, type Talk } from './conversation.ts';
import { useRequestContext } from './use-request-context.ts';

const PAGE = 200;

/** The conversation so far, the oldest first. It is read from its end. */
export function useConversation(interaction: Interaction): {
  entries: readonly Talk[];
  isLoading: boolean;
  /** Reads older entries, if there are any and none are being read. */
  readOlder: () => void;
} {
  const { history } = useApp();
  const { sessionId = '' } = interaction;
  const around = useRequestContext(interaction);
  const kept = useInfiniteQuery({
    queryKey: keys.conversation(sessionId),
    queryFn: ({ pageParam: before }) => history.conversation(sessionId, { limit: PAGE, before }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next,
    enabled: sessionId !== '',
    retry: false,
  });
  const pages = kept.data?.pages;
  const sent = around.context?.conversation;
  const entries = useMemo(
    () =>
      mergeConversation(
        sent ?? [],
        (pages ?? []).toReversed().flatMap((page) => page.entries),
      ),
    [sent, pages],
  );
  return {
    entries,
    isLoading: around.isLoading || (sessionId !== '' && kept.isPending),
    readOlder: () => {
      if (kept.hasNextPage && !kept.isFetching) void kept.fetchNextPage();
    },
  };
}
