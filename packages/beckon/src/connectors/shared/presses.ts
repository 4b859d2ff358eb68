import type { BaseDelivery, Person } from './delivery-book.ts';

/** Knows what each person pressed last, to tell a second tap from a decision. */
export class Presses {
  readonly #momentMs: number;
  readonly #last = new Map<Person, { key: string; at: number }>();

  constructor(momentMs: number) {
    this.#momentMs = momentMs;
  }

  /**
   * Whether the press may be a double tap meant for another message, or may have hit a message that had just appeared.
   * `at` is when it was pressed, by the clock of the delivery's `shownAt`. Presses may arrive in another order.
   */
  isTooSoon({ key, shownAt }: BaseDelivery, person: Person, at: number): boolean {
    if (this.#momentMs === 0) return false;
    const last = this.#last.get(person);
    this.#last.set(person, { key, at });
    if (last !== undefined && last.key !== key && Math.abs(at - last.at) < this.#momentMs) return true;
    return shownAt !== undefined && at - shownAt < this.#momentMs;
  }
}
