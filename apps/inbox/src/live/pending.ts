import type { Interaction, LogEvent } from 'beckon/protocol';

/** The pending requests that have arrived so far. */
export interface Pending {
  readonly items: ReadonlyMap<string, Interaction>;
  /** Whether every page has arrived. */
  readonly isComplete: boolean;
}

/** Before the first page. */
export const NO_PENDING: Pending = { items: new Map(), isComplete: false };

/** What a batch of events changes. */
export interface Changes {
  /** New or changed requests, to be read. */
  wanted: Set<string>;
  settled: Set<string>;
  /** Requests and sessions with new log entries. */
  logged: Set<string>;
  sessions: Set<string>;
  /** Somebody gave a session another title. */
  isRenamed: boolean;
  /** A rule was made, changed, stopped or removed, or it decided or watched something. */
  isRuled: boolean;
}

export function noChanges(): Changes {
  return {
    wanted: new Set(),
    settled: new Set(),
    logged: new Set(),
    sessions: new Set(),
    isRenamed: false,
    isRuled: false,
  };
}

/** Adds one event to a batch. A request settles once, so a settled one need not be read. */
export function addEvent(changes: Changes, event: LogEvent): void {
  if ('sessionId' in event && event.sessionId !== undefined) changes.sessions.add(event.sessionId);
  if (event.type === 'session.renamed') changes.isRenamed = true;
  if (isAboutRule(event)) changes.isRuled = true;
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

function isAboutRule(event: LogEvent): boolean {
  if (event.type === 'interaction.answered') return event.by.kind === 'rule';
  return event.type === 'interaction.watched' || event.type.startsWith('rule.');
}

/** The list with new requests and without settled ones; the same object if nothing changes. */
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
