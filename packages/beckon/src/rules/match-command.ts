import type { FoundCommands } from '../calls/find-commands.ts';
import type { CommandPattern, RuleWord } from '../protocol/rule.ts';
import { findFaultOf, findGuarded, findRunner } from './judge-command.ts';
import { findProgram } from './programs.ts';

/** Why a pattern does not allow a command; `null` if it does. */
export function findObjection(pattern: CommandPattern, command: readonly string[]): string | null {
  const { words, rest } = pattern;
  const runner = findRunner(command);
  if (runner !== null) return `${runner}; a person must see it`;
  const differs = words.findIndex((word, index) => !isOneOf(word, command[index]));
  if (differs >= 0) return toDifference(command, differs);
  if (rest === 'none') {
    return command.length === words.length ? null : `${quote(command.join(' '))} has more words than the rule names`;
  }
  // A stored rule is held to what is known today.
  const fault = findFaultOf(command.slice(0, words.length), true);
  if (fault !== null) return fault;
  const guarded = findGuarded(command, words.length);
  return guarded === null ? null : `${quote(guarded)} may run a program, write a file or change the place`;
}

/** Whether any command that was found could be one of the pattern, however it is written. */
export function couldMean(
  pattern: CommandPattern,
  source: string,
  { commands, isWhole, isCut }: FoundCommands,
): boolean {
  if ((!isWhole || isCut) && isSpread(pattern.words, toTokens(source))) return true;
  return commands.some(({ words }) => {
    const texts = words.map(({ text }) => text);
    return isInOrder(pattern, texts) || (isCarrier(texts) && isSpread(pattern.words, toTokens(texts.join(' '))));
  });
}

/** The words that texts of this sort are made of, folded: what an index can look for. */
export function toTokens(text: string): string[] {
  return fold(text)
    .split(/[\s"'`,;|&()[\]{}<>=!]+/)
    .flatMap((token) => [token, toBase(token)]);
}

/** Whether nobody can say what a shell makes of a word. */
function isUnknown(word: string): boolean {
  return /[$`*?[{]/.test(word);
}

/** Whether nobody can say which program it is. `$HOME/bin/tool` is `tool`. */
export function isUnknownProgram(word: string): boolean {
  return isUnknown(toBase(word));
}

/** The name of a program without its folder, as a key. */
export function toProgramKey(word: string): string {
  return toBase(fold(word));
}

function isOneOf(word: RuleWord, given: string | undefined): boolean {
  return given !== undefined && (typeof word === 'string' ? word === given : word.includes(given));
}

function toDifference(command: readonly string[], at: number): string {
  return at === 0 || command[at] === undefined
    ? `${quote(command.join(' '))} is another command`
    : `${quote(command.slice(0, at + 1).join(' '))} is another command`;
}

// Options and their values may stand between the words: `git -C x push` is a push, `git commit -m push` is none.
function isInOrder({ words, rest }: CommandPattern, given: readonly string[]): boolean {
  const [program = '', ...others] = given;
  const [first = '', ...wanted] = words;
  if (isUnknownProgram(program)) return true;
  if (!couldBe(first, toProgramKey(program))) return false;
  let at = 0;
  let isValue = false;
  for (const word of others) {
    const next = wanted[at];
    if (next === undefined && rest === 'any') return true;
    // A variable can be any number of words.
    if (isUnknown(word)) return true;
    if (next === undefined) return false;
    if (couldBe(next, fold(word)) || couldBe(next, fold(word.split('=', 1)[0] ?? ''))) {
      at += 1;
      isValue = false;
      continue;
    }
    const isOption = word.startsWith('-');
    if (!isOption && !isValue && !isOptionWord(next)) return false;
    isValue = isOption && !word.includes('=');
  }
  return at === wanted.length;
}

function isOptionWord(word: RuleWord): boolean {
  return [word].flat().some((one) => one.startsWith('-'));
}

function couldBe(word: RuleWord, folded: string): boolean {
  return [word].flat().some((one) => fold(one) === folded || toBase(fold(one)) === folded);
}

// `xargs git push`, `python -c "… git push …"`: what is carried is somewhere in the words.
function isCarrier(command: readonly string[]): boolean {
  const { isRunner, program } = findProgram(command[0] ?? '');
  return (
    isRunner ||
    program?.isCode === true ||
    command[1] === '-c' ||
    findRunner(command) !== null ||
    findGuarded(command, 1) !== null
  );
}

function isSpread(words: readonly RuleWord[], tokens: readonly string[]): boolean {
  let at = 0;
  for (const token of tokens) {
    const word = words[at];
    if (word !== undefined && couldBe(word, token)) at += 1;
  }
  return at === words.length;
}

function toBase(word: string): string {
  return word.split(/[\\/]/).at(-1) ?? '';
}

/** Texts that a file system or a program may take for the same. */
export function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase().trim();
}

function quote(text: string): string {
  return `\`${text.length > 80 ? `${text.slice(0, 80)}…` : text}\``;
}
