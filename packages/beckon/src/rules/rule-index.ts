import { resolvePath } from '../calls/paths.ts';
import { FAMILY_TOOLS } from '../calls/tools.ts';
import type { Rule, RuleScope, RuleWord } from '../protocol/rule.ts';
import type { AskedCall } from './asked-call.ts';
import { hasWildcard, toLiteralNames } from './glob.ts';
import { fold, isUnknownProgram, toProgramKey, toTokens } from './match-command.ts';
import { toAskedHost, toHost } from './match-domain.ts';
import { toPlain, toPossible, toRelative } from './match-path.ts';
import { listPaths, withoutWords } from './match-rule.ts';
import { couldBeTool, toServer, toWholeFamily } from './match-tool.ts';
import { toJsonKey } from './same-json.ts';

/** A rule and its place in the order in which the rules were given. */
export interface Entry {
  rule: Rule;
  order: number;
  /** The time at which it ends, in milliseconds. */
  endsAt: number;
}

/** Finds the rules that may match a call, so that the others need not be looked at. Each is found once, in order. */
export interface RuleIndex {
  find(asked: AskedCall, command?: readonly string[]): Entry[];
}

/** Most words of a command and most names of a path that are part of a key. */
const MOST_WORDS = 4;
const MOST_NAMES = 12;
/** Most keys of one rule: with more alternatives than this, the key has fewer words. */
const MOST_KEYS = 64;

/** An index for rules that allow: what they name must be there exactly, so every word of it can be a key. */
export function indexAllowing(entries: readonly Entry[]): RuleIndex {
  const map = new Map<string, Entry[]>();
  const hasInputs = entries.some(({ rule: { match } }) => match !== undefined && 'input' in match);
  for (const entry of entries) {
    for (const key of toAllowingKeys(entry.rule)) add(map, `${toScopeKey(entry.rule.scope)}\n${key}`, entry);
  }
  return {
    find: (asked, command) => {
      const keys = command === undefined ? listCallKeys(asked, hasInputs) : listCommandKeys(command);
      return collect(map, toScopeKeys(asked), keys);
    },
  };
}

/** An index for rules that ask or deny. What they name may be written in many ways, so the keys are few and folded. */
export function indexGuarding(entries: readonly Entry[]): RuleIndex {
  const map = new Map<string, Entry[]>();
  for (const entry of entries) {
    for (const key of toGuardingKeys(entry.rule)) add(map, `${toScopeKey(entry.rule.scope)}\n${key}`, entry);
  }
  const has = new Set(entries.flatMap(({ rule: { match } }) => (match === undefined ? [] : Object.keys(match))));
  return { find: (asked) => collect(map, toScopeKeys(asked), listGuardedKeys(asked, has)) };
}

function collect(map: Map<string, Entry[]>, scopes: readonly string[], keys: Iterable<string>): Entry[] {
  const found = new Set<Entry>();
  for (const key of keys)
    for (const scope of scopes) for (const entry of map.get(`${scope}\n${key}`) ?? []) found.add(entry);
  return [...found].sort((one, other) => one.order - other.order);
}

function add(map: Map<string, Entry[]>, key: string, entry: Entry): void {
  const entries = map.get(key);
  if (entries === undefined) map.set(key, [entry]);
  else entries.push(entry);
}

// One part of the scope is enough for a key. The narrowest comes first.
function toScopeKey({ sessionId, askedBy, chatId, project }: RuleScope): string {
  if (sessionId !== undefined) return `session ${sessionId}`;
  if (askedBy !== undefined) return `agent ${askedBy}`;
  if (chatId !== undefined) return `chat ${chatId}`;
  return project === undefined ? '' : `project ${project}`;
}

function toScopeKeys({ approval: { sessionId, askedBy, chatId, context } }: AskedCall): string[] {
  return [
    '',
    `chat ${chatId}`,
    ...(sessionId === undefined ? [] : [`session ${sessionId}`]),
    ...(askedBy === undefined ? [] : [`agent ${askedBy}`]),
    ...(context?.project === undefined ? [] : [`project ${context.project}`]),
  ];
}

function toAllowingKeys({ tool, match }: Rule): string[] {
  if (match === undefined) return [`tool ${toServer(tool) === undefined ? tool : `mcp__${toServer(tool)}__`}`];
  if ('commands' in match) return match.commands.flatMap(({ words }) => expandWords(words));
  if ('path' in match) return [`path ${JSON.stringify(toLiteralNames(toPlain(match.path)).slice(0, MOST_NAMES))}`];
  if ('domain' in match) return [`host ${toHost(match.domain) ?? ''}`];
  return [`input ${toJsonKey(match.input)}`];
}

function listCallKeys(asked: AskedCall, hasInputs: boolean): string[] {
  const { call, input, place } = asked;
  const keys = [`tool ${call.tool}`];
  const server = /^(mcp__.*?[^_]__)[^_]/.exec(call.tool)?.[1];
  if (server !== undefined) keys.push(`tool ${server}`);
  if (hasInputs) keys.push(`input ${toJsonKey(input)}`);
  const [file] = call.files.length > 0 ? asked.files() : [];
  if (file !== undefined && 'paths' in file) {
    const [path = ''] = file.paths;
    const root = resolvePath(place.root ?? place.folder ?? '', undefined);
    for (const names of [path.split('/'), ...(root === undefined ? [] : [toRelative(path, root).split('/')])]) {
      for (let count = 0; count <= Math.min(names.length, MOST_NAMES); count += 1) {
        keys.push(`path ${JSON.stringify(names.slice(0, count))}`);
      }
    }
  }
  const host = asked.host();
  if (host !== undefined && 'host' in host) {
    keys.push(`host ${host.host}`);
    for (let at = host.host.indexOf('.'); at >= 0; at = host.host.indexOf('.', at + 1))
      keys.push(`host *${host.host.slice(at)}`);
  }
  return keys;
}

function expandWords(words: readonly RuleWord[]): string[] {
  let all: string[][] = [[]];
  for (const word of words.slice(0, MOST_WORDS)) {
    const alternatives = [word].flat();
    if (all.length * alternatives.length > MOST_KEYS) break;
    all = all.flatMap((key) => alternatives.map((one) => [...key, one]));
  }
  return all.map((key) => `words ${JSON.stringify(key)}`);
}

function listCommandKeys(command: readonly string[]): string[] {
  return Array.from(
    { length: Math.min(command.length, MOST_WORDS) + 1 },
    (_, count) => `words ${JSON.stringify(command.slice(0, count))}`,
  );
}

function toGuardingKeys({ tool, match }: Rule): string[] {
  if (match === undefined) return [toToolKey(tool)];
  if ('commands' in match) {
    const names = match.commands.flatMap(({ words: [first = ''] }) => first);
    return ['every command', ...names.map((name) => `program ${toProgramKey(name)}`)];
  }
  if ('path' in match) {
    const name = fold(toPlain(match.path))
      .split('/')
      .findLast((one) => one !== '' && !hasWildcard(one));
    return ['every path', name === undefined ? 'any path' : `name ${name}`];
  }
  if ('domain' in match) return [`domain ${fold(toHost(match.domain) ?? match.domain).replace(/^\*\./, '')}`];
  return [`input ${toJsonKey(withoutWords(match.input))}`];
}

function toToolKey(tool: string): string {
  const server = toServer(tool);
  if (server !== undefined) return `server ${fold(server)}`;
  const family = toWholeFamily(tool);
  return family === undefined ? `tool ${fold(tool)}` : `family ${family}`;
}

function* listGuardedKeys(asked: AskedCall, has: ReadonlySet<string>): Generator<string> {
  const { call, input } = asked;
  const tool = fold(call.tool);
  yield* ['tool *', `tool ${tool}`];
  for (const [name, family] of Object.entries(FAMILY_TOOLS)) if (couldBeTool(name, call.tool)) yield `family ${family}`;
  if (tool.startsWith('mcp__')) {
    for (let at = tool.indexOf('__', 5); at >= 0; at = tool.indexOf('__', at + 1)) yield `server ${tool.slice(5, at)}`;
  }
  if (has.has('input')) yield `input ${toJsonKey(withoutWords(input))}`;
  if (has.has('commands')) yield* listProgramKeys(asked);
  if (has.has('path')) yield* listNameKeys(asked);
  if (has.has('domain')) yield* listDomainKeys(asked);
}

function* listProgramKeys(asked: AskedCall): Generator<string> {
  for (const { source, found } of asked.found()) {
    const names = found.commands.flatMap(({ words }) => words[0]?.text ?? []);
    if (names.some(isUnknownProgram)) yield 'every command';
    const text = found.commands.flatMap(({ words }) => words.map((word) => word.text)).join(' ');
    for (const token of new Set([
      ...names.map(toProgramKey),
      ...toTokens(text),
      ...(found.isWhole && !found.isCut ? [] : toTokens(source)),
    ])) {
      yield `program ${token}`;
    }
  }
}

function* listNameKeys(asked: AskedCall): Generator<string> {
  yield 'any path';
  for (const path of listPaths(asked)) {
    const possible = toPossible(path, '', asked.place);
    if (possible.length > 1) yield 'every path';
    for (const name of new Set(possible.flatMap((one) => fold(one).split('/')))) yield `name ${name}`;
  }
}

function* listDomainKeys(asked: AskedCall): Generator<string> {
  const hosts = asked.texts().flatMap((text) => [toAskedHost(text) ?? '', ...fold(text).split(/[^\p{L}\d.-]+/u)]);
  for (const host of new Set(hosts)) {
    const name = host.replace(/^\.+|\.+$/g, '');
    yield `domain ${name}`;
    for (let at = name.indexOf('.'); at >= 0; at = name.indexOf('.', at + 1)) yield `domain ${name.slice(at + 1)}`;
  }
}
