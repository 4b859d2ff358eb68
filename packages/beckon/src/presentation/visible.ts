/**
 * What a terminal would obey instead of showing: control characters, the marks that turn the direction of text, and halves of
 * surrogate pairs. A tab and a line break are text.
 */
const HIDDEN = /(?![\n\t])\p{Cc}|[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|\p{Surrogate}/gu;

/** Makes visible what could make a terminal lie: an agent's text must not move the cursor, hide itself or press keys. */
export function toVisible(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(HIDDEN, (character) => {
    const code = Number(character.codePointAt(0));
    return code < 256 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/** The same on one line of at most `chars` characters. */
export function toVisibleLine(text: string, chars = Number.POSITIVE_INFINITY): string {
  const characters = Array.from(toVisible(text.trim().replaceAll(/\s+/g, ' ')));
  return characters.length <= chars ? characters.join('') : `${characters.slice(0, chars - 1).join('')}…`;
}
