import {
  type PendingEntry,
  type PendingProject,
  type PendingSession,
  RISK_NAMES,
  toAsker,
  toHeadline,
  toPlace,
  toToolName,
} from 'beckon/presentation';
import type { Interaction, Kind, RiskLevel } from 'beckon/protocol';

/** What the person wants to see of the list. Empty sets and texts hide nothing. */
export interface PendingFilter {
  text: string;
  kinds: ReadonlySet<Kind>;
  risks: ReadonlySet<RiskLevel>;
  projects: ReadonlySet<string>;
  agents: ReadonlySet<string>;
  hasDeadline: boolean;
}

export const NO_FILTER: PendingFilter = {
  text: '',
  kinds: new Set(),
  risks: new Set(),
  projects: new Set(),
  agents: new Set(),
  hasDeadline: false,
};

/** Whether anything is hidden by the filter. */
export function isFiltering({ text, kinds, risks, projects, agents, hasDeadline }: PendingFilter): boolean {
  return text.trim() !== '' || kinds.size + risks.size + projects.size + agents.size > 0 || hasDeadline;
}

/** The levels of the approvals that are assessed, by their id. */
export type Levels = ReadonlyMap<string, RiskLevel>;

/** The projects with only what passes the filter. A call with several questions passes as a whole. */
export function filterProjects(
  projects: readonly PendingProject[],
  filter: PendingFilter,
  levels: Levels = new Map(),
): PendingProject[] {
  if (!isFiltering(filter)) return [...projects];
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  return projects
    .filter(({ name }) => filter.projects.size === 0 || filter.projects.has(name))
    .map((project) =>
      keepEntries(project, ({ steps }, session) =>
        steps.some((step) => passes(step, filter, levels) && hasWords(step, project, session, words, levels)),
      ),
    )
    .filter(({ count }) => count > 0);
}

/** The projects without what `isKept` refuses. */
export function keepEntries(
  project: PendingProject,
  isKept: (entry: PendingEntry, session: PendingSession) => boolean,
): PendingProject {
  const sessions = project.sessions
    .map((session) => ({ ...session, entries: session.entries.filter((entry) => isKept(entry, session)) }))
    .filter(({ entries }) => entries.length > 0);
  return { ...project, sessions, count: sessions.reduce((sum, { entries }) => sum + entries.length, 0) };
}

/** The program that asks, as it says itself, else the name that Beckon knows. */
export function toAgentName(interaction: Interaction): string {
  const asker = toAsker(interaction);
  return toPlace(interaction).agent ?? asker.claim ?? asker.name;
}

function passes(
  interaction: Interaction,
  { kinds, risks, agents, hasDeadline }: PendingFilter,
  levels: Levels,
): boolean {
  const level = levels.get(interaction.id);
  if (risks.size > 0 && (level === undefined || !risks.has(level))) return false;
  if (kinds.size > 0 && !kinds.has(interaction.kind)) return false;
  if (hasDeadline && interaction.expiresAt === undefined) return false;
  return agents.size === 0 || agents.has(toAgentName(interaction));
}

function hasWords(
  interaction: Interaction,
  project: PendingProject,
  session: PendingSession,
  words: readonly string[],
  levels: Levels,
): boolean {
  if (words.length === 0) return true;
  const level = levels.get(interaction.id);
  const tool = interaction.kind === 'approval' ? interaction.request.tool : '';
  const { server, tool: name } = toToolName(tool);
  const parts = [
    toHeadline(interaction),
    project.name,
    project.branch,
    session.title,
    tool,
    server,
    name,
    level && RISK_NAMES[level],
  ];
  const text = parts.join('\n').toLowerCase();
  return words.every((word) => text.includes(word));
}
