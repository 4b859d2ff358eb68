import type { ParameterExpansionPart, ParsedScript, Word, WordPart } from 'unbash';

/** Most fields of one word: `{a,b}{c,d}…` doubles them each time. */
const MOST_FIELDS = 64;
/** Most characters that a word becomes. */
const MOST_CHARS = 65_536;

/** What is known about variables at some place of a text. */
export interface Known {
  /** What a variable may be; the text of which is not known, `undefined`. */
  valueOf(name: string): string | undefined;
  /** What the commands in `$(…)` print, if that can be told. */
  outputOf(script: ParsedScript): string | undefined;
}

/**
 * The words that a shell makes of one: without quotes, `{a,b}` as two, a variable as what is known of it, cut at spaces
 * where a shell cuts. What is not known stays as it is written.
 */
export function toFields(word: Word, known: Known): string[] {
  // `D:\x` is for a shell of Windows: for the others it would be `D:x`, which nobody means.
  if (word.parts === undefined) return [/^[A-Za-z]:\\/.test(word.text) ? word.text : word.value];
  const fields = new Fields();
  for (const part of word.parts) addPart(fields, part, known);
  return fields.end();
}

/** The same as one text, for places in which a shell does not cut. */
export function toText(parts: readonly WordPart[], known: Known): string {
  const fields = new Fields();
  for (const part of parts) addPart(fields, part, known, true);
  return fields.end().join(' ');
}

/** The text of a word as one, such as the value of an assignment. */
export function toWordText(word: Word, known: Known): string {
  return word.parts === undefined ? word.value : toText(word.parts, known);
}

class Fields {
  #done: string[] = [];
  /** The last field, in all the forms that braces gave it. */
  #open: string[] = [''];
  #hasText = false;

  add(text: string): void {
    this.#hasText = true;
    this.#open = this.#open.map((begun) => (begun.length < MOST_CHARS ? begun + text : begun));
  }

  addCut(text: string): void {
    const [first = '', ...others] = text.split(/[ \t\n]+/);
    if (first !== '') this.add(first);
    for (const other of others.slice(0, MOST_FIELDS)) {
      this.#close();
      if (other !== '') this.add(other);
    }
  }

  addChoices(choices: readonly string[]): void {
    this.#hasText = true;
    this.#open = this.#open.flatMap((begun) => choices.map((choice) => begun + choice)).slice(0, MOST_FIELDS);
  }

  end(): string[] {
    this.#close();
    return this.#done.slice(0, MOST_FIELDS);
  }

  #close(): void {
    if (this.#hasText) this.#done.push(...this.#open);
    this.#open = [''];
    this.#hasText = false;
  }
}

function addPart(fields: Fields, part: WordPart, known: Known, isQuoted = false): void {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
    case 'Glob':
      fields.add(part.value);
      return;
    case 'DoubleQuoted':
    case 'LocaleString':
      fields.add('');
      for (const inner of part.parts) addPart(fields, inner, known, true);
      return;
    case 'BraceExpansion': {
      const choices = isQuoted ? undefined : toChoices(part.text);
      if (choices === undefined) fields.add(part.text);
      else fields.addChoices(choices);
      return;
    }
    default: {
      const text = toValue(part, known);
      if (text === undefined) fields.add(part.text);
      else if (isQuoted) fields.add(text);
      else fields.addCut(text);
    }
  }
}

function toValue(part: WordPart, known: Known): string | undefined {
  switch (part.type) {
    case 'SimpleExpansion':
      return known.valueOf(part.text.slice(1));
    case 'ParameterExpansion':
      return toParameter(part, known);
    case 'CommandExpansion':
      return part.script === undefined ? undefined : known.outputOf(part.script)?.replace(/\n+$/, '');
    default:
      return undefined;
  }
}

function toParameter({ parameter, prefix, index, operation }: ParameterExpansionPart, known: Known) {
  if (prefix !== undefined || index !== undefined) return undefined;
  const value = known.valueOf(parameter);
  if (operation === undefined) return value;
  // `${x:-rm}` is `rm` unless somebody set `x` elsewhere; `${x:+rm}` may be, too.
  if (operation.type !== 'Default' || operation.operator.endsWith('?')) return undefined;
  return operation.operator.endsWith('+') || value === undefined ? toWordText(operation.operand, known) : value;
}

/** The choices of `{a,b}`. Those inside each other and sequences (`{1..9}`) stay as they are written. */
function toChoices(text: string): string[] | undefined {
  const inner = text.slice(1, -1);
  if (/[{}$`]/.test(inner) || !inner.includes(',')) return undefined;
  return inner.split(',').map((choice) => choice.replaceAll(/["'\\]/g, ''));
}
