import {
  type Assignment,
  type Command,
  forEachChild,
  type ParsedScript,
  type Redirected,
  type Redirection,
  type SyntaxNode,
  type Word,
} from 'unbash';
import type { FoundCommand, FoundCommands, FoundRedirect, FoundWord } from './found-command.ts';
import { parseShell } from './parse-shell.ts';
import { toPrinted } from './printed-text.ts';
import { type Input, readsCommands, toInput, toInputWords } from './shell-input.ts';
import { type Known, toFields, toText, toWordText } from './shell-words.ts';
import { splitRoughly } from './split-roughly.ts';
import { toProgram, unwrapCommand } from './unwrap-command.ts';
import { Variables } from './variables.ts';
import { isShell } from './wrappers.ts';

export type { FoundCommand, FoundCommands, FoundWord } from './found-command.ts';

/** How deep texts may be inside each other, how many commands are found, and how many characters are parsed for it. */
const MOST_DEPTH = 12;
const MOST_COMMANDS = 2000;
const MOST_WORDS = 2000;
const MOST_CHARS = 500_000;
/** How many commands of a pipeline are remembered. */
const MOST_PIPED = 32;
/** How often it is looked at what `$(…)` prints: they may be inside each other. */
const MOST_OUTPUTS = 10_000;
/** Of a text that no parser takes, so much of its beginning and of its end is looked at. */
const ROUGH_CHARS = 65_536;

/** Where a text that is parsed comes from, and what is around it. */
interface Around {
  via: readonly string[];
  pipedFrom: readonly FoundCommand[];
  /** What it reads, if that is known. */
  input?: Input | undefined;
  isDisguised: boolean;
  depth: number;
  toPlace(start: number, end: number): [start: number, end: number];
}

const NOWHERE: Around = {
  via: [],
  pipedFrom: [],
  isDisguised: false,
  depth: 0,
  toPlace: (start, end) => [start, end],
};

/**
 * Finds the commands of a text for whoever warns, asks or denies: also behind wrappers (`sudo`, `xargs`, `find -exec`),
 * in texts for another shell (`bash -c`, `eval`, `ssh`, here-documents, what `echo` prints into a shell), in aliases
 * and in variables. It is a best effort: a text can be written so that a shell runs more than this.
 */
export function findCommands(source: string): FoundCommands {
  const finder = new Finder(source);
  finder.findIn(source, NOWHERE);
  return {
    commands: finder.commands,
    functions: finder.functions,
    isWhole: finder.isWhole && !finder.isCut,
    isCut: finder.isCut,
  };
}

class Finder {
  readonly commands: FoundCommand[] = [];
  readonly functions: FoundWord[] = [];
  isWhole = true;
  isCut = false;
  readonly #source: string;
  readonly #variables = new Variables();
  readonly #aliases = new Map<string, string>();
  /** What the text itself writes to files. */
  readonly #files = new Map<string, Input>();
  #chars = 0;
  #outputs = 0;

  constructor(source: string) {
    this.#source = source;
  }

  findIn(text: string, around: Around): void {
    this.#chars += text.length;
    if (around.depth > MOST_DEPTH || (this.#chars > MOST_CHARS && around.depth > 0)) {
      this.isCut = true;
      return;
    }
    const script = parseShell(text);
    if (script === undefined) {
      this.isCut = true;
      this.#findRoughly(text, around);
      return;
    }
    if (script.errors !== undefined && script.errors.length > 0) this.isWhole = false;
    try {
      this.#visit(script, { ...around, toPlace: within(text, around.toPlace) });
    } catch (error) {
      // `coproc coproc …` is deep without a bracket.
      if (!(error instanceof RangeError)) throw error;
      this.isCut = true;
      this.#findRoughly(text, around);
    }
  }

  #findRoughly(text: string, around: Around): void {
    const last = Math.max(ROUGH_CHARS, text.length - ROUGH_CHARS);
    this.#addRoughly(text.slice(0, ROUGH_CHARS), 0, around);
    this.#addRoughly(text.slice(last), last, around);
  }

  #addRoughly(text: string, at: number, around: Around): void {
    for (const words of splitRoughly(text, MOST_COMMANDS / 4)) {
      const placed = words.map((word) =>
        this.#toWord(word.text, { start: at + word.start, end: at + word.end }, around),
      );
      this.#add(placed, [], [], around);
    }
  }

  #visit(node: SyntaxNode, around: Around): void {
    if (this.commands.length >= MOST_COMMANDS) {
      this.isCut = true;
      return;
    }
    switch (node.type) {
      case 'Pipeline':
        this.#visitPipeline(node.commands, around);
        return;
      case 'Command':
        this.#visitCommand(node, around);
        break;
      case 'Function':
        this.functions.push(this.#toWord(node.name.value, { start: node.name.pos, end: node.name.end }, around));
        break;
      case 'For':
      case 'Select':
        for (const word of node.wordlist ?? [])
          for (const field of toFields(word, this.#knownAt(0))) this.#variables.add(node.name.value, field);
        break;
      case 'ArithmeticExpansion':
        this.#visitArithmetic(node.text, node.pos, around);
        break;
      case 'Redirected':
        this.#visitRedirected(node, around);
        return;
      default:
    }
    if (node.type === 'Script' && node.errors !== undefined && node.errors.length > 0) this.isWhole = false;
    forEachChild(node, (child) => this.#visit(child, around));
  }

  #visitPipeline(stages: readonly SyntaxNode[], around: Around): void {
    let { pipedFrom, input } = around;
    const start = stages[0]?.pos ?? 0;
    for (const stage of stages) {
      if (this.isCut) return;
      const from = this.commands.length;
      this.#visit(stage, { ...around, pipedFrom, input });
      pipedFrom = [...pipedFrom, ...this.commands.slice(from)].slice(-MOST_PIPED);
      const text = this.#toPrinted(stage, input?.text);
      input = text === undefined ? undefined : toInput(text, around.toPlace(start, stage.end));
    }
  }

  /** `{ …; } > file`, `while …; done < file`, `(sh) <<EOF`: the files belong to everything inside. */
  #visitRedirected(node: Redirected, around: Around): void {
    const known = this.#knownAt(0);
    const redirects = node.redirects.flatMap((redirect) => this.#toRedirect(redirect, known, around));
    this.#add([], [], redirects, around);
    const input = this.#toInput(node.redirects, known, around) ?? around.input;
    forEachChild(node, (child) => this.#visit(child, { ...around, input }));
    this.#remember(node, redirects, around);
  }

  // bash takes `$((a b $(c)))` for commands, although its manual says that it is arithmetic.
  #visitArithmetic(text: string, at: number, around: Around): void {
    if (!/[\w)] +-?[A-Za-z$]/.test(text) || !/[$`]/.test(text.slice(1))) return;
    this.#addRoughly(text.slice(3, -2), at + 3, around);
  }

  #visitCommand(node: Command, around: Around): void {
    const { name } = node;
    const set = node.prefix.filter((part) => part.type === 'Assignment');
    for (const part of node.suffix) if (part.type === 'Assignment') this.#assign(part);
    if (name === undefined) for (const part of set) this.#assign(part);
    const written = name === undefined ? [] : [name, ...node.args];
    const seen = new Set<string>();
    for (let pick = 0; pick < this.#countPicks(written); pick += 1) {
      const known = this.#knownAt(pick);
      const words = written.flatMap((word) => this.#toWords(word, known, around));
      const key = words.map(({ text }) => text).join('\0');
      if (seen.has(key)) continue;
      seen.add(key);
      const redirects = node.redirects.flatMap((redirect) => this.#toRedirect(redirect, known, around));
      const input = this.#toInput(node.redirects, known, around) ?? around.input;
      const assignments = set.map((part) => this.#toAssignmentWord(part, known, around));
      const inner = { ...around, input, isDisguised: around.isDisguised || isNameHidden(name, words) };
      // `X=1 sh -c '…'`: the command has the variable, but neither its own words nor what comes after it.
      const before = name === undefined || set.length === 0 ? undefined : this.#variables.copy();
      if (before !== undefined) for (const part of set) this.#assign(part);
      this.#add(words, assignments, redirects, inner);
      if (before !== undefined) this.#variables.restore(before);
    }
    if (name === undefined) return;
    this.#findInSubstitutions(node, around);
    const targets = node.redirects.flatMap((redirect) => this.#toRedirect(redirect, this.#knownAt(0), around));
    this.#remember(node, targets, around);
  }

  /** What is written to a file may be run later. */
  #remember(node: Command | Redirected, targets: readonly FoundRedirect[], around: Around): void {
    const text = this.#toPrinted(node, around.input?.text);
    if (text === undefined) return;
    const place = around.toPlace(node.pos, Math.max(node.end, ...node.redirects.map(toRedirectEnd)));
    for (const { operator, target } of targets)
      if (operator.startsWith('>')) this.#files.set(toBase(target.text), toInput(text, place));
  }

  /** `bash <(echo …)`: what a substitution prints is what the shell runs. */
  #findInSubstitutions(node: Command, around: Around): void {
    const program = toProgram(this.#toWords(node.name as Word, this.#knownAt(0), around));
    if (!isShell(program) && program !== 'source' && program !== '.') return;
    const targets = node.redirects.flatMap((redirect) => (redirect.type === 'Redirect' ? [redirect.target] : []));
    for (const word of [...node.args, ...targets]) {
      if (word?.type !== 'Word') continue;
      for (const part of word.parts ?? []) {
        if (part.type !== 'ProcessSubstitution' || part.script === undefined) continue;
        const text = this.#toPrinted(part.script, undefined);
        if (text !== undefined) this.#findInText(text, ...around.toPlace(word.pos, word.end), around, program);
      }
    }
  }

  #add(
    words: readonly FoundWord[],
    assignments: readonly FoundWord[],
    redirects: readonly FoundRedirect[],
    around: Around,
  ): void {
    if (this.commands.length >= MOST_COMMANDS || words.length > MOST_WORDS || around.depth > MOST_DEPTH) {
      this.isCut = true;
      return;
    }
    const parts = [...assignments, ...words, ...redirects.map(({ target }) => target)];
    if (parts.length === 0) return;
    const { via, pipedFrom, isDisguised } = around;
    const command: FoundCommand = {
      words,
      start: Math.min(...parts.slice(0, MOST_COMMANDS).map(({ start }) => start)),
      end: Math.max(...parts.slice(-MOST_COMMANDS).map(({ end }) => end)),
      assignments,
      redirects,
      pipedFrom,
      via,
      isDisguised,
    };
    this.commands.push(command);
    if (words.length > 0) this.#unwrap(command, around);
  }

  #unwrap(command: FoundCommand, around: Around): void {
    const { words, assignments, redirects } = command;
    const program = toProgram(words);
    const inner = { ...around, via: [...around.via, program], depth: around.depth + 1 };
    const { input } = around;
    // `echo / | xargs rm -rf`: what is read becomes the last words.
    const added = input !== undefined && /^g?xargs$/.test(program) ? toInputWords(input) : [];
    for (const wrapped of unwrapCommand(words)) {
      if ('words' in wrapped) this.#add([...wrapped.words, ...added], assignments, redirects, inner);
      else this.#findInText(wrapped.text, wrapped.start, wrapped.end, around, program);
    }
    if (input !== undefined && readsCommands(program, words))
      this.#findInText(input.text, input.start, input.end, { ...around, input: undefined }, program);
    this.#runFile(command, program, around);
    if (program === 'alias') for (const { text } of words.slice(1)) this.#setAlias(text);
    const alias = this.#aliases.get(words[0]?.text ?? '');
    if (alias === undefined) return;
    const text = [alias, ...words.slice(1).map((word) => quote(word.text))].join(' ');
    this.#findInText(text, command.start, command.end, { ...around, isDisguised: true }, program);
  }

  /** `echo … > x.sh; sh x.sh` */
  #runFile({ words }: FoundCommand, program: string, around: Around): void {
    const isRun = isShell(program) || program === 'source' || program === '.';
    const word = isRun ? words.slice(1).find(({ text }) => !/^[-+]/.test(text)) : words[0];
    const file =
      word === undefined || (!isRun && !word.text.includes('/')) ? undefined : this.#files.get(toBase(word.text));
    if (file !== undefined) this.#findInText(file.text, file.start, file.end, around, program);
  }

  /** Finds in a text that a command runs. Its places are exact if it is written in the source as it is. */
  #findInText(text: string, start: number, end: number, around: Around, program: string): void {
    const { toPlace, isWritten } = this.#locate(text, start, end);
    this.findIn(text, {
      via: [...around.via, program],
      pipedFrom: [],
      isDisguised: around.isDisguised || !isWritten,
      depth: around.depth + 1,
      toPlace,
    });
  }

  #locate(text: string, start: number, end: number): Pick<Around, 'toPlace'> & { isWritten: boolean } {
    const whole = this.#source.slice(start, end);
    const at = whole.indexOf(text);
    if (at !== -1) return { toPlace: (from, to) => [start + at + from, start + at + to], isWritten: true };
    // Without the quotes and spaces it may still be what people read there.
    const isWritten = strip(whole).includes(strip(text));
    return { toPlace: () => [start, end], isWritten };
  }

  #toWord(text: string, { start, end }: { start: number; end: number }, around: Around): FoundWord {
    const [from, to] = around.toPlace(start, end);
    return { text, start: from, end: to };
  }

  #toWords(word: Word | Assignment, known: Known, around: Around): FoundWord[] {
    if (word.type === 'Assignment') return [this.#toAssignmentWord(word, known, around)];
    return toFields(word, known).map((text) => this.#toWord(text, { start: word.pos, end: word.end }, around));
  }

  #toAssignmentWord(part: Assignment, known: Known, around: Around): FoundWord {
    const value = part.value.type === 'Word' ? toWordText(part.value, known) : part.text.slice(part.name.length + 1);
    return this.#toWord(`${part.name}=${value}`, { start: part.pos, end: part.end }, around);
  }

  #toRedirect(redirect: Redirection, known: Known, around: Around): FoundRedirect[] {
    const target = redirect.type === 'HereDoc' ? redirect.delimiter : redirect.target;
    const { operator } = redirect;
    if (target === undefined) return [];
    // Texts are no files: what a shell would read is found elsewhere, and this says how it is written.
    const text = redirect.type === 'Redirect' && target.type === 'Word' ? toWordText(target, known) : target.text;
    return [{ operator, target: this.#toWord(text, { start: target.pos, end: target.end }, around) }];
  }

  /** What a here-document or a here-string gives to a command to read. */
  #toInput(redirects: readonly Redirection[], known: Known, around: Around): Input | undefined {
    const redirect = redirects.findLast(({ type }) => type !== 'Redirect');
    if (redirect?.type === 'HereDoc') {
      const { parts, text, pos, end } = redirect.body;
      return toInput(parts === undefined ? text : toText(parts, known), around.toPlace(pos, end));
    }
    if (redirect?.type !== 'HereString' || redirect.target === undefined) return undefined;
    const { target } = redirect;
    return toInput(toWordText(target, known), around.toPlace(target.pos, target.end));
  }

  /** What a node prints, if it only prints or decodes. */
  #toPrinted(node: SyntaxNode, input: string | undefined): string | undefined {
    switch (node.type) {
      case 'Script':
      case 'CompoundList': {
        const printed = node.commands.map((statement) => this.#toPrinted(statement, input));
        return printed.length === 0 || printed.includes(undefined) ? undefined : printed.join('\n');
      }
      case 'Statement':
        return this.#toPrinted(node.command, input);
      case 'Subshell':
      case 'BraceGroup':
        return this.#toPrinted(node.body, input);
      case 'Redirected':
        return this.#toPrinted(node.command, input);
      case 'Pipeline':
        return node.commands.reduce<string | undefined>((text, stage) => this.#toPrinted(stage, text), input);
      case 'Command': {
        if (node.name === undefined) return undefined;
        const known = this.#knownAt(0);
        const words = [node.name, ...node.args].flatMap((word) => (word.type === 'Word' ? toFields(word, known) : []));
        return toPrinted(words, this.#toInput(node.redirects, known, NOWHERE)?.text ?? input);
      }
      default:
        return undefined;
    }
  }

  #knownAt(pick: number): Known {
    return {
      valueOf: (name) => {
        const value = this.#variables.valueOf(name, pick);
        this.#chars += value?.length ?? 0;
        if (this.#chars <= MOST_CHARS * 2) return value;
        this.isCut = true;
        return undefined;
      },
      outputOf: (script: ParsedScript) => {
        this.#outputs += 1;
        return this.#outputs > MOST_OUTPUTS ? undefined : this.#toPrinted(script, undefined);
      },
    };
  }

  #countPicks(words: readonly SyntaxNode[]): number {
    let picks = 1;
    const count = (node: SyntaxNode): void => {
      if (node.type === 'SimpleExpansion' || node.type === 'ParameterExpansion') {
        const name = node.type === 'SimpleExpansion' ? node.text.slice(1) : node.parameter;
        picks = Math.max(picks, this.#variables.count(name));
      }
      forEachChild(node, count);
    };
    for (const word of words) if ('parts' in word && word.parts !== undefined) count(word);
    return picks;
  }

  #assign({ name, value, append }: Assignment): void {
    if (value.type !== 'Word') {
      for (const element of value.elements) this.#variables.add(name, toWordText(element, this.#knownAt(0)));
      return;
    }
    const text = toWordText(value, this.#knownAt(0));
    this.#variables.add(name, append ? `${this.#variables.valueOf(name, Infinity) ?? ''}${text}` : text);
  }

  #setAlias(text: string): void {
    const at = text.indexOf('=');
    if (at > 0) this.#aliases.set(text.slice(0, at), text.slice(at + 1));
  }
}

/** The parser says that an open `` $((`\ `` ends behind the text. */
function within({ length }: string, toPlace: Around['toPlace']): Around['toPlace'] {
  return (start, end) => toPlace(Math.min(start, length), Math.min(end, length));
}

function toRedirectEnd(redirect: Redirection): number {
  return redirect.type === 'HereDoc' ? redirect.body.end : redirect.end;
}

function toBase(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Whether the name of a command is not what people read: in a variable, in pieces, as escapes. */
function isNameHidden(name: Word | undefined, words: readonly FoundWord[]): boolean {
  if (name === undefined) return false;
  // A path of Windows loses its backslashes, but hides nothing.
  if (/\.(?:exe|cmd|bat)["']?$/i.test(name.text)) return false;
  const text = words[0]?.text ?? '';
  return /["'\\]/.test(name.text) ? name.text.replace(/^\\|^(["'])(.*)\1$/s, '$2') !== text : name.text !== text;
}

function strip(text: string): string {
  return text.replaceAll(/["'\\\s]/g, '');
}

function quote(text: string): string {
  return /^[\w./:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
