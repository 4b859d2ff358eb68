import type { PendingEntry, PendingProject, PendingSession } from 'beckon/presentation';
import type { Interaction } from 'beckon/protocol';

/**
 * One line of the list: a heading, or a request. Keys are unique and stay the same while the line exists. `isForeign`:
 * somebody else asks than the one whom the heading of the project names.
 */
export type Line =
  | { type: 'project'; key: string; project: PendingProject; isFolded: boolean }
  | { type: 'session'; key: string; session: PendingSession; title: string | undefined; isFolded: boolean }
  | { type: 'entry'; key: string; entry: PendingEntry; place: number; isForeign: boolean };

/** A request in the list, and the headings above it. */
export interface Placed {
  entry: PendingEntry;
  project: string;
  session: string;
}

/** The lines of the list, without what is folded away. `place` counts the visible requests from 0. */
export function toLines(projects: readonly PendingProject[], folded: ReadonlySet<string>): Line[] {
  const lines: Line[] = [];
  let place = 0;
  for (const project of projects) {
    const isFolded = folded.has(project.key);
    const first = toFirst(project);
    lines.push({ type: 'project', key: project.key, project, isFolded });
    if (isFolded) continue;
    for (const session of project.sessions) {
      const isShut = hasHeading(session, project) && folded.has(session.key);
      if (hasHeading(session, project)) {
        lines.push({ type: 'session', key: session.key, session, title: session.title, isFolded: isShut });
      }
      if (isShut) continue;
      for (const entry of session.entries) {
        const isForeign = entry.interaction.askedBy !== first?.askedBy;
        lines.push({ type: 'entry', key: entry.interaction.id, entry, place, isForeign });
        place += 1;
      }
    }
  }
  return lines;
}

/** The requests among the lines, each with its headings, in their order. */
export function toPlaced(projects: readonly PendingProject[], folded: ReadonlySet<string>): Placed[] {
  return projects
    .filter(({ key }) => !folded.has(key))
    .flatMap((project) =>
      project.sessions
        .filter((session) => !(hasHeading(session, project) && folded.has(session.key)))
        .flatMap((session) => session.entries.map((entry) => ({ entry, project: project.key, session: session.key }))),
    );
}

/** The request of a project's first session that has waited longest. It may stand below riskier ones. */
export function toFirst({ sessions }: PendingProject): Interaction | undefined {
  const [first, ...others] = sessions[0]?.entries.map(({ interaction }) => interaction) ?? [];
  return others.reduce((oldest, one) => (oldest !== undefined && isOlder(one, oldest) ? one : oldest), first);
}

function isOlder(one: Interaction, other: Interaction): boolean {
  return one.createdAt === other.createdAt ? one.id < other.id : one.createdAt < other.createdAt;
}

// A heading over all that a project has would say nothing, unless it has a name.
function hasHeading(session: PendingSession, project: PendingProject): boolean {
  return session.title !== undefined || project.sessions.length > 1;
}

/** Where each line begins, and last where the list ends. */
export function toTops(lines: readonly Line[], heights: Readonly<Record<Line['type'], number>>): number[] {
  const tops = [0];
  for (const { type } of lines) tops.push(Number(tops.at(-1)) + heights[type]);
  return tops;
}

/**
 * How far the first visible line has moved between two lists. If it is gone, the next remaining line counts; if there
 * is none, nothing has moved.
 */
export function findShift(
  before: { lines: readonly Line[]; tops: readonly number[] },
  after: { lines: readonly Line[]; tops: readonly number[] },
  scrollTop: number,
): number {
  const places = new Map(after.lines.map(({ key }, index) => [key, index]));
  // The first line whose end is below the upper edge.
  const first = Math.max(0, before.tops.findIndex((top) => top > scrollTop) - 1);
  for (let at = first; at < before.lines.length; at += 1) {
    const place = places.get(before.lines[at]?.key ?? '');
    // Lines that disappeared before this one close the gap upwards.
    if (place !== undefined) return Number(after.tops[place]) - Number(before.tops[first]);
  }
  return 0;
}
