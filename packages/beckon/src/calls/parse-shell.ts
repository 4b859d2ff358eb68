import { type ParsedScript, parse } from 'unbash';

/** Most characters of a text that is parsed, and how deep its brackets may be, in quotes or not. */
const MOST_CHARS = 65_536;
const MOST_DEPTH = 64;
/** The parser looks for the end of each of these to the end of the text: so many characters are looked at in all. */
const MOST_LOOKS = 20_000_000;
const LOOKED_FOR = /[{`]|\$\[/g;
const BRACKET = /[()[\]{}]/g;
/** The body of a function may be another one, so their number is how deep they may be. */
const MOST_FUNCTIONS = 500;
const FUNCTION = /\(\s*\)/g;

/**
 * Parses a text for a shell; `undefined` if it is too long or too deep. The parser alone takes seconds for some texts
 * of a few thousand brackets, and throws where the stack ends.
 */
export function parseShell(source: string): ParsedScript | undefined {
  if (source.length > MOST_CHARS || isDeep(source)) return undefined;
  if ((source.match(LOOKED_FOR)?.length ?? 0) * source.length > MOST_LOOKS) return undefined;
  if ((source.match(FUNCTION)?.length ?? 0) > MOST_FUNCTIONS) return undefined;
  try {
    return parse(source);
  } catch {
    return undefined;
  }
}

function isDeep(source: string): boolean {
  let depth = 0;
  for (const [bracket] of source.matchAll(BRACKET)) {
    depth = '([{'.includes(bracket) ? depth + 1 : Math.max(0, depth - 1);
    if (depth > MOST_DEPTH) return true;
  }
  return false;
}
