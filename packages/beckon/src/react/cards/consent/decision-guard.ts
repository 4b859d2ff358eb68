/** How long a request must be in sight before a press can decide it. */
const SEEN_MS = 500;
/** How long a place must rest after a press that was meant for the previous request. */
const QUIET_MS = 1500;
/** How long the new request must be in sight at that place, even if it came late. */
const STILL_MS = 1000;
/** How long a request must stand still before a pointer press counts. */
const MOVED_MS = 300;
/** Presses no further apart than this are at the same place, in CSS pixels. Fingers are less precise. */
const REACH_PX = { touch: 48, other: 24 } as const;

/** The place of a press: a point of the page, or a key. */
export type Place = { key: string } | { x: number; y: number; isTouch: boolean };

/** One press of a pointer or a key. Whether it may decide is settled when it begins. */
export interface Press {
  readonly sight: number;
  readonly refusal: Refusal | null;
  readonly place: Place;
  readonly begunAt: number;
  /** When the place was last touched: at the beginning, later at the release. */
  at: number;
  /** The press was meant for the previous request, or continues one that was. */
  readonly isEcho: boolean;
  isUsed: boolean;
}

/** Why a press decides nothing: the request had only just come into sight, or moved; or the press repeats the first. */
export type Refusal = 'early' | 'moved' | 'same';

/**
 * A press decides only what was in front of the person when it began. The guard knows which request is in sight and
 * since when, and judges every press by that. It has no clock and no listeners: callers pass all times, on one scale.
 */
export class DecisionGuard {
  #sight = { number: 0, ids: [] as readonly string[], since: Number.POSITIVE_INFINITY };
  #movedAt = Number.NEGATIVE_INFINITY;
  #last: Press | null = null;
  /** Whether the hand is still at the place of the last press. */
  #isStill = true;
  #pointer: { x: number; y: number } | null = null;
  readonly #held = new Set<Press>();
  /**
   * The first of two steps was taken: for which request, by which press, since when the second is painted, and what was
   * pressed since.
   */
  #first: { id: string; press: Press; since: number; hasOther: boolean } | null = null;

  /** The requests in sight. */
  get ids(): readonly string[] {
    return this.#sight.ids;
  }

  /** Changes with whatever is in sight. */
  get sight(): number {
    return this.#sight.number;
  }

  /**
   * Another request comes into sight, or the same one again. Nothing can be decided until it has been `seen` for a
   * moment. If several are in sight and one changes, all must be seen again: the others may have taken its place.
   */
  show(...ids: readonly string[]): void {
    this.#sight = { number: this.#sight.number + 1, ids, since: Number.POSITIVE_INFINITY };
    this.#first = null;
  }

  /** The request is painted from now on. */
  seen(at: number): void {
    this.#sight.since = Math.min(this.#sight.since, at);
  }

  /** The request has moved on the screen. */
  moved(at: number): void {
    this.#movedAt = at;
  }

  /**
   * A press begins, and is judged by what has been in front of the person until now. `isHeldOn` is for a repeating key
   * whose beginning nobody saw: it decides nothing.
   */
  begin(place: Place, at: number, isHeldOn = false): Press {
    const isEcho = this.#followsUp(place) && at < this.#quietAt();
    const press: Press = {
      sight: this.#sight.number,
      refusal: isHeldOn ? 'early' : this.#judge(place, at, isEcho),
      place,
      begunAt: at,
      at,
      isEcho,
      isUsed: false,
    };
    this.#last = press;
    this.#isStill = true;
    if (this.#first !== null && !isSame(this.#first.press.place, place)) this.#first.hasOther = true;
    if ('x' in place) this.#pointer = place;
    this.#held.add(press);
    return press;
  }

  release(press: Press, at: number): void {
    press.at = Math.max(press.at, at);
    this.#held.delete(press);
  }

  /** The window has lost the keyboard, so nothing reports releases any more. */
  releaseAll(at: number): void {
    for (const press of this.#held) this.release(press, at);
  }

  /** The pointer has moved. Somebody who leaves a place and comes back means what is there now. */
  drift(x: number, y: number): void {
    const from = this.#pointer ?? { x, y };
    this.#pointer = from;
    if (distance(from, { x, y }) <= REACH_PX.other) return;
    this.#isStill = false;
    this.#pointer = { x, y };
    if (this.#last !== null && 'x' in this.#last.place && !this.#last.place.isTouch) this.#last = null;
  }

  /** Why the press may not decide the request, or `null` if it may. A press decides once. */
  decide(id: string, press: Press): Refusal | null {
    if (press.sight !== this.#sight.number || !this.#sight.ids.includes(id) || press.isUsed) return 'early';
    press.isUsed = press.refusal === null;
    return press.refusal;
  }

  /**
   * The first of two steps. It decides nothing, and is judged as if it did. Afterwards only a press at another place
   * can `confirm`, until something else comes into sight or `withdraw` is called.
   */
  prepare(id: string, press: Press): Refusal | null {
    const refusal = this.decide(id, press);
    this.#first = refusal === null ? { id, press, since: Number.POSITIVE_INFINITY, hasOther: false } : this.#first;
    return refusal;
  }

  /** The second step is painted from now on. */
  offered(at: number): void {
    if (this.#first !== null) this.#first.since = Math.min(this.#first.since, at);
  }

  /** The first step is taken back. */
  withdraw(): void {
    this.#first = null;
  }

  /**
   * The second step: a press that began after it had been offered for a moment, somewhere else than the first. The same
   * key counts only after another one, which has moved the focus.
   */
  confirm(id: string, press: Press): Refusal | null {
    const first = this.#first;
    if (first?.id !== id || press.begunAt < first.since + SEEN_MS) return 'early';
    if (isRepeat(first, press)) return 'same';
    const refusal = this.decide(id, press);
    if (refusal === null) this.#first = null;
    return refusal;
  }

  /** From when on the second step can be confirmed. */
  confirmableAt(): number {
    return (this.#first?.since ?? Number.POSITIVE_INFINITY) + SEEN_MS;
  }

  /** Whether the request has been in sight long enough for a press to be meant for it. */
  isSeen(at: number): boolean {
    return at >= this.#sight.since + SEEN_MS;
  }

  /** Until when a repeated press would decide nothing, and the controls should look dimmed. */
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

  /** Whether a press there would repeat the last one, which was meant for another request. */
  #followsUp(place: Place): boolean {
    const last = this.#last;
    return last !== null && isSame(last.place, place) && (last.isEcho || last.sight !== this.#sight.number);
  }

  #quietAt(): number {
    return Math.max((this.#last?.at ?? 0) + QUIET_MS, this.#sight.since + STILL_MS);
  }
}

/** Whether a press repeats one before it, at the same place and too soon to be meant for something else. */
export function isHasty(before: Press, press: Press): boolean {
  return isSame(before.place, press.place) && press.begunAt < before.at + QUIET_MS;
}

// Assistive technology presses without a place, so of those only the time can tell.
function isRepeat(first: { press: Press; hasOther: boolean }, press: Press): boolean {
  if ('key' in press.place && press.place.key === '') return press.begunAt < first.press.at + QUIET_MS;
  if (!isSame(first.press.place, press.place)) return false;
  return 'x' in press.place || !first.hasOther;
}

function isSame(a: Place, b: Place): boolean {
  if ('key' in a || 'key' in b) return 'key' in a && 'key' in b && a.key === b.key;
  return distance(a, b) <= (a.isTouch || b.isTouch ? REACH_PX.touch : REACH_PX.other);
}

function distance(a: { x: number; y: number }, b: { x: number; y: number }): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
