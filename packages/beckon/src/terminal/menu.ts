import { PassThrough, Writable } from 'node:stream';
import * as clack from '@clack/prompts';
import { type CANCEL_SYMBOL, isCancel } from '@clack/prompts';
import type { TerminalOutput } from './screen.ts';

/** One thing to choose. The hint is shown while the cursor is on it. */
export interface Choice<Value> {
  value: Value;
  label: string;
  hint?: string;
}

/** What a menu asks, and the choices. `isMultiple`: several may be chosen. */
export interface Menu<Value> {
  message: string;
  choices: readonly Choice<Value>[];
  isMultiple?: boolean;
}

/** The streams and the signal, as the prompts of clack take them. */
export interface ClackOptions {
  input: PassThrough;
  output: TerminalOutput;
  signal: AbortSignal;
}

/** A stream of keys that clack takes for a terminal. */
export function createKeys(): PassThrough {
  return Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
}

/** Opens a menu with the cursor on the choice at `start`, and gives the values that the person chose. */
export async function openMenu<Value>(
  shared: ClackOptions,
  { message, choices, isMultiple = false }: Menu<Value>,
  start: number,
): Promise<Value[] | typeof CANCEL_SYMBOL> {
  const options = choices.map(({ label, hint }, value) => ({ value, label, ...(hint !== undefined && { hint }) }));
  const chosen = isMultiple
    ? await clack.multiselect<number>({ ...shared, message, options, cursorAt: start, required: true })
    : await clack.select<number>({ ...shared, message, options, initialValue: start });
  if (isCancel(chosen)) return chosen;
  const places = [chosen].flat();
  return choices.filter((_, place) => places.includes(place)).map(({ value }) => value);
}

/** How many rows a menu takes at most, wherever its cursor is. */
export function countMenuRows(columns: number, menu: Menu<unknown>): number {
  const starts = menu.choices.flatMap(({ hint }, place) => (hint === undefined ? [] : [place]));
  return Math.max(...[0, ...starts].map((start) => countRowsFrom(columns, menu, start)));
}

/** How many rows a drawing takes, with the row that the cursor ends on. It is drawn where nobody sees it. */
export function countRows(columns: number, draw: (output: TerminalOutput) => void): number {
  let drawn = '';
  const output = new Writable({
    write: (chunk, _encoding, done) => {
      drawn += String(chunk);
      done();
    },
  });
  draw(Object.assign(output, { columns, rows: Number.MAX_SAFE_INTEGER }));
  return drawn.split('\n').length;
}

function countRowsFrom(columns: number, menu: Menu<unknown>, start: number): number {
  const leaving = new AbortController();
  const rows = countRows(columns, (output) => {
    void openMenu({ input: createKeys(), output, signal: leaving.signal }, menu, start);
  });
  leaving.abort();
  return rows;
}
