import { toEntryKey, toStep } from '../../../presentation/index.ts';
import { type Interaction, type InteractionOf, LIMITS } from '../../../protocol/index.ts';

/**
 * The requests of the same call among those that were found, in the order of their steps. This one is always there, as
 * it is given. Another agent that knows the id of the group gets no place in it.
 */
export function toGroup(interaction: Interaction, found: Iterable<Interaction>): Interaction[] {
  const call = toEntryKey(interaction);
  const byId = new Map([...found, interaction].map((one) => [one.id, one]));
  return [...byId.values()]
    .filter((one) => toEntryKey(one) === call)
    .sort(
      (a, b) => (toStep(a)?.step ?? 0) - (toStep(b)?.step ?? 0) || Date.parse(a.createdAt) - Date.parse(b.createdAt),
    );
}

/** The questions of a call that are answered together, in tabs; `null` if the request stands alone. */
export function toTabs(
  { kind, groupId, metadata }: Interaction,
  group: readonly Interaction[],
): { groupId: string; questions: InteractionOf<'question'>[] } | null {
  if (kind !== 'question' || groupId === undefined || toStep({ metadata }) === null) return null;
  const questions = group.filter((one) => one.kind === 'question');
  return questions.length === group.length && group.length <= LIMITS.groupSteps ? { groupId, questions } : null;
}
