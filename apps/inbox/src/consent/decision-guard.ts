/** How long a view must have been in sight before a press on it can decide. */
const SEEN_MS = 500;
/** How long a place must have been left alone where the press before was meant for what stood there earlier. */
const QUIET_MS = 1500;
/** How long the view must have been in sight there, even if it came late. */
const STILL_MS = 1000;
/** How long a view must not have moved for a press by pointer to be meant for what is under it. */
const MOVED_MS = 300;
/** Presses no further apart than this are at the same place, in CSS pixels. Fingers are less exact. */
const REACH_PX = { touch: 48, other: 24 } as const;

/** Where a press is: a point of the page, or a key. */
export type Place = { key: string } | { x: number; y: number; isTouch: boolean };

/** One press of a pointer or a key, from its beginning. Whether it may decide is known then, and does not change any more. */
export interface Press {
  readonly sight: number;
  readonly refusal: Refusal | null;
  /** Where it began. */
  readonly place: Place;
  /** When the place was last touched: the beginning until it is released, then the release. */
  at: number;
  /** It is, or goes on from, a press that was meant for what stood there before. */
  readonly isEcho: boolean;
  isUsed: boolean;
}

/** Why a press decides nothing: the request had just come into sight, or had just moved. */
export type Refusal = 'early' | 'moved';

/**
 * A press decides only what was in front of the person when it began. This knows which interaction is in sight and since when, and
 * judges every press by that. It has no clock and listens to nothing itself: all times are given, on one scale.
 */
export class DecisionGuard {
  #sight = { number: 0, id: null as string | null, since: Number.POSITIVE_INFINITY };
  #movedAt = Number.NEGATIVE_INFINITY;
  #last: Press | null = null;
  /** Whether the hand has not left the place of the last press. */
  #isStill = true;
  #pointer: { x: number; y: number } | null = null;
  readonly #held = new Set<Press>();

  /** Which interaction is in sight; `null` where none is. */
  get id(): string | null {
    return this.#sight.id;
  }

  /** A number that changes with what is in sight. */
  get sight(): number {
    return this.#sight.number;
  }

  /** Something else comes into sight, or the same comes back. Nothing can be decided before it has been `seen` for a moment. */
  show(id: string | null): void {
    this.#sight = { number: this.#sight.number + 1, id, since: Number.POSITIVE_INFINITY };
  }

  /** What is shown is painted from now on. */
  seen(at: number): void {
    this.#sight.since = Math.min(this.#sight.since, at);
  }

  /** What is in sight has another place on the screen. */
  moved(at: number): void {
    this.#movedAt = at;
  }

  /**
   * A press begins. What it may decide is judged here, by what has been in front of the person until now. `isHeldOn` is for a key that
   * repeats and whose beginning nobody saw: it decides nothing.
   */
  begin(place: Place, at: number, isHeldOn = false): Press {
    const isEcho = this.#followsUp(place) && at < this.#quietAt();
    const press: Press = {
      sight: this.#sight.number,
      refusal: isHeldOn ? 'early' : this.#judge(place, at, isEcho),
      place,
      at,
      isEcho,
      isUsed: false,
    };
    this.#last = press;
    this.#isStill = true;
    if ('x' in place) this.#pointer = place;
    this.#held.add(press);
    return press;
  }

  release(press: Press, at: number): void {
    press.at = Math.max(press.at, at);
    this.#held.delete(press);
  }

  /** Nobody will say any more that what is held was released: the window has lost the keyboard. */
  releaseAll(at: number): void {
    for (const press of this.#held) this.release(press, at);
  }

  /** The pointer is somewhere else. Whoever goes away from a place and comes back means what stands there. */
  drift(x: number, y: number): void {
    const from = this.#pointer ?? { x, y };
    this.#pointer = from;
    if (distance(from, { x, y }) <= REACH_PX.other) return;
    this.#isStill = false;
    this.#pointer = { x, y };
    if (this.#last !== null && 'x' in this.#last.place && !this.#last.place.isTouch) this.#last = null;
  }

  /** Whether the press may decide the interaction: `null` where it does. A press decides once. */
  decide(id: string, press: Press): Refusal | null {
    if (press.sight !== this.#sight.number || this.#sight.id !== id || press.isUsed) return 'early';
    press.isUsed = press.refusal === null;
    return press.refusal;
  }

  /** Whether what is in sight has been there long enough to be what a press is meant for. */
  isSeen(at: number): boolean {
    return at >= this.#sight.since + SEEN_MS;
  }

  /** Until when the same press again would decide nothing, and the controls should look so. */
  inertUntil(): number {
    const seenAt = Math.max(this.#sight.since + SEEN_MS, this.#movedAt + MOVED_MS);
    const { place } = this.#last ?? {};
    return this.#isStill && place !== undefined && this.#followsUp(place) ? Math.max(seenAt, this.#quietAt()) : seenAt;
  }

  #judge(place: Place, at: number, isEcho: boolean): Refusal | null {
    const isHeld = [...this.#held].some(({ sight }) => sight !== this.#sight.number);
    if (isEcho || isHeld || !this.isSeen(at)) return 'early';
    return 'x' in place && at < this.#movedAt + MOVED_MS ? 'moved' : null;
  }

  /** Whether a press there would be where the last one was, and that one was meant for another view. */
  #followsUp(place: Place): boolean {
    const last = this.#last;
    return last !== null && isSame(last.place, place) && (last.isEcho || last.sight !== this.#sight.number);
  }

  #quietAt(): number {
    return Math.max((this.#last?.at ?? 0) + QUIET_MS, this.#sight.since + STILL_MS);
  }
}

function isSame(a: Place, b: Place): boolean {
  if ('key' in a || 'key' in b) return 'key' in a && 'key' in b && a.key === b.key;
  return distance(a, b) <= (a.isTouch || b.isTouch ? REACH_PX.touch : REACH_PX.other);
}

function distance(a: { x: number; y: number }, b: { x: number; y: number }): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
