import { type PendingEntry, type PendingProject, toAsker, toHeadline, toPlace, toToolName } from 'beckon/presentation';
import type { Interaction, Kind } from 'beckon/protocol';

/** What the person wants to see of the list. Empty sets and texts hide nothing. */
export interface PendingFilter {
  text: string;
  kinds: ReadonlySet<Kind>;
  projects: ReadonlySet<string>;
  agents: ReadonlySet<string>;
  hasDeadline: boolean;
}

export const NO_FILTER: PendingFilter = {
  text: '',
  kinds: new Set(),
  projects: new Set(),
  agents: new Set(),
  hasDeadline: false,
};

/** Whether anything is hidden by the filter. */
export function isFiltering({ text, kinds, projects, agents, hasDeadline }: PendingFilter): boolean {
  return text.trim() !== '' || kinds.size + projects.size + agents.size > 0 || hasDeadline;
}

/** The projects with only what passes the filter. A call with several questions passes as a whole. */
export function filterProjects(projects: readonly PendingProject[], filter: PendingFilter): PendingProject[] {
  if (!isFiltering(filter)) return [...projects];
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  return projects
    .filter(({ name }) => filter.projects.size === 0 || filter.projects.has(name))
    .map((project) => keepEntries(project, ({ steps }) => steps.some((step) => passes(step, project, filter, words))))
    .filter(({ count }) => count > 0);
}

/** The projects without what `isKept` refuses. */
export function keepEntries(project: PendingProject, isKept: (entry: PendingEntry) => boolean): PendingProject {
  const sessions = project.sessions
    .map((session) => ({ ...session, entries: session.entries.filter(isKept) }))
    .filter(({ entries }) => entries.length > 0);
  return { ...project, sessions, count: sessions.reduce((sum, { entries }) => sum + entries.length, 0) };
}

/** The program that asks, as it says itself, else the name that Beckon knows. */
function toAgentName(interaction: Interaction): string {
  const asker = toAsker(interaction);
  return toPlace(interaction).agent ?? asker.claim ?? asker.name;
}

/** One choice of a filter, and how many requests it would show. */
interface Facet<Value extends string = string> {
  value: Value;
  count: number;
}

/** What can be chosen, the most frequent first. */
export interface Facets {
  kinds: Facet<Kind>[];
  projects: Facet[];
  agents: Facet[];
  deadlines: number;
}

export function countFacets(projects: readonly PendingProject[]): Facets {
  const entries = projects.flatMap(({ sessions }) => sessions.flatMap((session) => session.entries));
  const items = entries.map(({ interaction }) => interaction);
  return {
    kinds: count(items.map(({ kind }) => kind)),
    projects: count(projects.flatMap(({ name, count: of }) => Array.from({ length: of }, () => name))),
    agents: count(items.map(toAgentName)),
    deadlines: items.filter(({ expiresAt }) => expiresAt !== undefined).length,
  };
}

function passes(
  interaction: Interaction,
  project: PendingProject,
  { kinds, agents, hasDeadline }: PendingFilter,
  words: readonly string[],
): boolean {
  if (kinds.size > 0 && !kinds.has(interaction.kind)) return false;
  if (hasDeadline && interaction.expiresAt === undefined) return false;
  if (agents.size > 0 && !agents.has(toAgentName(interaction))) return false;
  if (words.length === 0) return true;
  const text = toSearchText(interaction, project);
  return words.every((word) => text.includes(word));
}

function toSearchText(interaction: Interaction, project: PendingProject): string {
  const tool = interaction.kind === 'approval' ? interaction.request.tool : '';
  const { server = '', tool: name } = toToolName(tool);
  const { title = '' } = toPlace(interaction);
  return [toHeadline(interaction), project.name, project.branch, title, tool, server, name].join('\n').toLowerCase();
}

function count<Value extends string>(values: readonly Value[]): Facet<Value>[] {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].map(([value, of]) => ({ value, count: of })).sort((a, b) => b.count - a.count);
}
