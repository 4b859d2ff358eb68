import { emitKeypressEvents } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { styleText } from 'node:util';
import { KeyGuard, type KeyTimes, type KeyUse } from './key-guard.ts';
import type { Style } from './line.ts';
import { cut } from './text-layout.ts';

/** Where keys come from: a terminal's stdin, or any stream that looks like one. */
export type TerminalInput = Readable & { isTTY?: boolean; setRawMode?(isRaw: boolean): unknown };
/** Where the screen is: a terminal's stdout, or any stream that looks like one. */
export type TerminalOutput = Writable & { isTTY?: boolean; columns?: number; rows?: number };

/** A key as it was pressed: `up`, `return`, `q`, and `J` with shift. */
export interface Key {
  name: string;
  isCtrl: boolean;
}

/** A key as Node reports it. */
export type Keypress = [text: string | undefined, key: { name?: string; ctrl?: boolean; sequence?: string }];

/** Stands for a line end inside pasted text. */
const SPACE: Keypress = [' ', { name: 'space', sequence: ' ' }];

const ALTERNATE = '\u001b[?1049h';
const ORIGINAL = '\u001b[?1049l';
const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';
const HOME = '\u001b[H';
const CLEAR_BELOW = '\u001b[J';
const CLEAR_RIGHT = '\u001b[K';

/**
 * A terminal that is drawn on as a whole. It is closed (showing the person's own screen), open (drawn on, without a
 * cursor) or lent to a prompt or an editor. `close` restores what was there.
 */
export class Screen {
  readonly input: TerminalInput;
  readonly output: TerminalOutput;
  readonly #guard: KeyGuard;
  #isOpen = false;

  constructor(input: TerminalInput, output: TerminalOutput, keyTimes?: KeyTimes) {
    this.input = input;
    this.#guard = new KeyGuard(keyTimes);
    // Some terminals report no size, and then every line would break after one character.
    this.output = Object.assign(output, { columns: output.columns || 80, rows: output.rows || 24 });
  }

  get columns(): number {
    return this.output.columns || 80;
  }

  get rows(): number {
    return this.output.rows || 24;
  }

  /** How long something must have been on the screen before a key counts for it, in milliseconds. */
  get momentMs(): number {
    return this.#guard.momentMs;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Switches to the alternate screen. */
  open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.output.write(ALTERNATE + HOME + CLEAR_BELOW);
  }

  /** Restores the person's own screen. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    setRaw(this.input, false);
    this.input.pause();
    this.output.write(SHOW_CURSOR + ORIGINAL);
  }

  /** Clears the screen and shows the cursor, for a prompt. */
  clear(): void {
    if (this.#isOpen) this.output.write(SHOW_CURSOR + HOME + CLEAR_BELOW);
  }

  /** Draws all lines without flicker. The caller cuts them to the width and adds styles. */
  draw(lines: readonly string[]): void {
    const shown = lines.slice(0, this.rows).map((line) => `${line}${CLEAR_RIGHT}`);
    this.output.write(`${HIDE_CURSOR}${HOME}${shown.join('\r\n')}${CLEAR_BELOW}`);
  }

  /** A line that fits, styled if the terminal has colors and NO_COLOR is not set. */
  line(text: string, ...styles: readonly Style[]): string {
    return this.paint(cut(text, this.columns), ...styles);
  }

  paint(text: string, ...styles: readonly Style[]): string {
    if (styles.length === 0 || text === '') return text;
    return styleText([...styles], text, { stream: this.output as NodeJS.WritableStream });
  }

  /** Runs something else, such as an editor, on the person's own screen, and comes back. */
  async lend<Result>(work: () => Promise<Result>): Promise<Result> {
    const wasOpen = this.#isOpen;
    this.close();
    try {
      return await work();
    } finally {
      if (wasOpen) this.open();
    }
  }

  /**
   * Passes keys that were meant for the current view, and changes of size, to the listeners until the returned function
   * is called. The input flows until `close`: Node stops reading a moment after a pause, even after a resume.
   */
  listen(onKey: (key: Key, keypress: Keypress) => void, onResize: () => void, use?: KeyUse): () => void {
    const { input, output } = this;
    let isListening = true;
    const onKeypress = (...keypress: Keypress): void => {
      const [text, { name = text ?? '', ctrl = false }] = keypress;
      const key = { name: isCapital(text) ? text : name, isCtrl: ctrl };
      this.#guard.take(key, (as) => {
        if (isListening) onKey(key, as === 'key' ? keypress : SPACE);
      });
    };
    this.#guard.begin(use ?? {});
    emitKeypressEvents(input);
    setRaw(input, true);
    input.on('keypress', onKeypress);
    output.on('resize', onResize);
    input.resume();
    return () => {
      isListening = false;
      input.off('keypress', onKeypress);
      output.off('resize', onResize);
    };
  }

  /** Call it when the target of a deciding key changes: keys that follow at once were not meant for it. */
  restartGuard(): void {
    this.#guard.begin();
  }

  /** Gives the keys back to the shell, unless the screen is open. */
  rest(): void {
    if (this.#isOpen) return;
    setRaw(this.input, false);
    this.input.pause();
  }
}

// Node calls both J and j "j".
function isCapital(text: string | undefined): text is string {
  return text !== undefined && /^[A-Z]$/.test(text);
}

function setRaw(input: TerminalInput, isRaw: boolean): void {
  if (input.isTTY === true) input.setRawMode?.(isRaw);
}
