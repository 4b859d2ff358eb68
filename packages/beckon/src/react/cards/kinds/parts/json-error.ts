const SPACE = /[ \t\n\r]*/y;
const TEXT = /"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/uy;
const PLAIN = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** The offset at which a text stops being JSON. Not every browser reports it, and none for every mistake. */
export function findJsonError(text: string): number {
  const skip = (at: number): number => match(SPACE, text, at) ?? at;
  // The open brackets; `wants` is what may come next.
  const open: ('{' | '[')[] = [];
  let at = skip(0);
  let wants: 'value' | 'value or end' | 'key' | 'key or end' | 'comma or end' = 'value';
  for (;;) {
    const character = text[at];
    if (wants.endsWith('or end') && open.length > 0 && character === (open.at(-1) === '{' ? '}' : ']')) {
      open.pop();
      at = skip(at + 1);
      wants = 'comma or end';
    } else if (wants === 'comma or end') {
      if (open.length === 0 || character !== ',') return at;
      at = skip(at + 1);
      wants = open.at(-1) === '{' ? 'key' : 'value';
    } else if (wants === 'key' || wants === 'key or end') {
      const end = match(TEXT, text, at);
      if (end === null) return at;
      at = skip(end);
      if (text[at] !== ':') return at;
      at = skip(at + 1);
      wants = 'value';
    } else if (character === '{' || character === '[') {
      open.push(character);
      at = skip(at + 1);
      wants = character === '{' ? 'key or end' : 'value or end';
    } else {
      const end = match(TEXT, text, at) ?? match(PLAIN, text, at);
      if (end === null) return at;
      at = skip(end);
      wants = 'comma or end';
    }
  }
}

/** The end of a match that begins at an offset. */
function match(source: RegExp, text: string, at: number): number | null {
  const pattern = new RegExp(source);
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}
