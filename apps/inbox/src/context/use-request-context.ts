import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Beckon } from 'beckon/client';
import type { Context, Interaction } from 'beckon/protocol';
import { useApp } from '../live/app-context.ts';
import { keys } from '../live/keys.ts';

/** What surrounds a request, beyond the part that every copy of it carries. */
export function useRequestContext({ id, context }: Pick<Interaction, 'id' | 'context'>): {
  context: Context | undefined;
  isLoading: boolean;
  isFailed: boolean;
} {
  const { beckon } = useApp();
  const { data, isPending, isError } = useQuery({ ...toContextQuery(beckon, id), enabled: context?.hasMore === true });
  return { context: data ?? undefined, isLoading: context?.hasMore === true && isPending, isFailed: isError };
}

/** It never changes, so it is read once. */
export function toContextQuery(beckon: Beckon, id: string) {
  return queryOptions({
    queryKey: keys.context(id),
    queryFn: () => beckon.context(id),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
