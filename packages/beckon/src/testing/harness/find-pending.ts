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
