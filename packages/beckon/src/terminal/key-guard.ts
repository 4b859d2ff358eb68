import type { Key } from './screen.ts';

/** How long a guard waits for what, in milliseconds. */
export interface KeyTimes {
  /** A view must have been on the screen, and the keys at rest, for so long before a key counts. */
  momentMs: number;
  /** The same deciding key sooner again is a key that is held: keyboards begin to repeat after up to two thirds of a second. */
  heldMs: number;
  /** A deciding key waits for so long whether it repeats: keyboards repeat up to ten times a second. */
  repeatMs: number;
  /** Keys that come closer together are a paste, or come from a program. */
  burstMs: number;
  /** Nobody begins to type sooner into a field that has just come. */
  typeMs: number;
}

const KEY_TIMES: KeyTimes = { momentMs: 400, heldMs: 700, repeatMs: 120, burstMs: 40, typeMs: 150 };

/** What a view does with keys. */
export interface KeyUse {
  /** The names of the keys that decide something. Default: Enter. */
  decides?: readonly string[];
  /** Whether keys are typed into a field. `next`: one of several fields, so typing may go on at once. */
  typing?: 'first' | 'next' | undefined;
}

const ENTER = ['return', 'enter'];

/**
 * Lets only those keys through that were meant for what is on the screen. What comes before a view has been there for a moment was meant
 * for something else: it is dropped, and so is what follows without a pause. A key that decides, such as Enter, must come alone: not in a
 * paste, and not from a key that is held. Text may be typed and pasted freely, because it decides nothing. Keys that leave always work.
 */
export class KeyGuard {
  readonly #times: KeyTimes;
  readonly #now: () => number;
  #use: KeyUse = {};
  #shownAt = 0;
  #last = { name: '', at: Number.NEGATIVE_INFINITY };
  /** Whether keys were dropped since the last pause. */
  #isDisturbed = false;
  /** Whether the last key was typed before a field was there, so that what follows at once was too. */
  #isEarly = false;
  /** A deciding key that waits whether it repeats. */
  #waiting: { pass: () => void; timer: NodeJS.Timeout } | null = null;

  constructor(times: KeyTimes = KEY_TIMES, now: () => number = () => performance.now()) {
    this.#times = times;
    this.#now = now;
  }

  get momentMs(): number {
    return this.#times.momentMs;
  }

  /** Something else is in front of the person from here on. */
  begin(use: KeyUse = this.#use): void {
    this.#use = use;
    this.#shownAt = this.#now();
    this.#isDisturbed = false;
    this.#isEarly = false;
    this.#drop();
  }

  /**
   * Takes a key, and calls `pass` where it counts: at once, or when it is clear that it came alone. An Enter inside of pasted text is
   * passed as `text`.
   */
  take({ name, isCtrl }: Key, pass: (as: 'key' | 'text') => void): void {
    const now = this.#now();
    const last = this.#last;
    const gapMs = now - last.at;
    this.#last = { name, at: now };
    if (this.#waiting !== null && !this.#release(name === last.name || gapMs < this.#times.burstMs)) return;
    if (isCtrl || name === 'escape') return pass('key');
    if (!this.#isMeant(name, name === last.name, gapMs, now - this.#shownAt)) {
      this.#isDisturbed = true;
      if (this.#isPasted(name, gapMs)) pass('text');
      return;
    }
    if (!this.#isDeciding(name)) return pass('key');
    this.#isDisturbed = false;
    if (this.#times.repeatMs === 0) return pass('key');
    this.#waiting = { pass: () => pass('key'), timer: setTimeout(() => this.#release(false), this.#times.repeatMs) };
  }

  /** `gapMs` is the time since the key before, `ageMs` that since the view began. */
  #isMeant(name: string, isSame: boolean, gapMs: number, ageMs: number): boolean {
    const { momentMs, heldMs, burstMs, typeMs } = this.#times;
    if (this.#isDeciding(name)) {
      if (ageMs < momentMs) return false;
      return gapMs >= (this.#isDisturbed ? momentMs : isSame ? heldMs : burstMs);
    }
    const { typing } = this.#use;
    if (typing === 'next') return true;
    if (typing === 'first') {
      this.#isEarly = ageMs < typeMs || (this.#isEarly && gapMs < burstMs);
      return !this.#isEarly;
    }
    if (ageMs < momentMs || (this.#isDisturbed && gapMs < momentMs)) return false;
    this.#isDisturbed = false;
    return true;
  }

  #isPasted(name: string, gapMs: number): boolean {
    return this.#use.typing !== undefined && !this.#isEarly && ENTER.includes(name) && gapMs < this.#times.burstMs;
  }

  #isDeciding(name: string): boolean {
    return (this.#use.decides ?? ENTER).includes(name);
  }

  /** Ends the wait of a deciding key. `false`: it counts, so the next key was typed before anybody saw what comes then. */
  #release(isStream: boolean): boolean {
    const waiting = this.#waiting;
    this.#drop();
    if (isStream) this.#isDisturbed = true;
    else waiting?.pass();
    return isStream;
  }

  #drop(): void {
    if (this.#waiting !== null) clearTimeout(this.#waiting.timer);
    this.#waiting = null;
  }
}
