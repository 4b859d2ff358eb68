import type { PendingProject } from 'beckon/presentation';
import { type Kind, RISK_LEVELS, type RiskLevel } from 'beckon/protocol';
import { type Levels, toAgentName } from './filter-pending.ts';

/** One choice of a filter, and how many requests it would show. */
interface Facet<Value extends string = string> {
  value: Value;
  count: number;
}

/** What can be chosen, the most frequent first. */
interface Facets {
  kinds: Facet<Kind>[];
  /** The gravest first. */
  risks: Facet<RiskLevel>[];
  projects: Facet[];
  agents: Facet[];
  deadlines: number;
}

export function countFacets(projects: readonly PendingProject[], levels: Levels): Facets {
  const entries = projects.flatMap(({ sessions }) => sessions.flatMap((session) => session.entries));
  const items = entries.map(({ interaction }) => interaction);
  return {
    kinds: count(items.map(({ kind }) => kind)),
    risks: count(items.flatMap(({ id }) => levels.get(id) ?? [])).sort(
      (one, other) => RISK_LEVELS.indexOf(other.value) - RISK_LEVELS.indexOf(one.value),
    ),
    projects: count(projects.flatMap(({ name, count: of }) => Array.from({ length: of }, () => name))),
    agents: count(items.map(toAgentName)),
    deadlines: items.filter(({ expiresAt }) => expiresAt !== undefined).length,
  };
}

function count<Value extends string>(values: readonly Value[]): Facet<Value>[] {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].map(([value, of]) => ({ value, count: of })).sort((a, b) => b.count - a.count);
}
