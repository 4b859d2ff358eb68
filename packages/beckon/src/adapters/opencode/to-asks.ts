import type { AskInput } from '../../protocol/interaction.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { ApprovalRequest } from '../../protocol/requests.ts';
import { OPENCODE_ABILITIES } from './abilities.ts';
import type { PermissionAsked, QuestionAsked } from './events.ts';

/** A tool call as opencode is about to run it. */
export interface OpencodeCall {
  tool: string;
  args: JsonObject;
}

/** What a permission is about, in the words that Beckon has for the tools of all agents. */
export function toApproval(asked: PermissionAsked, call: OpencodeCall | undefined): ApprovalRequest {
  const { always } = asked;
  const { tool, input } = toToolCall(asked, call);
  const description = call?.args['description'];
  return {
    tool,
    input,
    ...(typeof description === 'string' && description !== '' && { description }),
    ...(always.length > 0 && { suggestions: [toSuggestion(tool, always)] }),
    abilities: { ...OPENCODE_ABILITIES.approval, remember: always.length > 0 },
  };
}

/** Each question of a call. */
export function toQuestions({ questions }: QuestionAsked): AskInput<'question'>[] {
  return questions.map(({ question, header, options, multiple, custom }) => ({
    kind: 'question',
    request: {
      question,
      ...(header !== undefined && { header }),
      options,
      ...(multiple === true && { multiSelect: true }),
      // Without options there would be nothing else to answer with.
      abilities: { ...OPENCODE_ABILITIES.question, ownWords: custom !== false || options.length === 0 },
    },
  }));
}

function toToolCall({ permission, patterns, metadata }: PermissionAsked, call: OpencodeCall | undefined) {
  const { command, diff, url } = metadata;
  if (permission === 'bash' && typeof command === 'string') {
    // The arguments say where it runs; they count only if they are those of this command.
    const folder = call?.args['command'] === command ? call.args['workdir'] : undefined;
    return { tool: 'Bash', input: { command, ...(typeof folder === 'string' && { workdir: folder }) } };
  }
  if (permission === 'edit' && typeof diff === 'string') {
    return { tool: 'apply_patch', input: { patch: toPatch(diff) } };
  }
  if (permission === 'webfetch' && typeof url === 'string') return { tool: 'WebFetch', input: metadata };
  return { tool: permission, input: { ...metadata, ...(patterns.length > 0 && { patterns }) } };
}

/** The two lines above each file are of no diff format that other programs read. */
function toPatch(diff: string): string {
  return diff.replaceAll(/^Index: .*\n=+\n(?=--- )/gm, '');
}

/** opencode keeps what it remembers until it ends. */
function toSuggestion(toolName: string, patterns: readonly string[]): JsonObject {
  return {
    type: 'addRules',
    rules: patterns.map((ruleContent) => ({ toolName, ruleContent })),
    behavior: 'allow',
    destination: 'session',
  };
}
