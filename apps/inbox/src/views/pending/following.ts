import type { Placed } from './lines.ts';

/**
 * The request to open after `id`: the next of its session, else of its project, else of the list; at the end of each,
 * its first. `from` is where it was, if it has left the list. `null` if there is no other.
 */
export function findFollowing(
  placed: readonly Placed[],
  id: string,
  from: { index: number; session: string; project: string } | null,
): string | null {
  const own = placed.find(({ entry }) => entry.steps.some((step) => step.id === id));
  const at = own === undefined ? (from?.index ?? 0) : placed.indexOf(own);
  const home = own ?? from;
  const others = placed.map((one, index) => ({ one, index })).filter(({ one }) => one !== own);
  const nearest = (candidates: typeof others): string | undefined =>
    (candidates.find(({ index }) => index >= at) ?? candidates[0])?.one.entry.interaction.id;
  return (
    nearest(others.filter(({ one }) => one.session === home?.session)) ??
    nearest(others.filter(({ one }) => one.project === home?.project)) ??
    nearest(others) ??
    null
  );
}
