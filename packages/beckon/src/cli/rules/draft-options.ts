import { resolve } from 'node:path';
import type { Command } from 'commander';
import { plainCommands } from '../../calls/plain-commands.ts';
import { BeckonError } from '../../protocol/errors.ts';
import { isObject } from '../../protocol/json.ts';
import { parse } from '../../protocol/parse.ts';
import { EFFECTS, type Effect, RuleDraft, type RuleMatch, type RuleScope } from '../../protocol/rule.ts';
import { type ClientOptions } from '../client.ts';
import { collect } from '../command.ts';
import { readJson } from '../json-argument.ts';

/** Whose requests are meant. */
export interface ScopeOptions {
  project?: string;
  folder?: string;
  session?: string;
  chat?: string;
  agent?: string;
}

/** Which calls are meant, besides commands. */
interface CallOptions {
  edit?: string;
  read?: string;
  fetch?: string;
  tool?: string;
  input?: string;
}

/** The options that make up a rule. */
export interface DraftOptions extends ClientOptions, ScopeOptions, CallOptions {
  allow?: string | true;
  ask?: string | true;
  deny?: string | true;
  anyArguments?: boolean;
  until?: string;
  watch?: boolean;
  match?: string[];
  notMatch?: string[];
  reason?: string;
  draft?: string;
}

/** Adds the options that make up a rule. */
export function addDraftOptions(command: Command): Command {
  command
    .option('--allow [command]', 'allow this command; or, with one of the next five, what they name')
    .option('--ask [command]', 'ask before it, whatever other rules allow')
    .option('--deny [command]', 'deny it')
    .option('--any-arguments', 'with --allow: any words may follow the command (--ask and --deny always mean that)');
  addCallOptions(command);
  addScopeOptions(command);
  return command
    .option('--until <time>', 'how long it counts: 30m, 7d, or until 2026-01-31T12:00:00Z')
    .option('--watch', 'decide nothing, only note what it would have said')
    .option('--match <example>', 'something it must match: a command, a path, an address, a tool; repeat it', collect)
    .option('--not-match <example>', 'something it must leave alone; repeat it', collect)
    .option('--reason <text>', 'for people, and for the agent that is denied')
    .option('--draft <json>', 'the whole rule as JSON, @FILE, or - for stdin, instead of the options above');
}

/** Adds the options that name a call other than a command. */
function addCallOptions(command: Command): Command {
  return command
    .option('--edit <path>', 'changes of these files: src/cart.ts, src/**, /etc/hosts')
    .option('--read <path>', 'reading these files')
    .option('--fetch <host>', 'fetching from docs.example.com, or from all hosts below it: *.example.com')
    .option('--tool <name>', 'this tool: mcp__github__create_issue, mcp__github__*; * for every tool')
    .option('--input <json>', 'with --tool: only exactly this input; @FILE, or - for stdin');
}

/** Adds the options that say whose requests are meant. */
export function addScopeOptions(command: Command): Command {
  return command
    .option('--project <name>', 'only in projects of this name, as the agent says')
    .option('--folder <path>', 'only in this folder and below, on the agent’s machine')
    .option('--session <id>', 'only in this session')
    .option('--chat <id>', 'only in this chat')
    .option('--agent <name>', 'only for the agent with this token');
}

/** The rule that the options make up. Throws `invalid_input` with what is missing. */
export function toDraft(options: DraftOptions): RuleDraft {
  if (options.draft !== undefined) return readDraft(options.draft);
  const effect = toEffect(options);
  const given = options[effect];
  const calls = toCalls(typeof given === 'string' ? given : undefined, options, effect);
  const { until, watch, match, notMatch, reason } = options;
  const draft = {
    effect,
    ...calls,
    scope: toScope(options),
    ...(watch === true && { mode: 'watch' }),
    ...((match ?? notMatch) !== undefined && { examples: { match: match ?? [], notMatch: notMatch ?? [] } }),
    ...(until !== undefined && { until }),
    ...(reason !== undefined && { reason }),
  };
  parse(RuleDraft, draft, { what: 'rule' });
  return draft as RuleDraft;
}

/** Whose requests the options name. */
export function toScope({ project, folder, session, chat, agent }: ScopeOptions): RuleScope {
  return {
    ...(project !== undefined && { project }),
    ...(folder !== undefined && { folder: resolve(folder) }),
    ...(session !== undefined && { sessionId: session }),
    ...(chat !== undefined && { chatId: chat }),
    ...(agent !== undefined && { askedBy: agent }),
  };
}

function readDraft(argument: string): RuleDraft {
  const draft = readJson(argument, '--draft');
  parse(RuleDraft, draft, { what: 'rule' });
  return draft as RuleDraft;
}

function toEffect(options: DraftOptions): Effect {
  const given = EFFECTS.filter((effect) => options[effect] !== undefined);
  const [effect] = given;
  if (effect === undefined || given.length > 1) {
    throw new BeckonError('invalid_input', 'Expected one of --allow, --ask and --deny, or --draft with a whole rule.');
  }
  return effect;
}

function toCalls(
  command: string | undefined,
  options: DraftOptions,
  effect: Effect,
): { tool: string; match?: RuleMatch } {
  const { edit, read, fetch, tool, input, anyArguments = false } = options;
  const given = [command, edit, read, fetch, tool].filter((value) => value !== undefined);
  if (given.length !== 1) {
    throw new BeckonError(
      'invalid_input',
      `Expected one thing to ${effect}: a command behind --${effect}, or one of --edit, --read, --fetch and --tool.`,
    );
  }
  if (anyArguments && command === undefined) throw new BeckonError('invalid_input', '--any-arguments is for commands.');
  if (input !== undefined && tool === undefined) throw new BeckonError('invalid_input', '--input needs --tool.');
  if (command !== undefined)
    return { tool: 'Bash', match: { commands: toPatterns(command, anyArguments || effect !== 'allow') } };
  if (edit !== undefined) return { tool: 'Edit', match: { path: edit } };
  if (read !== undefined) return { tool: 'Read', match: { path: read } };
  if (fetch !== undefined) return { tool: 'WebFetch', match: { domain: fetch } };
  return { tool: tool ?? '', ...(input !== undefined && { match: { input: readInput(input) } }) };
}

function toPatterns(command: string, isOpen: boolean): { words: string[]; rest: 'any' | 'none' }[] {
  const commands = plainCommands(command);
  if (commands === undefined) {
    throw new BeckonError(
      'invalid_input',
      `Expected a command in plain words, such as 'npm test', without $, *, ~ and redirections. Got: ${command}`,
    );
  }
  return commands.map((words) => ({ words, rest: isOpen ? 'any' : 'none' }));
}

function readInput(argument: string): RuleMatchInput {
  const input = readJson(argument, '--input');
  if (!isObject(input)) throw new BeckonError('invalid_input', '--input: expected a JSON object.');
  return input;
}

type RuleMatchInput = Extract<RuleMatch, { input: unknown }>['input'];
