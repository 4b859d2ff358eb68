import { styleText } from 'node:util';
import { toVisible } from '../presentation/visible.ts';
import type { Paint, Style } from '../terminal/line.ts';

/** Writes the command's output. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Writes one JSON document on one line. */
export function printJson(value: unknown): void {
  print(JSON.stringify(value));
}

/** Writes a remark for people to stderr: stdout is for scripts. */
export function note(text: string): void {
  process.stderr.write(`beckon: ${toVisible(text)}\n`);
}

/** Colors a text for stdout, if that is a terminal and NO_COLOR is not set. */
export function paint(style: Style, text: string): string {
  return paintAll(text, style);
}

/** The same in the order that the texts of a terminal take. */
export const paintAll: Paint = (text, ...styles) =>
  text === '' ? text : styleText([...styles], text, { stream: process.stdout });
