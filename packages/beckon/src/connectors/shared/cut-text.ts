/** The length of the longest mark: `[U+10FFFF ×1048576]`. */
const LONGEST_MARK = 20;

/** Cuts a text to at most `most` UTF-16 units, and marks the cut. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const note = ' … (cut)';
  return text.slice(0, keepWhole(text, most - note.length)) + note;
}

/** Where to cut a text at `at` or before, so that surrogate pairs stay whole, and marks such as [U+202E]. */
export function keepWhole(text: string, at: number): number {
  const mark = /\[(?:U(?:\+(?:[0-9A-F]{1,6}(?: ×?\d*)?)?)?)?$/.exec(text.slice(Math.max(0, at - LONGEST_MARK), at));
  const isCut = mark !== null && /^\[U\+[0-9A-F]{4,6}(?: ×\d+)?\]/.test(text.slice(at - mark[0].length));
  if (isCut && at > mark[0].length) return at - mark[0].length;
  const code = text.charCodeAt(at - 1);
  return code >= 0xd800 && code <= 0xdbff ? at - 1 : at;
}
