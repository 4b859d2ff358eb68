import type { RuleMatch } from 'beckon/client';

type CommandPattern = Extract<RuleMatch, { commands: unknown }>['commands'][number];
type Word = CommandPattern['words'][number];

/** What stands for any further arguments, at the end of a line. People also type three dots or a star. */
const REST = '…';
const IS_REST = /^(?:…|\.{3}|\*)$/;
/** A word in quotes, a list of words of which any will do, or a plain word. */
const TOKEN = /'((?:[^']|'\\'')*)'|"([^"]*)"|\{([^}]*)\}|(\S+)/g;
const PLAIN = /^[^\s'"{}|…*]+$/;

/** The commands of a rule, one a line: `npm test …`, `git {push|fetch}`. */
export function toWordsText(commands: readonly CommandPattern[]): string {
  return commands
    .map(({ words, rest }) => [...words.map(toText), ...(rest === 'any' ? [REST] : [])].join(' '))
    .join('\n');
}

/** Reads what `toWordsText` writes, and what people type. Empty lines are nothing. */
export function readWords(text: string): CommandPattern[] {
  return text.split('\n').flatMap((line) => {
    const tokens = [...line.matchAll(TOKEN)];
    const last = tokens.at(-1)?.[4];
    const hasRest = last !== undefined && IS_REST.test(last);
    const words = (hasRest ? tokens.slice(0, -1) : tokens).map(readToken);
    return words.length === 0 ? [] : [{ words, rest: hasRest ? 'any' : 'none' } as const];
  });
}

function toText(word: Word): string {
  if (typeof word !== 'string') return `{${word.map(quote).join('|')}}`;
  return quote(word);
}

function quote(word: string): string {
  return PLAIN.test(word) && word !== '...' ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function readToken([, single, double, choice, plain]: RegExpExecArray): Word {
  if (choice !== undefined) return choice.split('|').map((one) => unquote(one.trim()));
  return single === undefined ? (double ?? plain ?? '') : unquote(`'${single}'`);
}

function unquote(text: string): string {
  return /^'.*'$/s.test(text) ? text.slice(1, -1).replaceAll(`'\\''`, "'") : text;
}
