import { type Command, forEachChild, type Redirection, type SyntaxNode, type Word, type WordPart } from 'unbash';
import { parseShell } from './parse-shell.ts';

/** Most characters of a text that is looked at. */
const MOST_CHARS = 8192;
const SHAPES: ReadonlySet<string> = new Set(['Script', 'Statement', 'AndOr', 'Pipeline', 'CompoundList', 'Command']);
/** Letters that no shell changes, outside of quotes. A list of the others would be a guess: `2<(x)` is one. */
const PLAIN = /^[A-Za-z0-9_@%+=:,./-]*$/;

/**
 * The commands of a text that is nothing but plain words joined by `&&`, `||`, `;`, `|` and line ends; of every other
 * text, `undefined`. Of redirections it takes those that only join or drop output: `2>&1`, `>/dev/null`, `2>/dev/null`.
 *
 * This is what an allowing rule looks at. What bash runs for such a text is exactly these words: the fuzz in
 * `tests/fuzz` asks bash itself. The tree of any other text is a guess.
 */
export function plainCommands(source: string): string[][] | undefined {
  if (source.length > MOST_CHARS || /[\r\0]/.test(source)) return undefined;
  const script = parseShell(source);
  if (script === undefined) return undefined;
  const commands: string[][] = [];
  const isPlain = visit(script, commands);
  return isPlain && commands.length > 0 ? commands : undefined;
}

function visit(node: SyntaxNode, commands: string[][]): boolean {
  if (!SHAPES.has(node.type)) return false;
  if ('errors' in node && node.errors !== undefined && node.errors.length > 0) return false;
  if ('background' in node && node.background) return false;
  if ('prefixes' in node && node.prefixes.length > 0) return false;
  if (node.type === 'Command') return visitCommand(node, commands);
  let isPlain = true;
  forEachChild(node, (child) => {
    isPlain &&= visit(child, commands);
  });
  return isPlain;
}

function visitCommand({ name, prefix, args, redirects }: Command, commands: string[][]): boolean {
  if (name === undefined || prefix.length > 0 || !redirects.every(isHarmless)) return false;
  const words: string[] = [];
  for (const word of [name, ...args]) {
    const text = word.type === 'Word' ? toLiteral(word) : undefined;
    if (text === undefined) return false;
    words.push(text);
  }
  commands.push(words);
  return true;
}

function isHarmless(redirect: Redirection): boolean {
  if (redirect.type !== 'Redirect' || redirect.target === undefined) return false;
  const { descriptor, operator, target } = redirect;
  if (descriptor !== undefined && (descriptor.type !== 'FileDescriptor' || descriptor.value > 2)) return false;
  if (operator === '>&') return descriptor?.value === 2 && target.text === '1';
  return operator === '>' && target.text === '/dev/null';
}

/** The word as the program gets it; `undefined` if a shell may make something else of it. */
function toLiteral({ text, parts }: Word): string | undefined {
  // `=ls` is a path in zsh.
  if (text.startsWith('=')) return undefined;
  if (parts === undefined) return PLAIN.test(text) ? text : undefined;
  const values = parts.map(toPart);
  return values.includes(undefined) ? undefined : values.join('');
}

function toPart(part: WordPart): string | undefined {
  switch (part.type) {
    case 'Literal':
      return PLAIN.test(part.text) ? part.value : undefined;
    case 'SingleQuoted':
      return part.value;
    case 'DoubleQuoted': {
      if (/[\\!`$]/.test(part.text)) return undefined;
      const values = part.parts.map((inner) => (inner.type === 'Literal' ? inner.value : undefined));
      return values.includes(undefined) ? undefined : values.join('');
    }
    default:
      return undefined;
  }
}
