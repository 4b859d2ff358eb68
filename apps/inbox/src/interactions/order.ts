import type { Interaction } from 'beckon/protocol';

/** How the pending list is sorted: the newest first, or the one with the least time left. */
export const ORDERS = ['newest', 'urgent'] as const;
export type Order = (typeof ORDERS)[number];

type Ordered = Pick<Interaction, 'id' | 'createdAt' | 'expiresAt'>;

/** Sorts without changing what it was given. Instants are ISO 8601 in UTC, so they compare as text. */
export function sortInteractions<Item extends Ordered>(items: Iterable<Item>, order: Order): Item[] {
  return [...items].sort(order === 'newest' ? byNewest : byUrgent);
}

/**
 * The item after `id` in the list; at its end the one before. `place` is where it was, for one that has left the list: whoever works
 * through it goes on from there. `null` where there is no other.
 */
export function findNext<Item extends { id: string }>(items: readonly Item[], id: string, place = 0): Item | null {
  const index = items.findIndex((item) => item.id === id);
  if (index === -1) return items[place] ?? items.at(-1) ?? null;
  return items[index + 1] ?? items[index - 1] ?? null;
}

function byNewest(a: Ordered, b: Ordered): number {
  return compare(b.createdAt, a.createdAt) || compare(b.id, a.id);
}

// What waits for ever is least urgent. Among equals, who has waited longest comes first.
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
