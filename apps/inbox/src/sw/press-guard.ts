/** How long everything on the screen must rest before a button can decide. */
const REST_MS = 1000;

/**
 * Keeps presses apart from what they were not meant for. Whenever a notification comes, goes or is pressed, the others
 * move: a second press, or one that had begun, may then land on a button that its person never looked at. A button
 * decides only after everything has rested for a moment. It has no clock: callers pass times.
 */
export class PressGuard {
  #changedAt = Number.NEGATIVE_INFINITY;

  /** Something on the screen has changed. */
  changed(at: number): void {
    this.#changedAt = Math.max(this.#changedAt, at);
  }

  /**
   * Whether a press may decide. It counts as a change for the next one. `shownAt` are the times at which the
   * notifications on the screen were shown; an earlier worker may have shown them.
   */
  press(at: number, shownAt: readonly number[]): boolean {
    const restsSince = Math.max(this.#changedAt, ...shownAt);
    this.changed(at);
    // A clock that was set back says nothing about the time between.
    return at - restsSince >= REST_MS;
  }
}
