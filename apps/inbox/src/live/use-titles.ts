import { useQuery } from '@tanstack/react-query';
import { toVisibleLine } from 'beckon/presentation';
import { useMemo } from 'react';
import { useApp } from './app-context.ts';
import { keys } from './keys.ts';

const TITLE_CHARS = 120;

/** The titles that people gave to sessions, by session, ready to be shown. */
export function useTitles(): ReadonlyMap<string, string> {
  const { history } = useApp();
  const { data } = useQuery({ queryKey: keys.titles, queryFn: () => history.titles() });
  return useMemo(
    () => new Map(Object.entries(data ?? {}).map(([id, title]) => [id, toVisibleLine(title, TITLE_CHARS)])),
    [data],
  );
}
