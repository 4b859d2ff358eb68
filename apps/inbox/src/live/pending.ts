import type { Interaction, LogEvent } from 'beckon/protocol';

/** What is pending, as far as it has arrived. */
export interface Pending {
  readonly items: ReadonlyMap<string, Interaction>;
  /** Whether every page has arrived. */
  readonly isComplete: boolean;
}

/** Before the first page. */
export const NO_PENDING: Pending = { items: new Map(), isComplete: false };

/** What is to be done about a number of events, taken together. */
export interface Changes {
  /** Interactions to read again: they are new, or have changed. */
  wanted: Set<string>;
  settled: Set<string>;
  /** Interactions and sessions whose log has grown. */
  logged: Set<string>;
  sessions: Set<string>;
}

/** Nothing to do. */
export function noChanges(): Changes {
  return { wanted: new Set(), settled: new Set(), logged: new Set(), sessions: new Set() };
}

/** Adds one event to what is to be done. An interaction settles once, so what settled is not wanted any more. */
export function addEvent(changes: Changes, event: LogEvent): void {
  if (event.sessionId !== undefined) changes.sessions.add(event.sessionId);
  if (!('interactionId' in event)) return;
  const id = event.interactionId;
  changes.logged.add(id);
  switch (event.type) {
    case 'interaction.requested':
    case 'interaction.feedback_requested':
      if (!changes.settled.has(id)) changes.wanted.add(id);
      break;
    case 'interaction.answered':
    case 'interaction.expired':
    case 'interaction.cancelled':
    case 'interaction.superseded':
      changes.settled.add(id);
      changes.wanted.delete(id);
      break;
    default:
      break;
  }
}

/** The list with what arrived, without what settled. Gives the same list where nothing changes. */
export function changePending(
  pending: Pending,
  { add = [], remove = new Set() }: { add?: readonly Interaction[]; remove?: ReadonlySet<string> },
): Pending {
  const added = add.filter(({ status }) => status === 'pending');
  const gone = [...remove, ...add.filter(({ status }) => status !== 'pending').map(({ id }) => id)];
  if (added.length === 0 && !gone.some((id) => pending.items.has(id))) return pending;
  const items = new Map(pending.items);
  for (const interaction of added) if (!remove.has(interaction.id)) items.set(interaction.id, interaction);
  for (const id of gone) items.delete(id);
  return { ...pending, items };
}
