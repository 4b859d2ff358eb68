import type { Interaction, InteractionOf } from '../../../../protocol/index.ts';
import type { LoadPlans } from '../parts/kind-props.ts';
import { useLoaded } from '../parts/use-loaded.ts';

/** The plans of the request's session, if it is a plan; `null` while they are loading. Without `load`, none. */
export function usePlans(
  { kind, sessionId }: Interaction,
  load: LoadPlans | undefined,
): readonly InteractionOf<'plan_review'>[] | null {
  const wanted = kind === 'plan_review' && load !== undefined ? (sessionId ?? null) : null;
  const found = useLoaded(wanted, load);
  if (wanted !== null && found === undefined) return null;
  return (found ?? []).filter((item) => item.kind === 'plan_review');
}
