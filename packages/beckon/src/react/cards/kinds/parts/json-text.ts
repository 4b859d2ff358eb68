import type { Json } from '../../../../protocol/index.ts';
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
