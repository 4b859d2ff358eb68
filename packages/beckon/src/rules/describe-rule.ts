import { EFFECT_NAMES } from '../presentation/names.ts';
import { toJsonText, toVisibleLine } from '../presentation/visible.ts';
import { isInstant } from '../protocol/instant.ts';
import type { CommandPattern, Effect, Rule, RuleDraft, RuleScope, RuleWord } from '../protocol/rule.ts';
import { toCommandText } from './command-text.ts';

/** A piece of a sentence: words, or something to be set as code. It is safe to show as it is. */
export interface SentencePiece {
  text: string;
  isCode?: true;
}

export interface DescribeOptions {
  /** Writes a time (ISO 8601, UTC) by the reader's clock. Default: `2026-01-31 12:00 UTC`. */
  toTime?: ((iso: string) => string) | undefined;
}

/** Most characters of one text in the sentence: a command, a path, an input. */
const TEXT_CHARS = 200;
const NAME_CHARS = 60;
/** A command with alternatives is written out up to so many times. */
const MOST_SPELLED = 4;
const UNITS: Readonly<Record<string, string>> = {
  ms: 'millisecond',
  s: 'second',
  m: 'minute',
  h: 'hour',
  d: 'day',
};

/** What a rule says, in one sentence: "Allow `npm test` with any arguments, in webshop (/home/ada/webshop)." */
export function describeRule(rule: Rule | RuleDraft, options: DescribeOptions = {}): string {
  return toRuleSentence(rule, options)
    .map(({ text, isCode }) => (isCode ? `\`${text}\`` : text))
    .join('');
}

/** The same sentence in pieces, for surfaces that set code apart. */
export function toRuleSentence(rule: Rule | RuleDraft, { toTime = toUtc }: DescribeOptions = {}): SentencePiece[] {
  const pieces = [
    ...(rule.mode === 'watch' ? [words('Decide nothing, only note: ')] : []),
    words(`${toVerb(rule.effect, rule.mode === 'watch')} `),
    ...toCalls(rule),
    ...toScope(rule.scope ?? {}),
    ...(rule.until === undefined ? [] : [words(`, ${toUntil(rule.until, toTime)}`)]),
    words('.'),
  ];
  // Neighbors of one sort become one piece.
  return pieces.reduce<SentencePiece[]>((joined, piece) => {
    const last = joined.at(-1);
    if (last === undefined || last.isCode === true || piece.isCode === true) joined.push({ ...piece });
    else last.text += piece.text;
    return joined;
  }, []);
}

function words(text: string): SentencePiece {
  return { text };
}

function code(text: string, chars = TEXT_CHARS): SentencePiece {
  return { text: toVisibleLine(text, chars, 'code'), isCode: true };
}

function toVerb(effect: Effect, isInside: boolean): string {
  const verb = effect === 'ask' ? 'Ask before' : EFFECT_NAMES[effect];
  return isInside ? verb.toLowerCase() : verb;
}

function toCalls({ effect, tool, match }: Pick<RuleDraft, 'effect' | 'tool' | 'match'>): SentencePiece[] {
  if (match === undefined) return toEveryCall(tool);
  if ('commands' in match) return toCommands(match.commands, effect === 'allow' ? 'and' : 'or');
  if ('path' in match) return toFiles(tool, match.path);
  if ('domain' in match) return toHosts(match.domain);
  return [...toTool(tool), words(' with exactly the input '), code(toJsonText(match.input))];
}

function toEveryCall(tool: string): SentencePiece[] {
  switch (tool) {
    case '*':
      return [words('everything')];
    case 'Bash':
      return [words('every command')];
    case 'Edit':
      return [words('every edit')];
    case 'Read':
      return [words('reading any file')];
    case 'WebFetch':
      return [words('fetching from anywhere')];
    default:
      return toTool(tool);
  }
}

function toTool(tool: string): SentencePiece[] {
  const [, server, name] = /^mcp__(.+?)__(.+)$/s.exec(tool) ?? [];
  if (server === undefined || name === undefined) return [words('the tool '), code(tool)];
  const of = [words(' of the MCP server '), code(server)];
  return name === '*' ? [words('everything'), ...of] : [code(name), ...of];
}

/** Exact commands first: "exactly `a`, and `b` with any arguments". */
function toCommands(commands: InputCommands, joint: string): SentencePiece[] {
  const exact = commands.filter(({ rest = 'none' }) => rest === 'none');
  const open = commands.filter(({ rest }) => rest === 'any');
  return [
    ...(exact.length === 0 ? [] : [words('exactly '), ...toList(exact.flatMap(spell), joint)]),
    ...(exact.length > 0 && open.length > 0 ? [words(`, ${joint} `)] : []),
    ...(open.length === 0 ? [] : [...toList(open.flatMap(spell), joint), words(' with any arguments')]),
  ];
}

type InputCommands = readonly { words: readonly RuleWord[]; rest?: CommandPattern['rest'] | undefined }[];

/** A command in all its spellings; with too many of them, as one text in which the alternatives are in braces. */
function spell({ words: pattern }: InputCommands[number]): SentencePiece[][] {
  const choices = pattern.map((word) => (typeof word === 'string' ? [word] : word));
  const count = choices.reduce((product, { length }) => product * length, 1);
  if (count > MOST_SPELLED) return [[code(choices.map(toBraces).join(' '))]];
  const spelled = choices.reduce<string[][]>(
    (begun, next) => begun.flatMap((start) => next.map((word) => [...start, word])),
    [[]],
  );
  return spelled.map((one) => [code(toCommandText(one))]);
}

function toBraces(choice: readonly string[]): string {
  const texts = choice.map((word) => toCommandText([word]));
  return texts.length === 1 ? texts.join('') : `{${texts.join(' | ')}}`;
}

function toList(items: readonly SentencePiece[][], joint: string): SentencePiece[] {
  return items.flatMap((item, index) => {
    if (index === 0) return item;
    return [words(index === items.length - 1 ? ` ${joint} ` : ', '), ...item];
  });
}

function toFiles(tool: string, path: string): SentencePiece[] {
  const verb = tool === 'Edit' ? 'edits' : tool === 'Read' ? 'reading' : undefined;
  const start = verb === undefined ? [...toTool(tool), words(' on files')] : [words(verb)];
  if (path === '**') return [...start, words(tool === 'Read' ? ' files of the project' : ' in the project')];
  const folder = /^([^*?]+\/)\*\*$/.exec(path)?.[1];
  if (folder !== undefined) return [...start, words(tool === 'Read' ? ' files under ' : ' under '), code(folder)];
  const isFile = !/[*?]/.test(path);
  const of = tool === 'Read' ? ' ' : ' of ';
  return [...start, words(isFile ? of : `${of}files named like `), code(path)];
}

function toHosts(domain: string): SentencePiece[] {
  return domain.startsWith('*.')
    ? [words('fetching from hosts below '), code(domain.slice(2))]
    : [words('fetching from '), code(domain)];
}

/** Agents name their sessions so, and nobody reads it. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function toScope({ project, folder, sessionId, chatId, askedBy }: RuleScope): SentencePiece[] {
  const parts = [
    toPlace(project, folder),
    sessionId === undefined ? '' : UUID.test(sessionId) ? 'in one session' : `in the session ${toName(sessionId)}`,
    chatId === undefined ? '' : `in the chat ${toName(chatId)}`,
    askedBy === undefined ? '' : `for ${toName(askedBy)}`,
  ];
  const named = parts.filter((part) => part !== '');
  return (named.length === 0 ? ['everywhere'] : named).map((part) => words(`, ${part}`));
}

function toPlace(project: string | undefined, folder: string | undefined): string {
  if (project === undefined) return folder === undefined ? '' : `in ${toName(folder, TEXT_CHARS)}`;
  return folder === undefined
    ? `in every project named ${toName(project)}`
    : `in ${toName(project)} (${toName(folder, TEXT_CHARS)})`;
}

function toName(text: string, chars = NAME_CHARS): string {
  return toVisibleLine(text, chars, 'code');
}

function toUntil(until: string | number, toTime: (iso: string) => string): string {
  if (typeof until === 'string' && isInstant(until)) return `until ${toTime(new Date(until).toISOString())}`;
  const [, count = '', unit = ''] = /^(\d+(?:\.\d+)?) ?(ms|s|m|h|d)$/.exec(String(until)) ?? [];
  const [amount, name] = unit === '' ? [String(until), 'second'] : [count, UNITS[unit]];
  return `for ${amount} ${name}${amount === '1' ? '' : 's'}`;
}

function toUtc(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}
