/** Most characters of a text that is made from others. */
const MOST_CHARS = 65_536;
const LETTERS: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '', b: '', f: '', v: '', e: '' };
const ESCAPE = /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|0?([0-7]{1,3})|(.))/gs;

/**
 * What a command prints, if its words and its input say so: `echo`, `printf`, `cat`, and those that only decode. It is
 * how a command is hidden from readers and given to a shell.
 */
export function toPrinted(words: readonly string[], input: string | undefined): string | undefined {
  const [program = '', ...rest] = words;
  const printed = print(program.slice(program.lastIndexOf('/') + 1), rest, input);
  return printed?.slice(0, MOST_CHARS);
}

function print(program: string, words: readonly string[], input: string | undefined): string | undefined {
  switch (program) {
    case 'echo':
      return printEcho(words);
    case 'printf':
      return printFormat(words);
    case 'cat':
    case 'tee':
      return program === 'tee' || words.every((word) => word === '-') ? input : undefined;
    case 'base64':
    case 'gbase64':
      return has(words, /^(?:-[a-zA-Z]*[dD]|--decode)$/) ? decodeBase64(input) : undefined;
    case 'openssl':
      return has(words, /^-?(?:base64|a)$/) && has(words, /^-d$/) ? decodeBase64(input) : undefined;
    case 'xxd':
      return has(words, /^-[a-z]*r/) ? decodeHex(input) : undefined;
    case 'rev':
      return input === undefined ? undefined : input.split('\n').map(reverse).join('\n');
    case 'tr':
      return input === undefined ? undefined : translate(input, words);
    default:
      return undefined;
  }
}

function has(words: readonly string[], pattern: RegExp): boolean {
  return words.some((word) => pattern.test(word));
}

function printEcho(words: readonly string[]): string {
  const options = words.findIndex((word) => !/^-[neE]+$/.test(word));
  const from = options === -1 ? words.length : options;
  const text = words.slice(from).join(' ');
  return words.slice(0, from).some((word) => word.includes('e')) ? unescape(text) : text;
}

function printFormat(given: readonly string[]): string {
  const [format = '', ...values] = given[0] === '--' || given[0] === '-v' ? given.slice(1) : given;
  let at = 0;
  // Each round takes the next values, as long as there are any.
  const round = (): string =>
    unescape(format).replaceAll(/%(?:%|-?\d*([sbqdxc]))/g, (whole, letter: string | undefined) => {
      if (letter === undefined) return whole === '%%' ? '%' : whole;
      const value = values[at] ?? '';
      at += 1;
      return letter === 'b' ? unescape(value) : value;
    });
  let printed = round();
  while (at > 0 && at < values.length && printed.length < MOST_CHARS) printed += round();
  return printed;
}

function unescape(text: string): string {
  return text.replaceAll(ESCAPE, (whole, hex?: string, unicode?: string, octal?: string, letter?: string) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    if (unicode !== undefined) return String.fromCharCode(Number.parseInt(unicode, 16));
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
    return letter === '\\' ? letter : (LETTERS[letter ?? ''] ?? whole);
  });
}

function decodeBase64(input: string | undefined): string | undefined {
  if (input === undefined) return undefined;
  try {
    return decodeUtf8(atob(input.replaceAll(/[^A-Za-z0-9+/]/g, '')));
  } catch {
    return undefined;
  }
}

function decodeHex(input: string | undefined): string | undefined {
  if (input === undefined) return undefined;
  const digits = input.replaceAll(/\\x|[^0-9a-fA-F]/g, '');
  return decodeUtf8(digits.replaceAll(/../g, (byte) => String.fromCharCode(Number.parseInt(byte, 16))));
}

function decodeUtf8(bytes: string): string {
  return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
}

function reverse(line: string): string {
  return Array.from(line).toReversed().join('');
}

/** `tr A-Za-z N-ZA-Mn-za-m`, and `tr -d x`. */
function translate(input: string, words: readonly string[]): string | undefined {
  const [from = '', to] = words.filter((word) => !/^-[dcs]$/.test(word)).map(toSet);
  if (words.includes('-d')) return Array.from(input, (letter) => (from.includes(letter) ? '' : letter)).join('');
  if (to === undefined || to === '') return undefined;
  return Array.from(input, (letter) => {
    const at = from.indexOf(letter);
    return at === -1 ? letter : (to[Math.min(at, to.length - 1)] ?? letter);
  }).join('');
}

function toSet(text: string): string {
  return unescape(text.slice(0, 256)).replaceAll(/(.)-(.)/gs, (_, first: string, last: string) => {
    const count = last.charCodeAt(0) - first.charCodeAt(0) + 1;
    return Array.from({ length: Math.min(Math.max(count, 0), 256) }, (__, index) =>
      String.fromCharCode(first.charCodeAt(0) + index),
    ).join('');
  });
}
