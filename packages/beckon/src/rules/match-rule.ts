import { isBelow, resolvePath } from '../calls/paths.ts';
import { toFamily } from '../calls/tools.ts';
import type { Interaction } from '../protocol/interaction.ts';
import type { ParsedDraft, Rule } from '../protocol/rule.ts';
import { type Approval, type AskedCall, toAskedCall } from './asked-call.ts';
import { findRunner } from './judge-command.ts';
import { couldMean, findObjection, fold } from './match-command.ts';
import { couldAsk, couldName, isInDomain, toHost } from './match-domain.ts';
import { couldBePath, isPathAllowed } from './match-path.ts';
import { couldBeTool, isToolAllowed } from './match-tool.ts';
import { isLeftAlone } from './not-match.ts';
import { toJsonKey } from './same-json.ts';

/** What a rule says, whether it is stored or somebody writes it. */
export type RuleText = Pick<ParsedDraft, 'effect' | 'tool' | 'match' | 'scope' | 'examples'>;

/** Whether a rule is about a request; if not, why not, in a sentence. */
export interface RuleMatchResult {
  matches: boolean;
  why?: string;
}

/**
 * Whether this rule alone decides a request. It looks neither at the time nor at the risk: a dangerous request is never
 * allowed by a rule, and `decide` sees to that.
 */
export function matchRule(
  rule: RuleText | Rule,
  interaction: Interaction | (Approval & { kind?: string }),
): RuleMatchResult {
  if ('kind' in interaction && interaction.kind !== undefined && interaction.kind !== 'approval') {
    return { matches: false, why: 'Rules are about approvals only.' };
  }
  const asked = toAskedCall(interaction as Approval);
  const why = findMismatch(rule, asked);
  return why === null ? { matches: true } : { matches: false, why: `${why.slice(0, 1).toUpperCase()}${why.slice(1)}.` };
}

/** Why a rule says nothing about a call; `null` if it does. */
export function findMismatch(rule: RuleText, asked: AskedCall): string | null {
  const outside = findOutside(rule, asked);
  if (outside !== null) return outside;
  if (rule.effect !== 'allow') return couldMatch(rule, asked) ? null : 'the rule is about something else';
  const { call } = asked;
  if (!isToolAllowed(rule.tool, call.tool)) return 'the rule is about another tool';
  if (rule.match !== undefined && 'commands' in rule.match) {
    const commands = readAllowable(asked);
    if (typeof commands === 'string') return commands;
    for (const command of commands) {
      const objection = findCommandObjection(rule, command, asked);
      if (objection !== null) return objection;
    }
    return null;
  }
  return findOtherObjection(rule, asked);
}

/** Whose requests a rule is about: why this is none of them, or `null`. */
export function findOutside({ scope }: Pick<RuleText, 'scope'>, { approval, place }: AskedCall): string | null {
  const { project, folder, sessionId, chatId, askedBy } = scope;
  if (sessionId !== undefined && approval.sessionId !== sessionId) return 'the rule is about another session';
  if (chatId !== undefined && approval.chatId !== chatId) return 'the rule is about another chat';
  if (askedBy !== undefined && approval.askedBy !== askedBy) return 'the rule is about another agent';
  if (project !== undefined && approval.context?.project !== project) return 'the rule is about another project';
  if (folder === undefined) return null;
  const root = resolvePath(place.root ?? place.folder ?? '', undefined);
  const wanted = resolvePath(folder, undefined);
  return root !== undefined && wanted !== undefined && isBelow(root, wanted)
    ? null
    : 'the rule is about another folder';
}

/**
 * The commands of a call that allowing rules must cover, or why no rule can. A `cd` to the folder where the agent works
 * anyway needs no rule.
 */
export function readAllowable({ call, plain, place }: AskedCall): readonly (readonly string[])[] | string {
  if (call.command === undefined) return 'the call has no command that a rule can read';
  if (call.others.length > 0) return `the call has a field that rules do not know: ${call.others[0]}`;
  const commands = plain();
  if (commands === undefined) return 'the text is more than plain words, so what it runs is not certain';
  const rest = commands.filter((command) => !isStay(command, place));
  return rest.length > 0 ? rest : 'the text only changes the folder';
}

/** Why an allowing rule with commands does not cover this one of them; `null` if it does. */
export function findCommandObjection(rule: RuleText, command: readonly string[], asked: AskedCall): string | null {
  if (rule.match === undefined || !('commands' in rule.match)) return 'the rule names no commands';
  const folder = findFolderObjection(rule, asked);
  if (folder !== null) return folder;
  if (isLeftAlone(rule, asked, command))
    return 'the rule leaves this alone, because somebody denied it or it is an example';
  const objections = rule.match.commands.map((pattern) => findObjection(pattern, command));
  return objections.includes(null) ? null : (objections[0] ?? 'the rule names no commands');
}

/** Why an allowing rule about something other than commands does not cover a call; `null` if it does. */
function findOtherObjection(rule: RuleText, asked: AskedCall): string | null {
  const { call, input } = asked;
  const { match } = rule;
  if (isLeftAlone(rule, asked)) return 'the rule leaves this alone, because somebody denied it or it is an example';
  if (match === undefined) {
    return call.family === 'mcp' || call.family === 'other'
      ? null
      : 'a rule must say which calls of this tool it allows';
  }
  if ('input' in match) {
    return toJsonKey(match.input) === toJsonKey(input) ? findInputObjection(rule, asked) : 'the input is another one';
  }
  if (call.others.length > 0) return `the call has a field that rules do not know: ${call.others[0]}`;
  if ('path' in match) return findFileObjection(match.path, asked);
  if ('domain' in match) return findHostObjection(match.domain, asked);
  return 'the rule is about commands';
}

/** Even for exactly this input, the world may be another one: a link that leads elsewhere. */
function findInputObjection(rule: RuleText, asked: AskedCall): string | null {
  const { call } = asked;
  if (call.family === 'command') {
    const commands = readAllowable(asked);
    if (typeof commands === 'string') return commands;
    const runner = commands.map(findRunner).find((why) => why !== null);
    return runner ?? findFolderObjection(rule, asked);
  }
  if (call.family !== 'edit' && call.family !== 'read') return null;
  if (asked.files().length === 0) return 'the call names no file that a rule can read';
  for (const file of asked.files()) {
    if ('why' in file) return file.why;
    if (file.paths.length > 1) return 'the file is a link to another one';
  }
  return null;
}

function findFileObjection(pattern: string, asked: AskedCall): string | null {
  if (asked.call.family !== 'edit' && asked.call.family !== 'read') return 'the tool names no files that rules know';
  const files = asked.files();
  if (files.length === 0) return 'the call names no file that a rule can read';
  for (const file of files) {
    if ('why' in file) return file.why;
    const outside = file.paths.find((path) => !isPathAllowed(pattern, path, asked.place));
    if (outside !== undefined) return `the rule does not name ${outside}`;
  }
  return null;
}

function findHostObjection(domain: string, { host }: AskedCall): string | null {
  const asked = host();
  if (asked === undefined) return 'the call names no address that a rule can read';
  if ('why' in asked) return asked.why;
  const wanted = toHost(domain);
  return wanted !== undefined && isInDomain(asked.host, wanted) ? null : `the rule does not name ${asked.host}`;
}

/** A call may name the folder it runs in. It must be below what the rule is about, or else below the project. */
function findFolderObjection({ scope }: RuleText, { call, place }: AskedCall): string | null {
  if (call.folder === undefined) return null;
  const folder = resolvePath(call.folder, place.folder ?? place.root);
  const around = resolvePath(scope.folder ?? place.root ?? place.folder ?? '', undefined);
  return folder !== undefined && around !== undefined && isBelow(folder, around)
    ? null
    : 'the call runs in another folder';
}

function isStay([name, folder, ...more]: readonly string[], { root, folder: current }: AskedCall['place']): boolean {
  if (name !== 'cd' || folder === undefined || more.length > 0) return false;
  return folder.startsWith('/') && [root, current].some((known) => known !== undefined && known === folder);
}

/** For rules that ask or deny: in doubt they match. */
function couldMatch({ tool, match }: Pick<RuleText, 'tool' | 'match'>, asked: AskedCall): boolean {
  const { call, input } = asked;
  const isSameTool = couldBeTool(tool, call.tool);
  if (match === undefined) return isSameTool;
  if ('commands' in match) {
    // A tool that nobody knows may be a shell if it has a command.
    const mayRun = isSameTool || (toFamily(tool) === 'command' && ['mcp', 'other'].includes(call.family));
    return (
      mayRun &&
      asked.found().some(({ source, found }) => match.commands.some((pattern) => couldMean(pattern, source, found)))
    );
  }
  if (!isSameTool) return false;
  if ('input' in match) return toJsonKey(withoutWords(match.input)) === toJsonKey(withoutWords(input));
  if ('path' in match) return listPaths(asked).some((path) => couldBePath(match.path, path, asked.place));
  return call.family === 'fetch' && call.url !== undefined
    ? couldAsk(call.url.text, match.domain) ||
        asked.texts().some((text) => text !== call.url?.text && couldName(text, match.domain))
    : asked.texts().some((text) => couldName(text, match.domain));
}

/** Every text of a call that may be a path, and where its files lead. */
export function listPaths(asked: AskedCall): string[] {
  const { call, approval } = asked;
  const targets =
    approval.context?.files?.flatMap(({ path, target }) => [path, ...(target === undefined ? [] : [target])]) ?? [];
  const isKnown =
    (call.family === 'edit' || call.family === 'read') && call.files.length > 0 && call.others.length === 0;
  return [
    ...targets,
    ...call.files.map(({ text }) => text),
    ...(isKnown ? [] : asked.texts().filter((text) => text.length <= 4096)),
  ];
}

/** An input without what says nothing about what it does. */
export function withoutWords(input: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([name]) => !['description', 'timeout'].includes(fold(name))));
}
