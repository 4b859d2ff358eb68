/** The field of a tool's input that says best what a call is about, in this order. */
const FIELDS = ['command', 'file_path', 'notebook_path', 'path', 'pattern', 'url', 'query', 'description', 'prompt'];
const MOST_CHARS = 200;

/** What a call is about, on a line; empty if nothing of its input says it. */
export function describeCall(input: unknown): string {
  if (typeof input !== 'object' || input === null) return '';
  const fields = input as Record<string, unknown>;
  const texts = [...FIELDS.map((name) => fields[name]), ...Object.values(fields)];
  const text = texts.find((value): value is string => typeof value === 'string' && value.trim() !== '');
  return text === undefined ? '' : toLine(text, MOST_CHARS);
}

/** A text on one line of at most so many characters. */
export function toLine(text: string, chars: number): string {
  // A little more than needed: the rest of a long text would only cost time.
  return cut(
    text
      .slice(0, chars * 4)
      .replaceAll(/\s+/g, ' ')
      .trim(),
    chars,
  );
}

/** At most so many characters, with a sign that there were more. */
export function cut(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const end = chars - 1;
  // Not in the middle of a character that takes two UTF-16 units.
  return `${text.slice(0, /[\uD800-\uDBFF]/.test(text[end - 1] ?? '') ? end - 1 : end)}…`;
}
