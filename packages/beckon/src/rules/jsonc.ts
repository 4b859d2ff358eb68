/** JSON without the comments and trailing commas that editors allow. Line breaks stay, so places in errors fit. */
export function toPlainJson(text: string): string {
  let plain = '';
  // A text, a comment, or a comma before the end of a list or object: everything else stays.
  const pattern = /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|[^"/]+|[/"]/g;
  for (const [piece] of text.matchAll(pattern)) {
    plain += piece.startsWith('//') || piece.startsWith('/*') ? piece.replaceAll(/[^\n]/g, ' ') : piece;
  }
  return plain.replaceAll(/("(?:[^"\\]|\\.)*")|,(?=\s*[\]}])/g, (_, quoted: string | undefined) => quoted ?? ' ');
}
