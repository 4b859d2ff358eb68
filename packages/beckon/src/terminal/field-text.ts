import stringWidth from 'fast-string-width';
import { toJsonText, toVisible, toVisibleLine } from '../presentation/visible.ts';
import type { Json, JsonObject } from '../protocol/json.ts';
import type { Line, Paint } from './line.ts';
import { cut } from './text-layout.ts';

/** A longer name does not move the other values to the right. */
const NAME_COLUMNS = 20;
const SHORT_CHARS = 60;

/**
 * The fields of a tool's input as a table. A text of several lines gets a bar: it cannot pose as a field.
 */
export function describeFields(fields: JsonObject, paint: Paint): Line[] {
  const names = Object.keys(fields).map((name) => cut(toVisibleLine(name, undefined, 'code'), NAME_COLUMNS));
  const width = Math.max(0, ...names.map((name) => stringWidth(name)));
  return Object.values(fields).flatMap((value, index) => {
    const name = names[index] ?? '';
    const gutter = `  ${paint(name, 'cyan')}${' '.repeat(width - stringWidth(name) + 2)}`;
    const lines = toVisible(toText(value), 'code').split('\n');
    if (lines.length === 1) return [{ gutter, text: lines[0] ?? '' }];
    const blank = ' '.repeat(width + 4);
    return lines.map((text, at) => ({ gutter: `${at === 0 ? gutter : blank}| `, text }));
  });
}

/** A short list or object stays on one line. */
function toText(value: Json): string {
  if (typeof value === 'string') return value;
  const short = toJsonText(value);
  return short.length <= SHORT_CHARS ? short : toJsonText(value, 2);
}
