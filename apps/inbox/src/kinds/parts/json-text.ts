import type { Json, JsonObject } from 'beckon/protocol';
import { findJsonError } from './json-error.ts';

/** Parsed JSON, or the problem and the line (from 1) at which the text stops being JSON. */
export type ParsedJson = { ok: true; value: Json } | { ok: false; message: string; line: number };

/** Reads JSON that a person typed. */
export function parseJsonText(text: string): ParsedJson {
  try {
    return { ok: true, value: JSON.parse(text) as Json };
  } catch (error) {
    const full = error instanceof Error ? error.message : String(error);
    const line = text.slice(0, findJsonError(text)).split('\n').length;
    // Browsers quote the text and add the position, each in its own words.
    const message = full
      .replace(/^JSON\.parse: /, '')
      .replace(/,? ?\.{0,3}"[^]*" is not valid JSON$/, '')
      .replace(/ (?:in JSON )?at (?:position|line) [^]*$/, '');
    return { ok: false, message, line };
  }
}

/** Whether a value is an object with fields. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An own field of an object, so `constructor` finds nothing inherited. */
export function own(value: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

/** An own field that is a string. */
export function ownText(value: JsonObject, name: string): string | undefined {
  const found = own(value, name);
  return typeof found === 'string' ? found : undefined;
}
