import type { Key } from './screen.ts';

/** The limits of a guard, in milliseconds. */
export interface KeyTimes {
  /** How long a view must be on the screen, with no key pressed, before a key counts. */
  momentMs: number;
  /** The same deciding key sooner than this is a held key: keyboards start to repeat within two thirds of a second. */
  heldMs: number;
  /** How long a deciding key waits for a repeat: held keys repeat at least ten times a second. */
  repeatMs: number;
  /** Keys closer together than this are a paste, or come from a program. */
  burstMs: number;
  /** Nobody starts to type into a new field sooner than this. */
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
 * Lets only keys through that were meant for what is on the screen. Keys that come too soon after a view appeared were
 * meant for something else, so they are dropped, with everything that follows without a pause. A key that decides, such
 * as Enter, must come alone: not in a paste, and not from a held key. Text may be typed and pasted freely, because it
 * decides nothing. Keys that leave always work.
 */
export class KeyGuard {
  readonly #times: KeyTimes;
  readonly #now: () => number;
  #use: KeyUse = {};
  #shownAt = 0;
  #last = { name: '', at: Number.NEGATIVE_INFINITY };
  /** Whether keys were dropped since the last pause. */
  #isDisturbed = false;
  /** Whether the last key was typed before the field appeared. Keys that follow at once were too. */
  #isEarly = false;
  /** A deciding key that waits for a repeat. */
  #waiting: { pass: () => void; timer: NodeJS.Timeout } | null = null;

  constructor(times: KeyTimes = KEY_TIMES, now: () => number = () => performance.now()) {
    this.#times = times;
    this.#now = now;
  }

  get momentMs(): number {
    return this.#times.momentMs;
  }

  /** Starts again for another view. */
  begin(use: KeyUse = this.#use): void {
    this.#use = use;
    this.#shownAt = this.#now();
    this.#isDisturbed = false;
    this.#isEarly = false;
    this.#drop();
  }

  /**
   * Takes a key, and calls `pass` if it counts: at once, or once it is clear that it came alone. An Enter inside pasted
   * text is passed as `text`.
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

  /** `gapMs` is the time since the previous key, `ageMs` the time since the view appeared. */
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

  /** Ends the wait of a deciding key. `false`: it counted, so the next key came before anybody saw the next view. */
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
