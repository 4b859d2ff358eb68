import type { CommandPattern } from '../protocol/rule.ts';
import {
  findProgram,
  GUARDED_NAMES,
  GUARDED_STEMS,
  MODULE_NAMES,
  type Program,
  UNKNOWN_LETTERS,
  words,
} from './programs.ts';

/** Most combinations of a pattern's alternatives that are looked at. */
const MOST_COMBINATIONS = 4096;

/** A path from the root, from a home folder, or to above where a program runs; also as the value of an option. */
const ELSEWHERE = /(?:^|[=:])(?:[/~]|[A-Za-z]:[\\/])|(?:^|[=:/\\])\.\.(?:[/\\]|$)/;

/** Why no rule can allow this command, whatever its words; `null` if one can. */
export function findRunner(command: readonly string[]): string | null {
  const [name = '', ...rest] = command;
  const { isRunner, program } = findProgram(name);
  if (isRunner) return `${quote(name)} runs what it is given, or changes how the rest runs`;
  const verb = findVerb(rest, program, program?.runs);
  return verb === undefined ? null : `${quote(`${name} ${verb}`)} runs what it is given, or changes how things run`;
}

/** Which word of a list is the verb of a command. Behind options, any word may be: `git -c x=y config`. */
function findVerb(rest: readonly string[], program: Program | undefined, list: string | undefined): string | undefined {
  if (list === undefined) return undefined;
  const verbs = words(list);
  const names = rest[0]?.startsWith('-') === true ? rest : rest.slice(0, program?.names ?? 1);
  return names.find((word) => verbs.includes(word));
}

/**
 * Which of the words that an agent chose, from `from` on, a person must see: an option that runs a program, loads code,
 * writes a file or changes the place. `null` if there is none.
 */
export function findGuarded(command: readonly string[], from: number): string | null {
  const program = findReader(command);
  const letters = program?.letters ?? UNKNOWN_LETTERS;
  const options = new Set((program?.options === undefined ? [] : words(program.options)).map(toName));
  for (let at = from; at < command.length; at += 1) {
    const word = command[at] ?? '';
    if (program?.isLoader === true && ELSEWHERE.test(word)) return word;
    if (!word.startsWith('-')) {
      if (isGuardedName(word, program)) return word;
      continue;
    }
    const isExact = program?.hasOneDash === true;
    const isLong = word.startsWith('--') || isExact;
    if (isLong ? isGuardedOption(word, command[at + 1], options, isExact) : hasLetter(word, letters)) return word;
  }
  return null;
}

/** The program that reads the options: of `python -m pytest` and `node node_modules/.bin/vitest`, the one that runs. */
function findReader([name = '', ...rest]: readonly string[]): Program | undefined {
  const { program } = findProgram(name);
  const script = program?.isCode === true ? rest.find((word) => !word.startsWith('-')) : undefined;
  return script === undefined ? program : (findProgram(script).program ?? program);
}

/** Why an allowing rule cannot have this pattern, and what to write instead; `null` if it can. */
export function findFault(pattern: CommandPattern): string | null {
  const combinations = expand(pattern.words);
  if (combinations === undefined) return 'has too many alternatives; write several rules instead';
  for (const command of combinations) {
    const fault = findFaultOf(command, pattern.rest === 'any');
    if (fault !== null) return fault;
  }
  return null;
}

/** Whether the words of a rule say enough that others may follow; else what is missing. */
export function findFaultOf(command: readonly string[], isOpen: boolean): string | null {
  const runner = findRunner(command);
  if (runner !== null) return `${runner}, so no rule can allow it: a person must see each one`;
  const [name = '', ...rest] = command;
  const shown = quote(command.join(' '));
  if (name.startsWith('-') || /[\s=]/.test(name))
    return `${quote(name)} is no name of a program; begin with the program`;
  if (!isOpen) return null;
  const { program } = findProgram(name);
  if (program?.isWhole === true) {
    return `${quote(name)} with any arguments could change or reach anything; name all of its words and let none follow`;
  }
  const verb = findVerb(rest, program, program?.wholes);
  if (verb !== undefined) {
    return `${quote(`${name} ${verb}`)} with any arguments could change or fetch anything; name all of its words and let none follow`;
  }
  if (program?.isCode === true) return findFaultOfCode(name, rest);
  const names = program?.names ?? 0;
  const named = rest.findIndex((word) => word.startsWith('-'));
  if ((named < 0 ? rest.length : named) < names) {
    return `${shown} with any arguments is too wide; name what it does, such as ${quote(toLonger(name))}`;
  }
  const last = rest.at(-1);
  // `prettier --write` takes none.
  if (last?.startsWith('-') === true && last !== '--write' && findGuarded(command, command.length - 1) !== null) {
    return `${quote(last)} takes a value that an agent would choose; name the value too`;
  }
  return null;
}

function findFaultOfCode(name: string, rest: readonly string[]): string | null {
  const script = rest.findIndex((word) => !/^-[nErumIB]$/.test(word));
  const word = rest[script];
  const isNamed = word !== undefined && !word.startsWith('-') && (rest[script - 1] !== '-m' || !hasVerb(word));
  return isNamed ? null : `${quote(name)} runs code that an agent would choose; name the file or module that it runs`;
}

// `python -m pip install` is what pip does.
function hasVerb(module: string): boolean {
  return (
    findProgram(module).isRunner ||
    ['runpy', 'timeit', 'pdb', 'trace', 'cprofile', 'profile', 'code'].includes(module.toLowerCase())
  );
}

function toLonger(name: string): string {
  const { name: base } = findProgram(name);
  const usual: Readonly<Record<string, string>> = {
    git: 'git status',
    npm: 'npm test',
    docker: 'docker ps',
    make: 'make test',
  };
  return Object.hasOwn(usual, base) ? (usual[base] ?? name) : `${name} test`;
}

/** A word that is no option. For some programs it is one more thing to do, or sets what they run. */
function isGuardedName(word: string, program: Program | undefined): boolean {
  if (/^(?:ext|fd)::/.test(word) || (word.startsWith('@') && program?.isCode === true)) return true;
  return program?.hasTargets === true && !/^\d+$/.test(word);
}

/** A path of a file that a program might load. */
const CODE = /[\\/].*\.(?:[cm]?[jt]sx?|py|rb|pl|php|lua|sh|so|dylib|dll|node|wasm|jar)$/i;

function isGuardedOption(
  word: string,
  next: string | undefined,
  options: ReadonlySet<string>,
  isExact: boolean,
): boolean {
  const [written, value] = splitOption(word);
  const name = toName(written);
  if (name === '') return false;
  // `--test-reporter=./mine.js`: whatever the option is called, its value is code that an agent may have written.
  if (value !== undefined && CODE.test(value)) return true;
  if (GUARDED_NAMES.has(name) || options.has(name)) return true;
  if (MODULE_NAMES.some((known) => name.endsWith(known))) return /[./\\:]/.test(value ?? next ?? '');
  // Many programs take the beginning of a name for the name, so both directions count; those with one dash do not.
  return [...options, ...GUARDED_STEMS].some(
    (option) => (!isExact && option.startsWith(name)) || (option.length > 1 && name.startsWith(option)),
  );
}

function splitOption(word: string): [string, string | undefined] {
  const at = word.search(/[=:]/);
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

/** `--script-shell` and `--scriptShell` are one name; so are `--no-x` and others with dots: `--config.x`. */
function toName(option: string): string {
  return option.replaceAll(/[-_]/g, '').toLowerCase();
}

function hasLetter(word: string, letters: string): boolean {
  return Array.from(word.slice(1)).some((letter) => letters.includes(letter));
}

/** Every way to read the alternatives of the first words; later words change nothing about what is allowed. */
function expand(patterns: CommandPattern['words']): string[][] | undefined {
  let all: string[][] = [[]];
  for (const word of patterns) {
    const alternatives = typeof word === 'string' ? [word] : word;
    if (all.length * alternatives.length > MOST_COMBINATIONS) return undefined;
    all = all.flatMap((command) => alternatives.map((alternative) => [...command, alternative]));
  }
  return all;
}

function quote(text: string): string {
  return `\`${text}\``;
}
