/** A value that cannot be read without running the code. */
export class NotLiteral extends Error {
  /** Its position in the text. */
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/**
 * Reads a literal value from a source file: objects, arrays, strings, numbers, true, false and null, with comments,
 * trailing commas and any quotes. Runs nothing: anything else throws `NotLiteral`.
 */
export function readLiteral(source: string, start: number): unknown {
  let at = start;

  const fail = (expected: string): never => {
    const found = source.slice(at, at + 20).split('\n')[0] ?? '';
    throw new NotLiteral(`expected ${expected}, got ${JSON.stringify(found === '' ? 'the end' : found)}`, at);
  };
  const skip = (): void => {
    const space = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
    space.lastIndex = at;
    at += space.exec(source)?.[0].length ?? 0;
  };
  const take = (pattern: RegExp): string | undefined => {
    const sticky = new RegExp(pattern.source, 'y');
    sticky.lastIndex = at;
    const found = sticky.exec(source)?.[0];
    at += found?.length ?? 0;
    return found;
  };
  const readText = (): string => {
    const quote = source[at];
    const raw = take(/'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`/);
    if (raw === undefined || (quote === '`' && /(^|[^\\])\$\{/.test(raw))) return fail('a literal string');
    return unescape(raw.slice(1, -1));
  };
  const readTexts = (): string => {
    let text = readText();
    // Long strings are often written in pieces.
    for (skip(); take(/\+/) !== undefined; skip()) {
      skip();
      text += readText();
    }
    return text;
  };
  const readArray = (): unknown[] => {
    const items: unknown[] = [];
    at += 1;
    for (skip(); take(/\]/) === undefined; skip()) {
      items.push(readValue());
      skip();
      if (take(/,/) === undefined && source[at] !== ']') fail('"," or "]"');
    }
    return items;
  };
  const readObject = (): Record<string, unknown> => {
    const fields: [string, unknown][] = [];
    at += 1;
    for (skip(); take(/\}/) === undefined; skip()) {
      const name = /['"]/.test(source[at] ?? '') ? readText() : (take(/[A-Za-z_$][\w$]*/) ?? fail('a field name'));
      skip();
      if (take(/:/) === undefined) fail(`":" after ${name}`);
      fields.push([name, readValue()]);
      skip();
      if (take(/,/) === undefined && source[at] !== '}') fail('"," or "}"');
    }
    return Object.fromEntries(fields);
  };
  const readValue = (): unknown => {
    skip();
    const value = readBare();
    skip();
    // Type annotations do not change the value.
    while (take(/(?:as\s+const|satisfies\s+[\w.<>[\]]+|as\s+[\w.<>[\]]+)/) !== undefined) skip();
    return value;
  };
  const readBare = (): unknown => {
    const next = source[at] ?? '';
    if (next === '{') return readObject();
    if (next === '[') return readArray();
    if (/['"`]/.test(next)) return readTexts();
    const number = take(/-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\b/);
    if (number !== undefined) return Number(number);
    const word = take(/true\b|false\b|null\b/);
    return word === undefined ? fail('a literal value') : JSON.parse(word);
  };
  return readValue();
}

function unescape(text: string): string {
  return text.replaceAll(/\\(?:u\{([\da-fA-F]+)\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|(\r?\n)|([\s\S]))/g, (...found) => {
    const [, braces, four, two, lineBreak, other = ''] = found as (string | undefined)[];
    const code = braces ?? four ?? two;
    if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16));
    if (lineBreak !== undefined) return '';
    return { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', 0: '\0' }[other] ?? other;
  });
}
