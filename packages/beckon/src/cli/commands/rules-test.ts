import { basename, resolve } from 'node:path';
import type { Command } from 'commander';
import { plainCommands } from '../../calls/plain-commands.ts';
import type { RuleSample, Rules } from '../../core/rules.ts';
import { RISK_NAMES, RISK_SIGNS } from '../../presentation/names.ts';
import { toVisibleLine } from '../../presentation/visible.ts';
import { BeckonError } from '../../protocol/errors.ts';
import type { InteractionOf } from '../../protocol/interaction.ts';
import { isObject, type JsonObject } from '../../protocol/json.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { RuleVerdict } from '../../protocol/rule.ts';
import { toCommandText } from '../../rules/command-text.ts';
import { matchRule } from '../../rules/match-rule.ts';
import { toOffers } from '../../rules/offers.ts';
import { addClientOptions, type ClientOptions } from '../client.ts';
import { createCommand } from '../command.ts';
import { readJson } from '../json-argument.ts';
import { paint, print, printJson } from '../output.ts';
import type { ScopeOptions } from '../rules/draft-options.ts';
import { toSentence, toState } from '../rules/rule-words.ts';
import { withRules } from '../rules/with-rules.ts';

interface TestOptions extends ClientOptions, ScopeOptions {
  edit?: string;
  read?: string;
  fetch?: string;
  tool?: string;
  input?: string;
}

/** What a request has besides what a sample says. */
const PENDING = {
  id: 'int_sample',
  kind: 'approval',
  status: 'pending',
  awaitingFeedback: false,
  createdAt: '2026-01-01T00:00:00.000Z',
} as const;
const EFFECT_TEXTS = {
  allow: 'Allowed by a rule.',
  ask: 'A person is asked, because a rule says so.',
  deny: 'Denied by a rule.',
  none: 'A person is asked.',
} as const;
const STYLES = { allow: 'green', ask: 'yellow', deny: 'red', none: 'yellow' } as const;

export function createTest(): Command {
  return addClientOptions(
    createCommand('test', {
      summary: 'Say what the rules say about a call, and why. Asks nobody and runs nothing.',
      examples: [
        ["beckon rules test 'npm test && rm -rf /'", 'a command, as if asked in this folder'],
        ['beckon rules test --edit src/cart.ts --project webshop', 'a change of a file that the agent has looked at'],
        ['beckon rules test --fetch https://docs.example.com/page', 'an address'],
        ['beckon rules test --tool mcp__github__create_issue --input \'{"title":"x"}\'', 'any tool and input'],
      ],
    })
      .argument('[command]', 'a command for the shell')
      .option('--edit <path>', 'a change of this file')
      .option('--read <path>', 'reading this file')
      .option('--fetch <url>', 'fetching this address')
      .option('--tool <name>', 'a call of this tool')
      .option('--input <json>', 'with --tool: its input; @FILE, or - for stdin')
      .option('--folder <path>', 'the project’s folder (default: this one)')
      .option('--project <name>', 'the project’s name (default: that of the folder)')
      .option('--session <id>', 'as if asked in this session')
      .option('--chat <id>', 'as if asked in this chat')
      .option('--agent <name>', 'as if asked by the agent with this token'),
  ).action(async (command: string | undefined, options: TestOptions) => {
    const { verdict, sentences } = await withRules(options, async (rules) => {
      const sample = toSample(command, options);
      const said = await rules.test(sample);
      if (said.effect !== 'none' || said.why !== undefined)
        return { verdict: said, sentences: await describeRules(rules, said) };
      const near = await findNear(rules, sample);
      const verdict = { ...said, ...(near.length === 0 ? { why: await explain(rules, sample) } : { near }) };
      return { verdict, sentences: await describeRules(rules, verdict) };
    });
    if (options.json === true) return printJson(verdict);
    print(toLines(verdict, sentences).join('\n'));
  });
}

function toSample(command: string | undefined, options: TestOptions): RuleSample {
  const { session, chat, agent, project, edit, read } = options;
  const folder = resolve(options.folder ?? '.');
  const path = edit ?? read;
  return {
    request: toRequest(command, options),
    chatId: chat ?? 'default',
    ...(session !== undefined && { sessionId: session }),
    ...(agent !== undefined && { askedBy: agent }),
    context: {
      project: project ?? (basename(folder) || folder),
      folder,
      root: folder,
      // As if the agent had looked at the file and found no link.
      ...(path !== undefined && { files: [{ path, isSeen: true }] }),
    },
  };
}

function toRequest(
  command: string | undefined,
  { edit, read, fetch, tool, input }: TestOptions,
): RuleSample['request'] {
  const given = [command, edit, read, fetch, tool].filter((value) => value !== undefined);
  if (given.length !== 1) {
    throw new BeckonError(
      'invalid_input',
      'Expected one call: a command, or one of --edit, --read, --fetch and --tool.',
    );
  }
  if (command !== undefined) return { tool: 'Bash', input: { command } };
  if (edit !== undefined) return { tool: 'Edit', input: { file_path: edit } };
  if (read !== undefined) return { tool: 'Read', input: { file_path: read } };
  if (fetch !== undefined) return { tool: 'WebFetch', input: { url: fetch } };
  const value = input === undefined ? {} : readJson(input, '--input');
  if (!isObject(value)) throw new BeckonError('invalid_input', '--input: expected a JSON object.');
  return { tool: tool ?? '', input: value };
}

/** A rule that nearly allows a call, and why it does not. */
interface Near {
  ruleId: string;
  why: string;
}

/** A verdict, and the rules that are about something like this. */
interface Explained extends RuleVerdict {
  near?: Near[];
}

/** What `matchRule` says of rules that have nothing to do with a call. */
const FAR =
  /about another|about something else|another command|another one|another host|names no|not what the rule names/;
const MOST_NEAR = 3;

/** The rules that would allow the call, but for an exception or an option that no rule allows. */
async function findNear(rules: Rules, sample: RuleSample): Promise<Near[]> {
  const asked = toApproval(sample);
  if (toOffers(asked).why !== undefined) return [];
  const { items } = await rules.list({ limit: LIMITS.pageItems });
  return items
    .filter(({ rule }) => rule.effect === 'allow' && rule.mode === 'on' && toState(rule) === 'on')
    .flatMap(({ rule }) => {
      const { why = '' } = matchRule(rule, asked);
      return why === '' || FAR.test(why) ? [] : [{ ruleId: rule.id, why }];
    })
    .slice(0, MOST_NEAR);
}

function toApproval({ chatId = 'default', request: { tool, input }, ...of }: RuleSample): InteractionOf<'approval'> {
  return { ...PENDING, ...of, chatId, request: { tool, input: input as JsonObject } };
}

/** Why no rule decides: what no rule can allow, or the first commands of several that no rule is about. */
async function explain(rules: Rules, sample: RuleSample): Promise<string> {
  const { tool, input } = sample.request;
  const { why } = toOffers(toApproval(sample));
  if (why !== undefined) return why;
  const command = input['command'];
  const commands = typeof command === 'string' ? (plainCommands(command) ?? []) : [];
  if (commands.length < 2) return 'No rule is about it.';
  const open: string[] = [];
  for (const text of new Set(commands.map(toCommandText))) {
    const { effect } = await rules.test({ ...sample, request: { tool, input: { command: text } } });
    if (effect === 'none') open.push(`\`${toVisibleLine(text, 100, 'code')}\``);
  }
  return `No rule allows ${open.join(', ')}.`;
}

/** The sentences of the rules that said something. One may have been removed since. */
async function describeRules(rules: Rules, { ruleIds, watching, near = [] }: Explained): Promise<Map<string, string>> {
  const ids = [...new Set([...ruleIds, ...[...watching, ...near].map(({ ruleId }) => ruleId)])];
  const found = await Promise.all(ids.map((id) => rules.get(id)));
  return new Map(found.flatMap((details) => (details === null ? [] : [[details.rule.id, toSentence(details.rule)]])));
}

function toLines(verdict: Explained, sentences: ReadonlyMap<string, string>): string[] {
  const { effect, ruleIds, watching, risk, why, near = [] } = verdict;
  const toLine = (id: string): string => `  ${id}  ${sentences.get(id) ?? ''}`;
  return [
    paint(STYLES[effect], EFFECT_TEXTS[effect]),
    ...(why === undefined ? [] : [why]),
    ...ruleIds.map(toLine),
    ...near.flatMap(({ ruleId, why: but }) => [toLine(ruleId), `    ${toVisibleLine(but)}`]),
    ...watching.map(({ ruleId, effect: would }) => `In watch, would ${would}:\n${toLine(ruleId)}`),
    ...(risk === 'routine' ? [] : [`Risk: ${RISK_SIGNS[risk]} ${RISK_NAMES[risk].toLowerCase()}`]),
  ];
}
