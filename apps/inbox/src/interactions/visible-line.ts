/** Control characters and the marks that turn the direction of text: they could make one line look like another. */
const HIDDEN = /\p{Cc}|[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|\p{Surrogate}/gu;

/** Makes one line of at most `chars` characters of what an agent wrote, with hidden characters shown as boxes. */
export function toVisibleLine(text: string, chars = 200): string {
  // Looking at more than could be shown costs time, and an agent may write a megabyte.
  const line = text
    .slice(0, chars * 4)
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(HIDDEN, '\u25a1');
  const characters = Array.from(line);
  const isCut = characters.length > chars || text.length > chars * 4;
  return isCut ? `${characters.slice(0, chars - 1).join('')}…` : line;
}
