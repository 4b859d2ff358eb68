import { consent } from '../consent/use-consent.ts';
import { keep, readKept } from '../state/kept.ts';
import { Store } from '../state/store.ts';
import { isDialogOpen, isTyping, takesArrows } from './focus.ts';
import { KeyReader } from './key-reader.ts';
import { type KeyName, toKey } from './keys.ts';

const KEPT = 'beckon.keys';

/** Handles a key. Returning `false` leaves it to whoever registered before. */
export type KeyHandler = (event: KeyboardEvent) => boolean | void;

interface Registered {
  handle: KeyHandler;
  isInDialog: boolean;
  isFirst: boolean;
}

/** Gives every key press to the part of the page that registered for it last. */
class Keyboard {
  /** Whether single keys do anything. Escape, Enter and Tab always work. Off until `start`: the keys are the page's. */
  readonly isOn = new Store(false);
  /** Whether the page gave its keyboard to requests. */
  isStarted = false;
  readonly #handlers = new Map<KeyName, Registered[]>();
  readonly #reader = new KeyReader();

  /** Call it once, after the consent guard, which must know of a press before anything reacts to it. */
  start(): void {
    this.isStarted = true;
    this.isOn.set(readKept(KEPT) !== 'off');
    addEventListener('keydown', (event) => this.#onKeyDown(event));
  }

  /** Switches all single keys on or off, and remembers it in this browser. */
  turn(isOn: boolean): void {
    keep(KEPT, isOn ? null : 'off');
    this.isOn.set(isOn);
  }

  /** Registers for a key until the returned function is called. */
  add(name: KeyName, registered: Registered): () => void {
    const handlers = [registered, ...(this.#handlers.get(name) ?? [])];
    this.#handlers.set(
      name,
      handlers.toSorted((a, b) => Number(b.isFirst) - Number(a.isFirst)),
    );
    return () => {
      const others = (this.#handlers.get(name) ?? []).filter((one) => one !== registered);
      this.#handlers.set(name, others);
    };
  }

  #onKeyDown(event: KeyboardEvent): void {
    if (event.defaultPrevented) return;
    const isTaken = event.key.startsWith('Arrow') ? takesArrows(event.target) : isTyping(event.target);
    // The first Escape leaves the text field and keeps the text; the second is a shortcut.
    if (isTaken && event.key === 'Escape' && !isDialogOpen() && event.target instanceof HTMLElement)
      event.target.blur();
    const name = this.#reader.read({
      key: event.key,
      at: event.timeStamp,
      hasModifier: event.ctrlKey || event.metaKey || event.altKey,
      isTyping: isTaken,
    });
    if (name === null || !(this.isOn.get() || event.key === 'Escape')) return;
    // A dialog has the keyboard for itself.
    const isDialog = isDialogOpen();
    const handlers = (this.#handlers.get(name) ?? []).filter(({ isInDialog }) => isInDialog === isDialog);
    if (handlers.length === 0) return;
    event.preventDefault();
    const key = toKey(name);
    if (event.repeat && key.repeats !== true) return;
    if (key.isAboutRequest === true && !isDialog && consent.isUnseen) return;
    handlers.some(({ handle }) => handle(event) !== false);
  }
}

/** The page's only keyboard. */
export const keyboard = new Keyboard();
