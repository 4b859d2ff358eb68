import { CALL_MS } from './line-calls.ts';
import type { LineEars, LinePlace, Opened } from './line-place.ts';

/** How long calls wait for the first opening. A proxy may swallow it. */
const FIRST_MS = 3000;
/** How long a line that was refused is left alone. */
const REFUSED_MS = 60_000;
/** A line that breaks this often in a row before it brought a reply counts as refused. */
const MOST_BREAKS = 3;
/** A line that lived this long was good. */
const STEADY_MS = 10_000;

/** Opens the sockets of a line, and knows whether that is worth a try: not where they are refused, or only break. */
export class LineOpener {
  readonly #place: LinePlace;
  readonly #closing: AbortSignal;
  #openedAt = Number.NEGATIVE_INFINITY;
  #refusedAt = Number.NEGATIVE_INFINITY;
  #breaks = 0;

  constructor(place: LinePlace, closing: AbortSignal) {
    this.#place = place;
    this.#closing = closing;
  }

  /** Whether lines were refused a short while ago. */
  get isRefused(): boolean {
    return performance.now() - this.#refusedAt < REFUSED_MS;
  }

  /** Whether none was opened since they were refused. */
  get isTrial(): boolean {
    return this.#refusedAt > 0;
  }

  /** How many in a row broke before they brought a reply. */
  get breaks(): number {
    return this.#breaks;
  }

  /** Tries once. */
  async open(ears: LineEars): Promise<Opened> {
    const limit = new AbortController();
    const stop = (): void => limit.abort();
    const timer = setTimeout(stop, this.#openedAt > 0 ? CALL_MS : FIRST_MS);
    this.#closing.addEventListener('abort', stop);
    const opened = await this.#place.open(ears, limit.signal);
    clearTimeout(timer);
    this.#closing.removeEventListener('abort', stop);
    if (opened === 'broken') this.#noteBreak();
    if (opened === 'refused') this.#refuse();
    if (typeof opened === 'string' || opened instanceof Error) return opened;
    this.#openedAt = performance.now();
    this.#refusedAt = Number.NEGATIVE_INFINITY;
    return opened;
  }

  /** The line brought something. */
  noteReply(): void {
    this.#breaks = 0;
  }

  /** The line that was opened last is gone. */
  noteLoss(): void {
    if (performance.now() - this.#openedAt > STEADY_MS) this.#breaks = 0;
    this.#noteBreak();
  }

  #noteBreak(): void {
    this.#breaks += 1;
    if (this.#breaks >= MOST_BREAKS) this.#refuse();
  }

  #refuse(): void {
    this.#refusedAt = performance.now();
    this.#breaks = 0;
  }
}
