/** Adds lines at the end of a text, unless they are there. */
export function withLines(text: string, lines: readonly string[]): string {
  const block = `${lines.join('\n')}\n`;
  if (text.includes(block)) return text;
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${block}`;
}

/** Removes the lines that `withLines` added. */
export function withoutLines(text: string, lines: readonly string[]): string {
  return text.replace(`${lines.join('\n')}\n`, '');
}
