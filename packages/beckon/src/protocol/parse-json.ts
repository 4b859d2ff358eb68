import { BeckonError } from './errors.ts';

/**
 * Parses JSON and rejects an object that has a name twice: parsers disagree on which one counts, so a person could see
 * one and an agent get the other. Throws `invalid_input`; `toMessage` gives the message for a text that is not JSON.
 */
export function parseJson(text: string, toMessage: (reason: string) => string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new BeckonError('invalid_input', toMessage((cause as Error).message), { cause });
  }
  refuseRepeatedNames(text);
  return value;
}

/**
 * Throws `invalid_input` if an object has a name twice, at any depth and however it is written. The text must be JSON.
 */
export function refuseRepeatedNames(text: string): void {
  const name = findRepeatedName(text);
  if (name === undefined) return;
  const shown = JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name);
  throw new BeckonError('invalid_input', `The JSON has the field ${shown} twice in one object. Send it once.`);
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** With more names than this a set is used. Most objects have fewer, and a list is cheaper for those. */
const FEW = 8;
type Names = string[] | Set<string>;

// One pass without recursion: a hostile text may have as many levels as characters.
function findRepeatedName(text: string): string | undefined {
  const around: (Names | null)[] = [];
  /** The names of the object that is open; `null` in an array. */
  let names: Names | null = null;
  let isName = false;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE: {
        const start = at + 1;
        at = findEnd(text, at);
        const known = isName ? names : null;
        if (known === null) break;
        const name = toName(text.slice(start, at));
        if (Array.isArray(known) ? known.includes(name) : known.has(name)) return name;
        names = add(known, name);
        isName = false;
        break;
      }
      case COMMA:
        isName = names !== null;
        break;
      case OPEN_OBJECT:
        around.push(names);
        names = [];
        isName = true;
        break;
      case OPEN_ARRAY:
        around.push(names);
        names = null;
        break;
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        names = around.pop() as Names | null;
        isName = false;
        break;
    }
  }
  return undefined;
}

/** Where the text that begins at a quote ends: at the next quote that has no odd number of backslashes before it. */
function findEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (text.charCodeAt(end - 1) === BACKSLASH) {
    let first = end - 1;
    while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
    if ((end - first) % 2 === 0) break;
    end = text.indexOf('"', end + 1);
  }
  return end;
}

// The same name can be written in many ways: "decision", "d\u0065cision".
function toName(written: string): string {
  return written.includes('\\') ? (JSON.parse(`"${written}"`) as string) : written;
}

function add(names: Names, name: string): Names {
  if (!Array.isArray(names)) return names.add(name);
  names.push(name);
  return names.length > FEW ? new Set(names) : names;
}
