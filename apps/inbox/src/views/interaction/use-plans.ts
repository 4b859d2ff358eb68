import { useQuery } from '@tanstack/react-query';
import type { Interaction, InteractionOf } from 'beckon/protocol';
import { readPlans } from 'beckon/react/parts';
import { useApp } from '../../live/app-context.ts';
import { keys } from '../../live/keys.ts';

/** The newest plans of the request's session, if it is a plan; `null` while they are loading. */
export function usePlans({ kind, sessionId }: Interaction): InteractionOf<'plan_review'>[] | null {
  const { beckon } = useApp();
  const isPlan = kind === 'plan_review' && sessionId !== undefined;
  const { data, isPending, isError } = useQuery({
    queryKey: keys.plans(sessionId ?? ''),
    queryFn: () => readPlans(beckon, sessionId ?? ''),
    enabled: isPlan,
  });
  if (!isPlan || isError) return [];
  return isPending ? null : data;
}
