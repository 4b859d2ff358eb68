import stringWidth from 'fast-string-width';
import { wrapAnsi } from 'fast-wrap-ansi';

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Cuts a text to so many columns. An ellipsis stands for the rest. */
export function cut(text: string, columns: number): string {
  if (columns <= 0) return '';
  if (stringWidth(text) <= columns) return text;
  let room = columns - 1;
  let kept = '';
  for (const { segment } of graphemes.segment(text)) {
    room -= stringWidth(segment);
    if (room < 0) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** Breaks a text into lines of at most so many columns: at spaces, or inside a longer word. Indents are kept. */
export function wrap(text: string, columns: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line.replaceAll('\t', '  '), Math.max(2, columns)));
}

function wrapLine(line: string, columns: number): string[] {
  const text = line.replace(/^ +/, '');
  const indent = ' '.repeat(Math.min(line.length - text.length, Math.floor(columns / 2)));
  const lines = wrapAnsi(text, columns - indent.length, { hard: true }).split('\n');
  return lines.map((part) => (indent + part).trimEnd());
}
