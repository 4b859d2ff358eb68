import type { InteractionOf } from '../../protocol/interaction.ts';
import type { Json, JsonObject } from '../../protocol/json.ts';
import type { Rule, RuleMatch } from '../../protocol/rule.ts';

/** The project of the requests below. */
export const ROOT = '/home/ada/webshop';

/** A rule that allows; everything can be changed. */
export function createRule(fields: Partial<Rule> = {}): Rule {
  return {
    id: 'rul_1',
    effect: 'allow',
    tool: 'Bash',
    scope: {},
    mode: 'on',
    examples: { match: [], notMatch: [] },
    createdBy: 'ada',
    createdAt: '2026-01-01T00:00:00.000Z',
    ...fields,
  };
}

/** `npm test …` is `npm test` with any words behind it; `npm test` is exactly that. `{a,b}` are alternatives. */
export function toCommands(...patterns: string[]): Extract<RuleMatch, { commands: unknown }> {
  return {
    commands: patterns.map((pattern) => ({
      words: pattern
        .split(' ')
        .filter((word) => word !== '…')
        .map((word) => (/^\{.*\}$/.test(word) ? word.slice(1, -1).split(',') : word)),
      rest: pattern.endsWith(' …') ? 'any' : 'none',
    })),
  };
}

/** A rule for the shell, written as `toCommands` reads it. */
export function allowCommands(...patterns: string[]): Rule {
  return createRule({ match: toCommands(...patterns) });
}

/** An approval as Claude Code asks it in `ROOT`. */
export function createApproval(
  tool: string,
  input: JsonObject | Record<string, Json>,
  fields: Partial<InteractionOf<'approval'>> = {},
): InteractionOf<'approval'> {
  return {
    id: 'int_1',
    kind: 'approval',
    chatId: 'default',
    status: 'pending',
    awaitingFeedback: false,
    createdAt: '2026-01-01T00:00:00.000Z',
    context: { project: 'webshop', folder: ROOT, root: ROOT },
    request: { tool, input },
    ...fields,
  };
}

export function createBash(command: Json, more: JsonObject = {}): InteractionOf<'approval'> {
  return createApproval('Bash', { command, description: 'Runs it', ...more });
}

/** An edit of a file that was looked at. `target`: it is a link to there. */
export function createEdit(
  path: string,
  { target, tool = 'Edit' }: { target?: string; tool?: string } = {},
): InteractionOf<'approval'> {
  const full = path.startsWith('/') ? path : `${ROOT}/${path}`;
  return createApproval(
    tool,
    tool === 'Write' ? { file_path: path, content: 'x' } : { file_path: path, old_string: 'a', new_string: 'b' },
    {
      context: {
        project: 'webshop',
        folder: ROOT,
        root: ROOT,
        files: [{ path: full, isSeen: true, ...(target !== undefined && { target }) }],
      },
    },
  );
}

export function createFetch(url: Json, more: JsonObject = {}): InteractionOf<'approval'> {
  return createApproval('WebFetch', { url, prompt: 'Read it', ...more });
}
