import { BeckonError } from '../../protocol/errors.ts';

/** Parses a JSON object. Throws `invalid_input` that says what is wrong. */
export function parseObject(text: string, path: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new BeckonError(
      'invalid_input',
      `${path} is not valid JSON: ${(error as Error).message}. Beckon does not touch it. Repair it first.`,
      { cause: error },
    );
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new BeckonError('invalid_input', `${path} is not a JSON object. Beckon does not touch it. Repair it first.`);
}

/**
 * Sets one field of a JSON object, or removes it if `value` is undefined, and leaves every other character of the text
 * alone. The text must be valid.
 */
export function setField(text: string, name: string, value: unknown): string {
  const fields = findFields(text);
  // If a name occurs twice, readers take the last.
  const at = fields.findLastIndex((field) => field.name === name);
  const field = fields[at];
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? '  ';
  // Repeats, because without it an earlier field of this name would count.
  if (value === undefined) return field === undefined ? text : setField(removeField(text, fields, at), name, undefined);
  const json = JSON.stringify(value, null, indent).replaceAll('\n', `\n${indent}`);
  if (field !== undefined) return `${text.slice(0, field.valueStart)}${json}${text.slice(field.end)}`;
  const last = fields.at(-1);
  const entry = `\n${indent}${JSON.stringify(name)}: ${json}`;
  if (last !== undefined) return `${text.slice(0, last.end)},${entry}${text.slice(last.end)}`;
  const open = text.indexOf('{');
  return `${text.slice(0, open + 1)}${entry}\n${text.slice(text.lastIndexOf('}'))}`;
}

interface Field {
  name: string;
  start: number;
  valueStart: number;
  /** After the value. */
  end: number;
}

// Removes the comma on one side too, so the rest stays valid.
function removeField(text: string, fields: readonly Field[], at: number): string {
  const before = fields[at - 1]?.end;
  const after = fields[at + 1]?.start;
  const { start, end } = fields[at] as Field;
  if (before !== undefined) return text.slice(0, before) + text.slice(end);
  if (after !== undefined) return text.slice(0, start) + text.slice(after);
  return `${text.slice(0, text.indexOf('{'))}{}${text.slice(text.lastIndexOf('}') + 1)}`;
}

/** Finds the fields of the outermost object. */
function findFields(text: string): Field[] {
  const fields: Field[] = [];
  let position = skipSpace(text, skipSpace(text, 0) + 1);
  while (text[position] === '"') {
    const start = position;
    const nameEnd = skipValue(text, start);
    const valueStart = skipSpace(text, skipSpace(text, nameEnd) + 1);
    const end = skipValue(text, valueStart);
    fields.push({ name: JSON.parse(text.slice(start, nameEnd)) as string, start, valueStart, end });
    position = skipSpace(text, end);
    if (text[position] === ',') position = skipSpace(text, position + 1);
  }
  return fields;
}

function skipSpace(text: string, from: number): number {
  let position = from;
  // A file may begin with a byte order mark.
  while (/[\s\uFEFF]/.test(text[position] ?? '')) position += 1;
  return position;
}

function skipValue(text: string, from: number): number {
  let depth = 0;
  let position = from;
  for (;;) {
    const character = text[position];
    if (character === '"') position = skipText(text, position);
    else {
      if (character === '{' || character === '[') depth += 1;
      if (character === '}' || character === ']') depth -= 1;
      position += 1;
    }
    if (depth === 0 && (position >= text.length || /[\s,}\]:]/.test(text[position] ?? ''))) return position;
  }
}

function skipText(text: string, from: number): number {
  let position = from + 1;
  while (text[position] !== '"') position += text[position] === '\\' ? 2 : 1;
  return position + 1;
}
