import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import type { KeyTimes } from '../../../terminal/key-guard.ts';
import type { TerminalInput, TerminalOutput } from '../../../terminal/screen.ts';
import { VirtualScreen } from './virtual-screen.ts';

/** Streams that look like a terminal, with what was written and the mode that the keys are in. */
export interface FakeTerminal {
  input: TerminalInput;
  output: TerminalOutput;
  isRaw(): boolean;
  /** Everything that was written, with its escape sequences. */
  written(): string;
  /** What the person sees at this moment. */
  screen(): string;
  press(keys: string): void;
  resize(columns: number, rows: number): void;
  /** Resolves as soon as the text without escape sequences, since the last match, has the pattern. */
  seen(pattern: RegExp): Promise<void>;
}

/** For tests in which nobody is hasty: every key counts. */
export const AT_ONCE: KeyTimes = { momentMs: 0, heldMs: 0, repeatMs: 0, burstMs: 0, typeMs: 0 };

export const KEYS = {
  enter: '\r',
  up: '\u001b[A',
  down: '\u001b[B',
  escape: '\u001b',
  ctrlC: '\u0003',
  pageDown: '\u001b[6~',
};

export function createFakeTerminal({ columns = 80, rows = 24 } = {}): FakeTerminal {
  let isRaw = false;
  let written = '';
  let from = 0;
  const input = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (raw: boolean) => {
      isRaw = raw;
    },
  });
  const virtual = new VirtualScreen(columns, rows);
  const output = Object.assign(new PassThrough(), { isTTY: true, columns, rows });
  output.on('data', (chunk: Buffer) => {
    written += chunk.toString();
    virtual.write(chunk.toString());
  });
  return {
    input,
    output,
    isRaw: () => isRaw,
    written: () => written,
    screen: () => virtual.text,
    press: (keys) => void input.write(keys),
    resize(newColumns, newRows) {
      Object.assign(output, { columns: newColumns, rows: newRows });
      output.emit('resize');
    },
    async seen(pattern) {
      for (;;) {
        const fresh = stripVTControlCharacters(written.slice(from));
        if (pattern.test(fresh)) break;
        await new Promise((resolve) => setImmediate(resolve));
      }
      from = written.length;
    },
  };
}
