import { useQueryClient } from '@tanstack/react-query';
import type { LoadContext } from 'beckon/react/parts';
import { useCallback } from 'react';
import { useApp } from '../live/app-context.ts';
import { toContextQuery } from './use-request-context.ts';

/** Reads what surrounds a request, once for the forms and the rest of the page. */
export function useLoadContext(): LoadContext {
  const queries = useQueryClient();
  const { beckon } = useApp();
  return useCallback((id) => queries.fetchQuery(toContextQuery(beckon, id)), [queries, beckon]);
}
