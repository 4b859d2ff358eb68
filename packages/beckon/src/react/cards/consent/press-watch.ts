import { Store } from '../state/store.ts';
import { DecisionGuard, isHasty, type Press, type Refusal } from './decision-guard.ts';

/** A page without a heartbeat for this long was asleep. */
const ASLEEP_MS = 3000;
const BEAT_MS = 1000;
/** How long after its last event a press may still be the cause of what happens. */
const STALE_MS = 1000;
/** A held key repeats. Without a repeat for this long, it was released unnoticed. */
const REPEAT_MS = 2000;
/** Space clicks during its keyup event. */
const CLICK_MS = 50;
/** How long the second of two steps is offered. */
const OFFER_MS = 10_000;
const MODIFIERS = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock', 'Fn']);

/** The second of two steps, which is offered for a request. */
export interface Offer {
  id: string;
  /** Whether it has been seen for a moment, so a press can count. */
  isReady: boolean;
}

/**
 * Tells the guard what happens in this page: every press in the capture phase, before anything can react to it, and
 * every way in which a request can come back into sight.
 */
export class PressWatch {
  /** Whether a press would decide nothing right now. */
  readonly isInert = new Store(false);
  /** What the first of two steps has offered; `null` before it, and once it is over. */
  readonly offer = new Store<Offer | null>(null);
  readonly #guard = new DecisionGuard();
  readonly #pointers = new Map<number, Press>();
  readonly #keys = new Map<string, Press>();
  /** The press behind the current event, and when it was noticed. */
  #cause: { press: Press; at: number } | null = null;
  #lastKey: { press: Press; at: number } | null = null;
  /** In which card each press began, and whether it only repeats one that began elsewhere. */
  readonly #origins = new WeakMap<Press, { card: string | null; isRepeat: boolean }>();
  #lastOrigin: { press: Press; card: string | null } | null = null;
  #inertTimer: ReturnType<typeof setTimeout> | undefined;
  #offerTimers: ReturnType<typeof setTimeout>[] = [];
  #beat: ReturnType<typeof setInterval> | undefined;
  #beatAt = 0;
  /** How many parts of the request are still loading. */
  #awaited = 0;
  /** What can be decided on the page, and what lies over it; only the uppermost is in sight. */
  readonly #page: { id: string; card: Element | null }[] = [];
  readonly #over: { id: string }[] = [];
  #isStarted = false;

  /** Begins to listen, before anything can be pressed. Further calls do nothing. */
  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    const early = { capture: true, passive: true };
    addEventListener('pointerdown', (event) => this.#onPointerDown(event), early);
    addEventListener('pointermove', (event) => this.#onPointerMove(event), early);
    addEventListener('pointerup', (event) => this.#onPointerUp(event), early);
    addEventListener('pointercancel', (event) => this.#onPointerCancel(event), early);
    addEventListener('click', (event) => this.#onClick(event), early);
    addEventListener('keydown', (event) => this.#onKeyDown(event), early);
    addEventListener('keyup', (event) => this.#onKeyUp(event), early);
    addEventListener('blur', () => {
      this.#guard.releaseAll(performance.now());
      this.withdraw();
    });
    document.addEventListener('visibilitychange', () => this.withdraw());
    for (const type of ['focus', 'pageshow', 'popstate']) addEventListener(type, () => this.#comeBack());
    for (const type of ['visibilitychange', 'resume']) document.addEventListener(type, () => this.#comeBack());
  }

  /**
   * A request that can be decided comes into sight, or has changed, until the returned function is called. With `card`,
   * a press decides it only if it began inside that element: what else is on the page is not known.
   */
  show(id: string, card: Element | null = null): () => void {
    const shown = { id, card };
    this.#page.push(shown);
    this.#showTop();
    return () => {
      this.#page.splice(this.#page.indexOf(shown), 1);
      this.#showTop();
    };
  }

  /**
   * Something that can be decided comes into sight over the page, such as a dialog, until the returned function is
   * called. What is below can be decided only afterwards, after it has been seen again.
   */
  showOver(id: string): () => void {
    const layer = { id };
    this.#over.push(layer);
    this.#showTop();
    return () => {
      this.#over.splice(this.#over.indexOf(layer), 1);
      this.#showTop();
    };
  }

  #showTop(): void {
    const over = this.#over.at(-1);
    this.#show(over === undefined ? this.#page.map(({ id }) => id) : [over.id]);
  }

  #show(ids: readonly string[]): void {
    this.#guard.show(...ids);
    this.withdraw();
    clearInterval(this.#beat);
    if (ids.length === 0) {
      this.#update();
      return;
    }
    this.#beatAt = Date.now();
    this.#beat = setInterval(() => this.#noticeSleep(), BEAT_MS);
    this.#update();
    // The first frame draws the request, and the second has it on the screen. A hidden tab has no frames.
    const { sight } = this.#guard;
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        if (this.#guard.sight !== sight || this.#awaited > 0) return;
        this.#guard.seen(performance.now());
        this.#update();
      }),
    );
  }

  /** The request was covered, or may have been, so it must be seen again. */
  showAgain(): void {
    this.#show(this.#guard.ids);
  }

  /** A part of the request is loading. Nothing can be decided until the returned function is called. */
  await(): () => void {
    this.#awaited += 1;
    this.showAgain();
    return () => {
      this.#awaited -= 1;
      this.showAgain();
    };
  }

  /** The request has moved. */
  moved(): void {
    this.#guard.moved(performance.now());
    this.#update();
  }

  /** What is in sight, or `null`: the id of a request, or the name that a view of several gave itself. */
  get sightId(): string | null {
    return this.#guard.ids.at(-1) ?? null;
  }

  /** Whether the request has been in sight long enough for a key to be meant for it. */
  get isSeen(): boolean {
    return this.#guard.isSeen(performance.now());
  }

  /** Whether a request is in sight that nobody can have seen yet. */
  get isUnseen(): boolean {
    return this.#guard.ids.length > 0 && !this.isSeen;
  }

  /** Why the current event may not decide the request, or `null` if it may. */
  decide(id: string): Refusal | null {
    const refusal = this.#judge(id, (press) => this.#guard.decide(id, press));
    this.#update();
    return refusal;
  }

  /**
   * The first of two steps for what needs more than one press. If it counts, the second is offered until it is
   * confirmed or withdrawn, the person looks away, or some seconds have passed.
   */
  prepare(id: string): Refusal | null {
    const refusal = this.#judge(id, (press) => this.#guard.prepare(id, press));
    this.#update();
    if (refusal !== null) return refusal;
    this.#setOffer({ id, isReady: false });
    this.#offerTimers.push(setTimeout(() => this.withdraw(), OFFER_MS));
    const { sight } = this.#guard;
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        if (this.#guard.sight !== sight || this.offer.get()?.id !== id) return;
        this.#guard.offered(performance.now());
        const wait = this.#guard.confirmableAt() - performance.now();
        this.#offerTimers.push(setTimeout(() => this.offer.set({ id, isReady: true }), wait));
      }),
    );
    return null;
  }

  /** The second step: why the current event may not decide the request, or `null` if it may. */
  confirm(id: string): Refusal | null {
    const refusal = this.#judge(id, (press) => this.#guard.confirm(id, press));
    this.#update();
    if (refusal === null) this.#setOffer(null);
    return refusal;
  }

  #judge(id: string, judge: (press: Press) => Refusal | null): Refusal | null {
    const press = this.#findCause();
    return this.#isFromElsewhere(id, press) ? 'early' : judge(press);
  }

  // On somebody's own page, a press may have begun on something that lay over the card, or repeat a press on it.
  #isFromElsewhere(id: string, press: Press): boolean {
    const origin = this.#origins.get(press);
    if (origin === undefined || !this.#page.some((shown) => shown.id === id && shown.card !== null)) return false;
    return origin.card !== id || origin.isRepeat;
  }

  #setOrigin(press: Press, { target }: Event): void {
    const shown = this.#page.find((one) => target instanceof Node && one.card?.contains(target) === true);
    const card = shown?.id ?? null;
    const before = this.#lastOrigin;
    const isRepeat = before !== null && before.card !== card && isHasty(before.press, press);
    this.#origins.set(press, { card, isRepeat });
    this.#lastOrigin = { press, card };
  }

  /** The second step is no longer offered. */
  withdraw(): void {
    this.#guard.withdraw();
    this.#setOffer(null);
  }

  #setOffer(offer: Offer | null): void {
    for (const timer of this.#offerTimers.splice(0)) clearTimeout(timer);
    this.offer.set(offer);
  }

  #onPointerDown(event: PointerEvent): void {
    this.#beforePress();
    const before = this.#pointers.get(event.pointerId);
    if (before !== undefined) this.#guard.release(before, before.at);
    const { clientX: x, clientY: y, pointerType } = event;
    const press = this.#guard.begin({ x, y, isTouch: pointerType === 'touch' }, toTime(event));
    this.#pointers.set(event.pointerId, press);
    this.#setOrigin(press, event);
    this.#setCause(press);
  }

  #onPointerMove({ pointerType, pointerId, buttons, clientX, clientY }: PointerEvent): void {
    if (pointerType === 'touch') return;
    this.#guard.drift(clientX, clientY);
    // A system menu has swallowed the release.
    const held = buttons === 0 ? this.#pointers.get(pointerId) : undefined;
    if (held !== undefined) this.#guard.release(held, held.at);
    if (this.isInert.get()) this.#update();
  }

  #onPointerUp(event: PointerEvent): void {
    const press = this.#pointers.get(event.pointerId);
    if (press === undefined) return;
    this.#guard.release(press, toTime(event));
    this.#setCause(press);
  }

  #onPointerCancel({ pointerId }: PointerEvent): void {
    const press = this.#pointers.get(pointerId);
    if (press !== undefined) this.#guard.release(press, press.at);
    this.#pointers.delete(pointerId);
  }

  #onClick(event: MouseEvent): void {
    this.#setCause((event.detail === 0 ? this.#findKey() : this.#findPointer(event)) ?? this.#beginUnseen(event));
  }

  #onKeyDown(event: KeyboardEvent): void {
    if (MODIFIERS.has(event.key)) return;
    this.#beforePress();
    const before = this.#keys.get(event.code);
    if (before !== undefined && !event.repeat) this.#guard.release(before, before.at);
    const press =
      event.repeat && before !== undefined
        ? before
        : this.#guard.begin({ key: event.key }, toTime(event), event.repeat);
    if (press !== before) this.#setOrigin(press, event);
    // A held key keeps touching its place.
    press.at = Math.max(press.at, toTime(event));
    this.#keys.set(event.code, press);
    this.#lastKey = { press, at: performance.now() };
    this.#setCause(press);
  }

  #onKeyUp(event: KeyboardEvent): void {
    // A Mac reports no key releases while its Command key is down.
    const released = event.key === 'Meta' ? [...this.#keys.keys()] : [event.code];
    for (const code of released) {
      const press = this.#keys.get(code);
      if (press === undefined) continue;
      this.#keys.delete(code);
      this.#guard.release(press, toTime(event));
      this.#lastKey = { press, at: performance.now() };
      this.#setCause(press);
    }
  }

  #findKey(): Press | undefined {
    const key = this.#lastKey;
    if (key === null) return undefined;
    const isHeld = [...this.#keys.values()].includes(key.press);
    return isHeld || performance.now() - key.at < CLICK_MS ? key.press : undefined;
  }

  #findPointer(event: MouseEvent): Press | undefined {
    const id = event instanceof PointerEvent ? event.pointerId : undefined;
    return id === undefined ? [...this.#pointers.values()].at(-1) : this.#pointers.get(id);
  }

  #findCause(): Press {
    const cause = this.#cause;
    if (cause !== null && performance.now() - cause.at < STALE_MS) return cause.press;
    return this.#beginUnseen();
  }

  // A screen reader, voice control or a system list: the press begins and ends with its effect.
  #beginUnseen(event?: Event): Press {
    this.#beforePress();
    const at = event === undefined ? performance.now() : toTime(event);
    const press = this.#guard.begin({ key: '' }, at);
    this.#guard.release(press, at);
    return press;
  }

  #beforePress(): void {
    this.#noticeSleep();
    for (const [code, press] of this.#keys) {
      if (performance.now() - press.at < REPEAT_MS) continue;
      this.#guard.release(press, press.at);
      this.#keys.delete(code);
    }
  }

  #setCause(press: Press): void {
    this.#cause = { press, at: performance.now() };
    this.#update();
  }

  #comeBack(): void {
    if (!document.hidden) this.showAgain();
  }

  // A machine reports no sleep, and its monotonic clock may have slept too.
  #noticeSleep(): void {
    const gap = Date.now() - this.#beatAt;
    this.#beatAt = Date.now();
    if (this.#guard.ids.length > 0 && gap > ASLEEP_MS) this.showAgain();
  }

  #update(): void {
    clearTimeout(this.#inertTimer);
    const left = this.#guard.ids.length === 0 ? 0 : this.#guard.inertUntil() - performance.now();
    this.isInert.set(left > 0);
    if (left > 0 && Number.isFinite(left)) this.#inertTimer = setTimeout(() => this.#update(), left);
  }
}

// When the event happened, not when this page handled it.
function toTime({ timeStamp }: Event): number {
  const now = performance.now();
  return timeStamp > 0 ? Math.min(timeStamp, now) : now;
}
