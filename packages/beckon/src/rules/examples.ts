import { isBelow, resolvePath } from '../calls/paths.ts';
import { readCall } from '../calls/read-call.ts';
import { toFamily } from '../calls/tools.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { Approval } from './asked-call.ts';
import { toRelative } from './match-path.ts';
import { matchRule, type RuleText } from './match-rule.ts';
import { toServer } from './match-tool.ts';
import { readInput } from './not-match.ts';

/** The folder of a project that nobody named. */
const SOME_FOLDER = '/project';

/** Which example of a rule no longer holds, and why, in a sentence; `null` if all hold. */
export function checkExamples(rule: RuleText): string | null {
  for (const example of rule.examples.match) {
    const { matches, why } = matchRule(rule, fromExample(rule, example));
    if (!matches) return `The rule does not match its example ${quote(example)}: ${why ?? ''}`;
  }
  // An allowing rule leaves these alone, whatever its pattern says.
  if (rule.effect === 'allow') return null;
  const wrong = rule.examples.notMatch.find((example) => matchRule(rule, fromExample(rule, example)).matches);
  return wrong === undefined ? null : `The rule matches ${quote(wrong)}, which it must not match.`;
}

/** The examples that a rule must not match, but that its pattern does. An allowing rule leaves them alone. */
export function listContradictions(rule: RuleText): string[] {
  const pattern = { ...rule, examples: { match: [], notMatch: [] } };
  return rule.examples.notMatch.filter((example) => matchRule(pattern, fromExample(rule, example)).matches);
}

/** A request as an example of a rule: its command, its path, its address, or its input as JSON. */
export function toExample(interaction: Interaction | Approval): string {
  const { request, context } = interaction as Approval;
  const call = readCall({ request });
  const [file, ...more] = call.files;
  if (call.command !== undefined) return call.command.text;
  if (call.url !== undefined) return call.url.text;
  if (file !== undefined && more.length === 0) {
    const root = resolvePath(context?.root ?? context?.folder ?? '', undefined);
    const path = resolvePath(file.text, context?.folder ?? context?.root);
    return root !== undefined && path !== undefined && path !== root && isBelow(path, root)
      ? toRelative(path, root)
      : file.text;
  }
  const input = JSON.stringify(request.input);
  return Object.keys(request.input).length === 0 || input.length * 3 > LIMITS.textBytes
    ? (file?.text ?? request.tool)
    : input;
}

/** The request that an example stands for, as an agent in the rule's scope would ask it. */
export function fromExample(rule: Pick<RuleText, 'tool' | 'match' | 'scope'>, example: string): Approval {
  const { project, folder = SOME_FOLDER, sessionId, chatId = 'default', askedBy } = rule.scope;
  const request = toRequest(rule, example);
  const files = readCall({ request }).files.map(({ text }) => ({
    path: resolvePath(text, folder) ?? text,
    isSeen: true as const,
  }));
  return {
    chatId,
    ...(sessionId !== undefined && { sessionId }),
    ...(askedBy !== undefined && { askedBy }),
    context: { ...(project !== undefined && { project }), folder, root: folder, files },
    request,
  };
}

function toRequest({ tool, match }: Pick<RuleText, 'tool' | 'match'>, example: string): Approval['request'] {
  const text = example.trim();
  const server = toServer(tool);
  const input = readInput(text);
  if (input !== undefined)
    return { tool: server === undefined ? toAnyTool(tool, match) : `mcp__${server}__tool`, input };
  if (server !== undefined) return { tool: text, input: {} };
  const name = toAnyTool(tool, match);
  switch (name === '*' ? toFamily(text) : toFamily(name)) {
    case 'command':
      return { tool: name === '*' ? text : name, input: { command: example } };
    case 'edit':
    case 'read':
      return { tool: name === '*' ? text : name, input: { file_path: text } };
    case 'fetch':
      return { tool: name === '*' ? text : name, input: { url: text } };
    case 'mcp':
    case 'other':
      return { tool: text, input: {} };
  }
}

/** A rule for every tool is tried on the one that its match is about. */
function toAnyTool(tool: string, match: RuleText['match']): string {
  if (tool !== '*' || match === undefined) return tool;
  if ('commands' in match) return 'Bash';
  if ('path' in match) return 'Edit';
  return 'domain' in match ? 'WebFetch' : tool;
}

function quote(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}
