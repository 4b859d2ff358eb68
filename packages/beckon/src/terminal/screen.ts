import { emitKeypressEvents } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { styleText } from 'node:util';
import { KeyGuard, type KeyTimes, type KeyUse } from './key-guard.ts';
import { cut } from './text-layout.ts';

/** Where keys come from: a terminal's stdin, or any stream that looks like one. */
export type TerminalInput = Readable & { isTTY?: boolean; setRawMode?(isRaw: boolean): unknown };
/** Where the screen is: a terminal's stdout, or any stream that looks like one. */
export type TerminalOutput = Writable & { isTTY?: boolean; columns?: number; rows?: number };

/** A key as it was pressed: `up`, `return`, `q`. */
export interface Key {
  name: string;
  isCtrl: boolean;
}

/** The two things that Node tells of a key. */
export type Keypress = [text: string | undefined, key: { name?: string; ctrl?: boolean; sequence?: string }];

/** A line that ends inside of pasted text. */
const SPACE: Keypress = [' ', { name: 'space', sequence: ' ' }];

type Style = 'bold' | 'dim' | 'cyan' | 'yellow' | 'inverse';

const ALTERNATE = '\u001b[?1049h';
const ORIGINAL = '\u001b[?1049l';
const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';
const HOME = '\u001b[H';
const CLEAR_BELOW = '\u001b[J';
const CLEAR_RIGHT = '\u001b[K';

/**
 * A terminal that is drawn on as a whole. It knows three states: closed (the person's own screen is seen), open (drawn on,
 * without a cursor) and lent (to a prompt or an editor, which have a cursor and the keys). `close` restores what was there.
 */
export class Screen {
  readonly input: TerminalInput;
  readonly output: TerminalOutput;
  readonly #guard: KeyGuard;
  #isOpen = false;

  constructor(input: TerminalInput, output: TerminalOutput, keyTimes?: KeyTimes) {
    this.input = input;
    this.#guard = new KeyGuard(keyTimes);
    // Some terminals, such as those of test tools, have no size: then every line would break after one character.
    this.output = Object.assign(output, { columns: output.columns || 80, rows: output.rows || 24 });
  }

  get columns(): number {
    return this.output.columns || 80;
  }

  get rows(): number {
    return this.output.rows || 24;
  }

  /** For so long, in milliseconds, something must have been on the screen before a key counts for it. */
  get momentMs(): number {
    return this.#guard.momentMs;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Turns to a screen of its own. */
  open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.output.write(ALTERNATE + HOME + CLEAR_BELOW);
  }

  /** Gives the person's own screen back as it was. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    setRaw(this.input, false);
    this.input.pause();
    this.output.write(SHOW_CURSOR + ORIGINAL);
  }

  /** Begins an empty screen with a cursor, for a prompt. */
  clear(): void {
    if (this.#isOpen) this.output.write(SHOW_CURSOR + HOME + CLEAR_BELOW);
  }

  /** Paints all lines, each cut to the width, without a flicker. Styles are put on by the caller, after cutting. */
  draw(lines: readonly string[]): void {
    const shown = lines.slice(0, this.rows).map((line) => `${line}${CLEAR_RIGHT}`);
    this.output.write(`${HIDE_CURSOR}${HOME}${shown.join('\r\n')}${CLEAR_BELOW}`);
  }

  /** A line that fits, in a style where the terminal has colours and nobody set NO_COLOR. */
  line(text: string, style?: Style): string {
    return this.paint(cut(text, this.columns), style);
  }

  paint(text: string, style?: Style): string {
    if (style === undefined || text === '') return text;
    return styleText(style, text, { stream: this.output as NodeJS.WritableStream });
  }

  /** Runs something else on the person's own screen, such as an editor, and comes back. */
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
   * Hands each key that was meant for what was just drawn to the listener, and each change of size, until the returned function is
   * called. The input goes on flowing until `close`: Node stops reading a moment after a pause, even if it was resumed at once.
   */
  listen(onKey: (key: Key, keypress: Keypress) => void, onResize: () => void, use?: KeyUse): () => void {
    const { input, output } = this;
    let isListening = true;
    const onKeypress = (...keypress: Keypress): void => {
      const [text, { name = text ?? '', ctrl = false }] = keypress;
      const key = { name, isCtrl: ctrl };
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

  /** What the keys decide about has changed on the screen, so those that come at once were not meant for it. */
  restartGuard(): void {
    this.#guard.begin();
  }

  /** Gives the keys back to the person's shell, where the screen is not open. */
  rest(): void {
    if (this.#isOpen) return;
    setRaw(this.input, false);
    this.input.pause();
  }
}

function setRaw(input: TerminalInput, isRaw: boolean): void {
  if (input.isTTY === true) input.setRawMode?.(isRaw);
}
