import { useQuery } from '@tanstack/react-query';
import { keys } from './keys.ts';
import { NO_PENDING, type Pending } from './pending.ts';

/** The pending requests. Only the inbox writes them. */
export function usePending(): Pending {
  const { data } = useQuery<Pending>({
    queryKey: keys.pending,
    queryFn: () => NO_PENDING,
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
  return data ?? NO_PENDING;
}
