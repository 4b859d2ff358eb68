/** How a line ends; absent for `\n`. `none`: the text ends here without a line end. */
export type LineEnd = 'crlf' | 'none';

/** A part of a changed line; `changed` if the other side has something else there. */
export interface Word {
  text: string;
  changed: boolean;
}

/**
 * One line of a diff. Numbers count from 1: `before` is absent for an added line, `after` for a removed one. `words`
 * are there if the line has a counterpart that it shares most of its text with; joined, they are the text.
 */
export interface DiffLine {
  kind: 'same' | 'added' | 'removed';
  before?: number;
  after?: number;
  text: string;
  end?: LineEnd;
  words?: Word[];
}

/** A line of a text, without its end. */
export interface Line {
  text: string;
  end?: LineEnd;
}

/** The lines of a text. A line end at the end of a text does not start another line. */
export function toLines(text: string): Line[] {
  if (text === '') return [];
  const texts = text.split('\n');
  const last = texts.pop() ?? '';
  const lines = texts.map(
    (line): Line => (line.endsWith('\r') ? { text: line.slice(0, -1), end: 'crlf' } : { text: line }),
  );
  if (last !== '') lines.push({ text: last, end: 'none' });
  return lines;
}

/** The text of lines: the inverse of `toLines`. */
export function fromLines(lines: readonly Line[]): string {
  return lines.map(toRaw).join('');
}

/** A line with its end, as it is in the file. */
export function toRaw({ text, end }: Line): string {
  return text + (end === undefined ? '\n' : end === 'crlf' ? '\r\n' : '');
}
