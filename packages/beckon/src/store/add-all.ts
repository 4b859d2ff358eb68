import type { NewInteraction } from '../core/store.ts';
import { BeckonError } from '../protocol/errors.ts';
import type { Interaction } from '../protocol/interaction.ts';
import type { UnitOfWork } from './unit-of-work.ts';

/** Adds new interactions, or finds those that asked the same under their key. Throws before it adds any. */
export function addAll(
  work: UnitOfWork,
  asks: readonly NewInteraction[],
): { interaction: Interaction; isNew: boolean }[] {
  const found = asks.map(({ interaction }) => findEarlier(work, interaction));
  return asks.map(({ interaction, context }, index) => {
    const earlier = found[index];
    if (earlier !== undefined) return { interaction: earlier, isNew: false };
    work.add(interaction, context);
    return { interaction, isNew: true };
  });
}

function findEarlier(work: UnitOfWork, interaction: Interaction): Interaction | undefined {
  const { id, idempotencyKey: key } = interaction;
  const earlier = key === undefined ? undefined : work.findByKey(key, interaction);
  if (earlier?.isSame === false) {
    throw new BeckonError(
      'key_reused',
      `The idempotencyKey ${JSON.stringify(key)} was used for another request, kind or chat, so nothing was asked. ` +
        'Give each request its own key.',
    );
  }
  if (earlier === undefined && work.find(id) !== undefined) {
    throw new BeckonError(
      'interaction_exists',
      `A request with id ${JSON.stringify(id)} already exists. ` +
        'Choose another id, or ask with an idempotencyKey to find the earlier request.',
    );
  }
  return earlier?.interaction;
}
