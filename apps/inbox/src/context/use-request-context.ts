import { useQuery } from '@tanstack/react-query';
import type { Context, Interaction } from 'beckon/protocol';
import { useApp } from '../live/app-context.ts';
import { keys } from '../live/keys.ts';

/** What surrounds a request, beyond the part that every copy of it carries. It never changes, so it is read once. */
export function useRequestContext({ id, context }: Pick<Interaction, 'id' | 'context'>): {
  context: Context | undefined;
  isLoading: boolean;
  isFailed: boolean;
} {
  const { beckon } = useApp();
  const { data, isPending, isError } = useQuery({
    queryKey: keys.context(id),
    queryFn: () => beckon.context(id),
    enabled: context?.hasMore === true,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return { context: data ?? undefined, isLoading: context?.hasMore === true && isPending, isFailed: isError };
}
