/** A fence, a heading, a list, a quotation, a table, bold text or code. */
const MARKS = /^ {0,3}(?:`{3}|~{3}|#{1,6} |[-*+] \S|\d+[.)] |> |\|.*\|\s*$)|\*\*\S|`[^`\n]+`/m;

/** Whether a preview means to be formatted. Drawings made of characters would fall apart. */
export function isMarkdown(text: string): boolean {
  return MARKS.test(text) && !/[\u2500-\u259f]/.test(text.replaceAll(/^ {0,3}(`{3,}|~{3,}).*?^ {0,3}\1/gms, ''));
}
