import type { Beckon } from '../../../core/beckon.ts';
import type { InteractionOf } from '../../../protocol/index.ts';

/** The newest plans of a session. */
export async function readPlans(beckon: Beckon, sessionId: string): Promise<InteractionOf<'plan_review'>[]> {
  const { items } = await beckon.list({ kind: 'plan_review', sessionId });
  return items.filter((item) => item.kind === 'plan_review');
}
