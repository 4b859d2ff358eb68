import stringWidth from 'fast-string-width';
import { wrapAnsi } from 'fast-wrap-ansi';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan' | 'inverse' | 'underline';

/** Colors a text, if the terminal has colors and NO_COLOR is not set. */
export type Paint = (text: string, ...styles: readonly Style[]) => string;

/** A line before it is fitted to a screen. Both parts are visible and painted; a long text stays beside the gutter. */
export interface Line {
  gutter?: string;
  text: string;
}

/** A gutter leaves at least so many columns for the text. */
const LEAST_COLUMNS = 10;

/** The lines of a text, each beside the same gutter. */
export function toLines(text: string, gutter = ''): Line[] {
  return text.split('\n').map((line) => ({ gutter, text: line }));
}

/** A terminal's tabs would move what follows to columns that nobody counted. */
export function toTabless(text: string): string {
  return text.replaceAll('\t', '  ');
}

/** How many columns a gutter leaves for the text beside it. */
export function toRoom(columns: number, indent: number): number {
  return Math.max(LEAST_COLUMNS, columns - indent);
}

/** Breaks lines so that they fit: at spaces, or inside a longer word. */
export function layOut(lines: readonly Line[], columns: number): string[] {
  return lines.flatMap(({ gutter = '', text }) => {
    const indent = stringWidth(gutter);
    const room = toRoom(columns, indent);
    const rows = wrapAnsi(toTabless(text), room, { hard: true, trim: false }).split('\n');
    return rows.map((row, index) => (index === 0 ? gutter : ' '.repeat(indent)) + row);
  });
}
