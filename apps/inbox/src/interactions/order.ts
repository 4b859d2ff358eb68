import type { Interaction } from 'beckon/protocol';

/** How the pending list is sorted: newest first, or least time left first. */
export const ORDERS = ['newest', 'urgent'] as const;
export type Order = (typeof ORDERS)[number];

type Ordered = Pick<Interaction, 'id' | 'createdAt' | 'expiresAt'>;

/** Sorts a copy. Instants are ISO 8601 in UTC, so they compare as text. */
export function sortInteractions<Item extends Ordered>(items: Iterable<Item>, order: Order): Item[] {
  return [...items].sort(order === 'newest' ? byNewest : byUrgent);
}

/**
 * The item after `id`, or the one before it at the end of the list; `null` if there is no other. `place` is where an
 * item that has left the list used to be.
 */
export function findNext<Item extends { id: string }>(items: readonly Item[], id: string, place = 0): Item | null {
  const index = items.findIndex((item) => item.id === id);
  if (index === -1) return items[place] ?? items.at(-1) ?? null;
  return items[index + 1] ?? items[index - 1] ?? null;
}

function byNewest(a: Ordered, b: Ordered): number {
  return compare(b.createdAt, a.createdAt) || compare(b.id, a.id);
}

// Requests without a deadline are least urgent. Among equals, the oldest comes first.
function byUrgent(a: Ordered, b: Ordered): number {
  if (a.expiresAt !== b.expiresAt) {
    if (a.expiresAt === undefined) return 1;
    if (b.expiresAt === undefined) return -1;
    return compare(a.expiresAt, b.expiresAt);
  }
  return compare(a.createdAt, b.createdAt) || compare(a.id, b.id);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
