const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const WIDE =
  /\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]/u;
const MARKS_ALONE = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;

/** How many columns of a terminal a text takes. */
export function measure(text: string): number {
  return toCells(text).reduce((sum, { width }) => sum + width, 0);
}

/** Cuts a text to so many columns, with a mark where something is missing. */
export function cut(text: string, columns: number): string {
  if (columns <= 0) return '';
  if (measure(text) <= columns) return text;
  let used = 0;
  let kept = '';
  for (const { segment, width } of toCells(text)) {
    if (used + width > columns - 1) break;
    kept += segment;
    used += width;
  }
  return `${kept}…`;
}

/** Breaks a text into lines of at most so many columns: at spaces, or inside a word that is longer. Indents are kept. */
export function wrap(text: string, columns: number): string[] {
  const width = Math.max(2, columns);
  return text.split('\n').flatMap((line) => wrapLine(line.replaceAll('\t', '  '), width));
}

function wrapLine(line: string, columns: number): string[] {
  const lines: string[] = [];
  let current = '';
  let used = 0;
  for (const part of line.split(/(?<= )(?=[^ ])/)) {
    const width = measure(part.trimEnd());
    if (used > 0 && used + width > columns && current.trim() !== '') {
      lines.push(current.trimEnd());
      current = '';
      used = 0;
    }
    for (const { segment, width: cell } of toCells(part)) {
      const isFull = used + cell > columns;
      // A space at the very end of a line is not worth a line.
      if (isFull && segment === ' ') continue;
      if (isFull) lines.push(current);
      current = isFull ? segment : current + segment;
      used = isFull ? cell : used + cell;
    }
  }
  return [...lines, current.trimEnd()];
}

function toCells(text: string): { segment: string; width: number }[] {
  return Array.from(graphemes.segment(text), ({ segment }) => ({ segment, width: toWidth(segment) }));
}

function toWidth(segment: string): number {
  if (MARKS_ALONE.test(segment)) return 0;
  return WIDE.test(segment) ? 2 : 1;
}
