import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useApp } from './app-context.ts';
import { keys } from './keys.ts';
import { usePending } from './use-pending.ts';

/** A timer longer than this would end at once. */
const MOST_MS = 2 ** 31 - 1;

/** Until when each pending request is put aside by this person. Those whose time has come are not in it. */
export function useSnoozes(): ReadonlyMap<string, string> {
  const { history } = useApp();
  const { items } = usePending();
  // Another browser of the same person may have changed them, and no event tells.
  const { data } = useQuery({
    queryKey: keys.snoozes,
    queryFn: () => history.snoozes(),
    refetchOnWindowFocus: 'always',
  });
  const [now, setNow] = useState(() => Date.now());
  const snoozes = useMemo(
    () =>
      new Map(
        (data ?? [])
          .filter(({ interactionId, until }) => items.has(interactionId) && Date.parse(until) > now)
          .map(({ interactionId, until }) => [interactionId, until]),
      ),
    [data, items, now],
  );
  const nextAt = Math.min(...[...snoozes.values()].map((until) => Date.parse(until)));
  useEffect(() => {
    if (!Number.isFinite(nextAt)) return undefined;
    const timer = setTimeout(() => setNow(Date.now()), Math.min(MOST_MS, Math.max(0, nextAt - Date.now()) + 50));
    return () => clearTimeout(timer);
  }, [nextAt, now]);
  return snoozes;
}
