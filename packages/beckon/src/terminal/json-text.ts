import { toJsonText, toVisible, toVisibleLine } from '../presentation/visible.ts';
import type { JsonObject } from '../protocol/json.ts';

/**
 * The fields of a tool's input, ready for a terminal. A text of several lines gets a bar: it cannot pose as a field.
 */
export function describeFields(fields: JsonObject): string[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const shown = toVisibleLine(name, undefined, 'code');
    if (typeof value !== 'string') return toBlock(shown, toJsonText(value, 2));
    return toBlock(shown, value);
  });
}

function toBlock(name: string, text: string): string[] {
  const lines = toVisible(text, 'code').split('\n');
  return lines.length === 1 ? [`  ${name}: ${lines[0]}`] : [`  ${name}:`, ...lines.map((line) => `  | ${line}`)];
}
