import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import type { PersonalDestination } from 'beckon/client';
import { keys } from '../live/keys.ts';
import { useDestinations } from '../live/use-destinations.ts';

/** A link in a mail may prove one, and what is sent may fail, so the list is read again while it is looked at. */
const REFRESH_MS = 4000;

/** The destinations that the person may see: their own; for an admin, everybody's. */
export function useDestinationList(): UseQueryResult<PersonalDestination[]> {
  const destinations = useDestinations();
  return useQuery({
    queryKey: keys.destinations,
    queryFn: () => destinations.list(),
    staleTime: 0,
    refetchInterval: REFRESH_MS,
  });
}

/** Shows a destination as the server just gave it, without reading all of them again. */
export function useKeepDestination(): (changed: PersonalDestination) => void {
  const queries = useQueryClient();
  return (changed) =>
    queries.setQueryData<PersonalDestination[]>(keys.destinations, (list) =>
      list?.some(({ id }) => id === changed.id)
        ? list.map((one) => (one.id === changed.id ? changed : one))
        : [...(list ?? []), changed],
    );
}
