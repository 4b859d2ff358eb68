import type { Beckon } from '../../core/beckon.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import { until } from '../suites/until.ts';

/** The newest interaction that waits for an answer, as soon as there is one. */
export function findPending(beckon: Beckon): Promise<Interaction> {
  return until(async () => {
    const [item] = (await beckon.list({ status: 'pending' })).items;
    if (item === undefined) throw new Error('Nothing is pending');
    return item;
  });
}

/** The open steps of a call, in their order, as soon as something is pending. */
export async function findSteps(beckon: Beckon): Promise<[Interaction, ...Interaction[]]> {
  await findPending(beckon);
  const { items } = await beckon.list({ status: 'pending' });
  const [first, ...rest] = items.toReversed();
  if (first === undefined) throw new Error('Nothing is pending any more');
  return [first, ...rest];
}
