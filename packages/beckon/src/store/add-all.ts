import type { RuleBook } from '../core/rules.ts';
import type { NewInteraction } from '../core/store.ts';
import { toTimers } from '../core/time-policy.ts';
import { BeckonError } from '../protocol/errors.ts';
import type { Interaction } from '../protocol/interaction.ts';
import type { ShelvedPolicies } from './policy-shelf.ts';
import type { UnitOfWork } from './unit-of-work.ts';

type Added = { interaction: Interaction; isNew: boolean }[];

/**
 * Adds new interactions, or finds those that asked the same under their key. Throws before it adds any. New approvals
 * are decided by the rules, and what waits gets its timers. It is a promise only if rules or time policies must be read
 * first.
 */
export function addAll(work: UnitOfWork, asks: readonly NewInteraction[]): Added | Promise<Added> {
  const policies = work.openPolicies();
  return policies instanceof Promise
    ? policies.then((read) => addByPolicies(work, asks, read))
    : addByPolicies(work, asks, policies);
}

function addByPolicies(
  work: UnitOfWork,
  asks: readonly NewInteraction[],
  policies: ShelvedPolicies,
): Added | Promise<Added> {
  const found = asks.map(({ interaction }) => findEarlier(work, interaction));
  const first = asks.find(({ interaction: { kind } }, index) => kind === 'approval' && found[index] === undefined);
  if (first === undefined) return addNew(work, asks, { found, policies });
  const book = work.openBook(first.interaction.createdAt);
  return book instanceof Promise
    ? book.then((read) => addNew(work, asks, { found, policies, book: read }))
    : addNew(work, asks, { found, policies, book });
}

function addNew(
  work: UnitOfWork,
  asks: readonly NewInteraction[],
  {
    found,
    policies: { chats, projects },
    book,
  }: { found: readonly (Interaction | undefined)[]; policies: ShelvedPolicies; book?: RuleBook },
): Added {
  // All are decided before one is added, because deciding may throw.
  const decisions = asks.map(({ interaction }, index) =>
    interaction.kind === 'approval' && found[index] === undefined
      ? book?.decide(interaction, interaction.createdAt)
      : undefined,
  );
  return asks.map(({ interaction, context, times }, index) => {
    const earlier = found[index];
    if (earlier !== undefined) return { interaction: earlier, isNew: false };
    const timers = toTimers([times, chats.get(interaction.chatId), projects.get(interaction.context?.project ?? '')]);
    work.add(interaction, { context, decision: decisions[index], timers });
    return { interaction: work.find(interaction.id) ?? interaction, isNew: true };
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
