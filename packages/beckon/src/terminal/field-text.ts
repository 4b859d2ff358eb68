import stringWidth from 'fast-string-width';
import { toJsonText, toVisibleLine } from '../presentation/visible.ts';
import type { Json, JsonObject } from '../protocol/json.ts';
import type { Line } from './line.ts';
import { describeMarked, type Marking } from './risk-text.ts';
import { cut } from './text-layout.ts';

/** A longer name does not move the other values to the right. */
const NAME_COLUMNS = 20;
const SHORT_CHARS = 60;

/**
 * The fields of a tool's input as a table. A text of several lines gets a bar: it cannot pose as a field.
 */
export function describeFields(fields: JsonObject, marking: Omit<Marking, 'path'>): Line[] {
  const { paint } = marking;
  const names = Object.keys(fields).map((name) => cut(toVisibleLine(name, undefined, 'code'), NAME_COLUMNS));
  const width = Math.max(0, ...names.map((name) => stringWidth(name)));
  return Object.entries(fields).flatMap(([field, value], index) => {
    const name = names[index] ?? '';
    const gutter = `  ${paint(name, 'cyan')}${' '.repeat(width - stringWidth(name) + 2)}`;
    const blank = ' '.repeat(width + 4);
    const text = toText(value);
    const bar = text.includes('\n') ? '| ' : '';
    // Findings have places in texts, not in the JSON that is shown for other values.
    const findings = typeof value === 'string' ? marking.findings : [];
    const toGutter = (at: number): string => `${at === 0 ? gutter : blank}${bar}`;
    return describeMarked(text, toGutter, { ...marking, findings, path: [field] });
  });
}

/** A short list or object stays on one line. */
function toText(value: Json): string {
  if (typeof value === 'string') return value;
  const short = toJsonText(value);
  return short.length <= SHORT_CHARS ? short : toJsonText(value, 2);
}
