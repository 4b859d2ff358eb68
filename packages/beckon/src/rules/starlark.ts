/** A value of the literal subset: texts, numbers, truth values and lists of them. */
export type Literal = string | number | boolean | null | Literal[];

/** One call at the top of a file, with its keyword arguments; or a line that is something else, and why. */
export type Statement =
  | { line: number; text: string; name: string; args: ReadonlyMap<string, Literal> }
  | { line: number; text: string; why: string };

interface Token {
  type: 'name' | 'string' | 'number' | 'sign';
  text: string;
}

const SPACE = /[ \t\r\n\f]+|\\\r?\n|#[^\n]*/y;
const NAME = /[A-Za-z_]\w*/y;
const NUMBER = /-?\d+(?![\w.])/y;
const TEXT = /(?:"(?:[^"\\\n]|\\[^\n])*"|'(?:[^'\\\n]|\\[^\n])*')/y;
const SIGN = /[()[\],=]/y;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\', '"': '"', "'": "'" };
const CONSTANTS = new Map<string, Literal>([
  ['True', true],
  ['False', false],
  ['None', null],
]);

/**
 * Reads calls such as `prefix_rule(pattern=["git", "push"])`: nothing but literals, lists and keyword arguments. It
 * runs nothing. What is not of this form is one statement with the reason, and reading goes on at the next line that
 * begins a call.
 */
export function readStarlark(source: string): Statement[] {
  const statements: Statement[] = [];
  let at = 0;
  while (at < source.length) {
    const start = skipSpace(source, at);
    if (start >= source.length) break;
    const read = new Reader(source, start).readCall();
    const line = countLines(source, start);
    const end = read.why === undefined ? read.end : findNextCall(source, start);
    const text = source.slice(start, end).trim();
    statements.push(
      read.why === undefined ? { line, text, name: read.name, args: read.args } : { line, text, why: read.why },
    );
    at = end;
  }
  return statements;
}

type Call = { name: string; args: Map<string, Literal>; end: number; why?: undefined } | { why: string };

class Reader {
  readonly #source: string;
  #at: number;

  constructor(source: string, at: number) {
    this.#source = source;
    this.#at = at;
  }

  readCall(): Call {
    try {
      return this.#call();
    } catch (error) {
      if (error instanceof SyntaxError) return { why: error.message };
      throw error;
    }
  }

  #call(): Call {
    const name = this.#expect('name', 'the name of a function').text;
    this.#sign('(');
    const args = new Map<string, Literal>();
    while (!this.#takes(')')) {
      const key = this.#expect('name', 'an argument with a name').text;
      this.#sign('=');
      if (args.has(key)) throw new SyntaxError(`The argument ${key} is there twice.`);
      args.set(key, this.#value(0));
      if (!this.#takes(',')) {
        this.#sign(')');
        break;
      }
    }
    // What follows on the line belongs to the call, such as `.format(…)` or `if …`.
    const end = this.#at;
    const rest = /^[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/.test(this.#source.slice(end));
    if (!rest) throw new SyntaxError('Something follows the call on its line.');
    return { name, args, end };
  }

  #value(depth: number): Literal {
    if (depth > 4) throw new SyntaxError('The lists are too deep.');
    const token = this.#next();
    if (token.type === 'string') return unquote(token.text);
    if (token.type === 'number') return Number(token.text);
    if (token.type === 'name' && CONSTANTS.has(token.text)) return CONSTANTS.get(token.text) ?? null;
    if (token.text !== '[') throw new SyntaxError(`Expected a text or a list, got ${token.text}.`);
    const items: Literal[] = [];
    while (!this.#takes(']')) {
      items.push(this.#value(depth + 1));
      if (!this.#takes(',')) {
        this.#sign(']');
        break;
      }
    }
    return items;
  }

  #next(): Token {
    const start = skipSpace(this.#source, this.#at);
    for (const [type, pattern] of [
      ['name', NAME],
      ['string', TEXT],
      ['number', NUMBER],
      ['sign', SIGN],
    ] as const) {
      const text = matchAt(pattern, this.#source, start);
      if (text === undefined) continue;
      this.#at = start + text.length;
      // `r"…"` and `"""…"""` mean something else than they seem to.
      if (/^["']/.test(this.#source.slice(this.#at)) && (type === 'name' || type === 'string')) {
        throw new SyntaxError('Expected texts in plain quotes.');
      }
      return { type, text };
    }
    const found = this.#source.slice(start, start + 1);
    throw new SyntaxError(found === '' ? 'The file ends inside a call.' : `Did not expect ${found}`);
  }

  #expect(type: Token['type'], what: string): Token {
    const token = this.#next();
    if (token.type !== type) throw new SyntaxError(`Expected ${what}, got ${token.text}.`);
    return token;
  }

  #sign(sign: string): void {
    const { text, type } = this.#next();
    if (type !== 'sign' || text !== sign) throw new SyntaxError(`Expected ${sign} and got ${text}.`);
  }

  #takes(sign: string): boolean {
    const start = skipSpace(this.#source, this.#at);
    if (this.#source[start] !== sign) return false;
    this.#at = start + 1;
    return true;
  }
}

function unquote(text: string): string {
  return text.slice(1, -1).replaceAll(/\\(.)/gs, (_, character: string) => {
    const value = ESCAPES[character];
    if (value === undefined) throw new SyntaxError(`Beckon does not know the escape \\${character}.`);
    return value;
  });
}

function skipSpace(source: string, from: number): number {
  let at = from;
  for (;;) {
    const space = matchAt(SPACE, source, at);
    if (space === undefined) return at;
    at += space.length;
  }
}

function matchAt(pattern: RegExp, source: string, at: number): string | undefined {
  const sticky = new RegExp(pattern.source, 'y');
  sticky.lastIndex = at;
  return sticky.exec(source)?.[0];
}

/** The next line that begins a call at the left edge, so that one bad call does not hide those after it. */
function findNextCall(source: string, from: number): number {
  const next = /\n(?=[A-Za-z_]\w*[ \t]*\()/g;
  next.lastIndex = from;
  const found = next.exec(source);
  return found === null ? source.length : found.index + 1;
}

function countLines(source: string, at: number): number {
  return source.slice(0, at).split('\n').length;
}
