import type { Interaction } from '../protocol/interaction.ts';
import { RISK_LEVELS, type RiskLevel } from '../protocol/risk.ts';
import { toCallKey } from '../protocol/steps.ts';
import { toStep } from './names.ts';
import { type RequestPlace, toPlace } from './place.ts';
import { toAsker } from './who.ts';

/** One row of the list: a request, or the open questions of one call, of which `interaction` is the first. */
export interface PendingEntry {
  interaction: Interaction;
  /** The open requests of the same call in their order; only itself if it stands alone. */
  steps: Interaction[];
}

/** The requests of one session. Those without a session are together. */
export interface PendingSession {
  key: string;
  sessionId?: string;
  /** Ready to be shown; absent if nothing is known. */
  title?: string;
  entries: PendingEntry[];
}

/** The requests of one project and branch. Without a project, those of one asker are together. */
export interface PendingProject {
  key: string;
  /** The project, or the asker. Ready to be shown. */
  name: string;
  branch?: string;
  /** How many requests there are; the questions of one call count once. */
  count: number;
  sessions: PendingSession[];
}

/** What else `groupPending` may know. */
interface Known {
  /** The titles that people gave to sessions, ready to be shown. */
  titles?: ReadonlyMap<string, string> | undefined;
  /** How much care a request needs. */
  riskOf?: ((interaction: Interaction) => RiskLevel) | undefined;
}

/**
 * The order in which every surface lists what is pending: projects and branches, in them sessions, each by what has
 * waited longest; in them requests, the gravest risk first and then what has waited longest.
 */
export function groupPending(items: Iterable<Interaction>, { titles, riskOf }: Known = {}): PendingProject[] {
  const projects = new Map<string, PendingProject>();
  const sessions = new Map<string, PendingSession>();
  // Thousands of requests come from few places, and making a name visible takes time.
  const places = new Map<string, RequestPlace>();
  for (const entry of toPendingEntries(items)) {
    const { interaction } = entry;
    const { context } = interaction;
    const raw = JSON.stringify([context?.project, context?.branch, context?.title]);
    const place = getOrAdd(places, raw, () => toPlace(interaction));
    const project = getOrAdd(projects, toProjectKey(interaction, place), (key) => ({
      key,
      name: place.project ?? toAsker(interaction).name,
      ...(place.branch !== undefined && { branch: place.branch }),
      count: 0,
      sessions: [],
    }));
    project.count += 1;
    const { sessionId } = interaction;
    const session = getOrAdd(sessions, JSON.stringify([project.key, sessionId ?? null]), (key) => {
      const title = (sessionId === undefined ? undefined : titles?.get(sessionId)) ?? place.title;
      const added: PendingSession = {
        key,
        ...(sessionId !== undefined && { sessionId }),
        ...(title !== undefined && { title }),
        entries: [],
      };
      project.sessions.push(added);
      return added;
    });
    session.entries.push(entry);
  }
  if (riskOf !== undefined)
    for (const session of sessions.values()) session.entries = toRiskFirst(session.entries, riskOf);
  return [...projects.values()];
}

// Three passes instead of a sort: each request is assessed once, and the order within a level stays.
function toRiskFirst(
  entries: readonly PendingEntry[],
  riskOf: (interaction: Interaction) => RiskLevel,
): PendingEntry[] {
  const levels = entries.map(({ interaction }) => riskOf(interaction));
  return RISK_LEVELS.toReversed().flatMap((level) => entries.filter((_, index) => levels[index] === level));
}

/** The rows of a list in order: `groupPending` without its headings. */
export function toEntriesInOrder(projects: readonly PendingProject[]): PendingEntry[] {
  return projects.flatMap(({ sessions }) => sessions.flatMap(({ entries }) => entries));
}

/** The rows without a grouping by project: what has waited longest comes first. */
export function toPendingEntries(items: Iterable<Interaction>): PendingEntry[] {
  const entries = new Map<string, PendingEntry>();
  for (const interaction of [...items].sort(compare)) {
    getOrAdd(entries, toEntryKey(interaction), () => ({ interaction, steps: [] })).steps.push(interaction);
  }
  return [...entries.values()];
}

/** Names the row of a request: its id, or the same for all questions of one call. */
export function toEntryKey(interaction: Interaction): string {
  return (toStep(interaction) === null ? null : toCallKey(interaction)) ?? interaction.id;
}

// Requests of one commit have the same time, so their step decides, and then their id, which rises with time.
function compare(one: Interaction, other: Interaction): number {
  if (one.createdAt !== other.createdAt) return one.createdAt < other.createdAt ? -1 : 1;
  const steps = (toStep(one)?.step ?? 0) - (toStep(other)?.step ?? 0);
  if (steps !== 0 && one.groupId === other.groupId) return steps;
  return one.id < other.id ? -1 : 1;
}

// Two askers without a project may have the name of one: what Beckon knows and what an agent claims must not mix.
function toProjectKey(interaction: Interaction, { project, branch }: RequestPlace): string {
  return project === undefined
    ? JSON.stringify(['asker', toAsker(interaction).name])
    : JSON.stringify(['project', project, branch ?? null]);
}

function getOrAdd<Value>(map: Map<string, Value>, key: string, create: (key: string) => Value): Value {
  const found = map.get(key);
  if (found !== undefined) return found;
  const created = create(key);
  map.set(key, created);
  return created;
}
