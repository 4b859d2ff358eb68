import { DIGEST_LANE, type EntryWhat, type Plan, type PlannedEntry, type PlannerView } from '../core/notice-outbox.ts';
import type { LogEvent } from '../protocol/events.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { toDueAt, toLoudAt } from './due-time.ts';
import { createMatcher, needsInteraction, wants } from './match.ts';
import { toEventLane } from './notice-names.ts';

/** A person's destination has at most so many requests waiting one by one. What is more goes into a digest. */
const MOST_LANES = 50;
/** How long requests gather for a digest, and how long it is until the next. */
export const DIGEST_MS = 60_000;
/** A commit adds no more entries than this, unless a single event does. */
const MOST_ENTRIES = 2000;

/** The events that people are told of. */
const TELLING: Readonly<Record<string, EntryWhat>> = {
  'interaction.requested': 'asked',
  'interaction.reminded': 'reminded',
  'interaction.escalated': 'escalated',
};
const SETTLING = new Set([
  'interaction.answered',
  'interaction.expired',
  'interaction.cancelled',
  'interaction.superseded',
]);

/** The requests that deciding about these events needs. */
export function findNeeded(events: readonly LogEvent[], { destinations }: PlannerView): string[] {
  const isForAll = destinations.some(({ record }) => record.kind === 'webhook' && needsInteraction(record));
  const ids = events.flatMap((event) =>
    'interactionId' in event && (isForAll || TELLING[event.type] !== undefined) ? [event.interactionId] : [],
  );
  return [...new Set(ids)];
}

/** Decides who is to be told what of a part of the log, and when. */
export function planEvents(
  events: readonly LogEvent[],
  view: PlannerView,
  { interactions, at }: { interactions: ReadonlyMap<string, Interaction>; at: number },
): Pick<Plan, 'upTo' | 'entries' | 'settled'> {
  const matcher = createMatcher(view);
  const lanes = new Map(view.lanes);
  const entries: PlannedEntry[] = [];
  const settled: { seq: number; interactionId: string }[] = [];
  let upTo = view.plannedTo;
  for (const event of events) {
    if (entries.length >= MOST_ENTRIES) break;
    upTo = event.seq;
    const interaction = 'interactionId' in event ? interactions.get(event.interactionId) : undefined;
    const named = event.type === 'interaction.escalated' ? matcher.findNamed(event) : [];
    const webhooks = [...matcher.findWebhooks(event, interaction), ...named.filter(({ kind }) => kind === 'webhook')];
    for (const id of new Set(webhooks.map((webhook) => webhook.id))) {
      entries.push({ seq: event.seq, destination: id, lane: toEventLane(event), what: 'event', dueAt: at });
    }
    if (SETTLING.has(event.type) && 'interactionId' in event) {
      settled.push({ seq: event.seq, interactionId: event.interactionId });
    }
    const what = TELLING[event.type];
    // What a rule decided, or somebody answered by now, needs no notice.
    if (what === undefined || interaction?.status !== 'pending') continue;
    const people =
      what === 'escalated'
        ? named.filter(({ kind }) => kind !== 'webhook')
        : matcher.findPeople(event.seq, interaction);
    for (const record of people) {
      const { id, when } = record;
      const dueAt = toDueAt(interaction, when, { whats: [what], at });
      if (dueAt === null) continue;
      const waiting = lanes.get(id) ?? 0;
      lanes.set(id, waiting + 1);
      // A digest counts only what its destination wants to hear of.
      const isTooMany = waiting >= MOST_LANES && wants(record, interaction);
      entries.push({
        seq: event.seq,
        destination: id,
        lane: isTooMany ? DIGEST_LANE : interaction.id,
        what: isTooMany ? 'digest' : what,
        dueAt: isTooMany ? toLoudAt(Math.max(dueAt, at + DIGEST_MS), when) : dueAt,
      });
    }
  }
  return { upTo, entries: withOneDigest(entries), settled };
}

/** Of the digests to one destination, the one that is due first. */
function withOneDigest(entries: readonly PlannedEntry[]): PlannedEntry[] {
  const digests = new Map<string, PlannedEntry>();
  for (const entry of entries) {
    if (entry.lane !== DIGEST_LANE) continue;
    const other = digests.get(entry.destination);
    if (other === undefined || entry.dueAt < other.dueAt) digests.set(entry.destination, entry);
  }
  return entries.filter((entry) => entry.lane !== DIGEST_LANE || digests.get(entry.destination) === entry);
}
