import type { PendingProject } from 'beckon/presentation';

/**
 * Projects and sessions in the order in which they were first seen, as long as they are there. Their own order is by
 * what waits longest, so without this a group would jump away as soon as its oldest request is decided.
 */
export class StableOrder {
  #places = new Map<string, number>();

  /** The same projects and sessions; those that were not there the last time come last. */
  arrange(projects: readonly PendingProject[]): PendingProject[] {
    const keys = projects.flatMap(({ key, sessions }) => [key, ...sessions.map((session) => session.key)]);
    const known = keys.filter((key) => this.#places.has(key)).sort((a, b) => this.#placeOf(a) - this.#placeOf(b));
    const added = keys.filter((key) => !this.#places.has(key));
    this.#places = new Map([...known, ...added].map((key, place) => [key, place]));
    const compare = (a: { key: string }, b: { key: string }): number => this.#placeOf(a.key) - this.#placeOf(b.key);
    return projects.map((project) => ({ ...project, sessions: project.sessions.toSorted(compare) })).toSorted(compare);
  }

  #placeOf(key: string): number {
    return this.#places.get(key) ?? Number.POSITIVE_INFINITY;
  }
}
