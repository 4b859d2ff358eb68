import type { Rule, RuleChange, RuleDraft, RuleMatch, RuleScope } from 'beckon/client';
import { type Effect, isObject, type JsonObject } from 'beckon/protocol';
import { type RuleTime, toUntil } from '../../rules/rule-times.ts';
import { readWords, toWordsText } from './words-text.ts';

/** The tools that the form names. `other` has its name in a field. */
export const TOOLS = ['Bash', 'Edit', 'Read', 'WebFetch', 'other', '*'] as const;
export type Tool = (typeof TOOLS)[number];

/** How a rule says which calls of a tool it means. */
export type MatchBy = 'commands' | 'path' | 'domain' | 'input' | 'none';

export const SCOPE_FIELDS = ['project', 'folder', 'askedBy', 'sessionId', 'chatId'] as const;
export type ScopeField = (typeof SCOPE_FIELDS)[number];

/** A rule as it stands in the form. */
export interface RuleFields {
  effect: Effect;
  tool: Tool;
  toolName: string;
  by: MatchBy;
  /** What it matches, as text. */
  match: string;
  scope: Readonly<Record<ScopeField, string>>;
  /** `null`: the end that the rule already has. */
  time: RuleTime | null;
  until: RuleDraft['until'];
  mode: 'on' | 'watch';
  reason: string;
  examples: { match: readonly string[]; notMatch: readonly string[] };
}

/** What is missing before there is a rule, by field. */
export type FieldsProblem = 'toolName' | 'input';

export const EMPTY_FIELDS: RuleFields = {
  effect: 'allow',
  tool: 'Bash',
  toolName: '',
  by: 'commands',
  match: '',
  scope: { project: '', folder: '', askedBy: '', sessionId: '', chatId: '' },
  time: 'always',
  until: undefined,
  mode: 'on',
  reason: '',
  examples: { match: [], notMatch: [] },
};

export function toFields(rule: Rule): RuleFields {
  const tool = TOOLS.find((name) => name === rule.tool && name !== 'other') ?? 'other';
  const { by, match } = toMatchText(rule.match, tool);
  return {
    effect: rule.effect,
    tool,
    toolName: tool === 'other' ? rule.tool : '',
    by,
    match,
    scope: toScopeTexts(rule.scope),
    time: rule.until === undefined ? 'always' : null,
    until: rule.until,
    mode: rule.mode,
    reason: rule.reason ?? '',
    examples: rule.examples,
  };
}

/** The fields with another tool: what was matched before means nothing to it. */
export function withTool(fields: RuleFields, tool: Tool): RuleFields {
  const by = toMatchBy(tool);
  const effect = tool === '*' && fields.effect === 'allow' ? 'ask' : fields.effect;
  return { ...fields, tool, by, effect, match: by === fields.by ? fields.match : '' };
}

/** The rule that the fields say, or which of them is not complete. The server judges the rest. */
export function toRuleDraft(fields: RuleFields, now: Date): { draft: RuleDraft } | { problem: FieldsProblem } {
  const tool = fields.tool === 'other' ? fields.toolName.trim() : fields.tool;
  if (tool === '') return { problem: 'toolName' };
  const match = readMatch(fields);
  if (match === null) return { problem: 'input' };
  const until = fields.time === null ? fields.until : toUntil(fields.time, now);
  const reason = fields.reason.trim();
  const { examples } = fields;
  return {
    draft: {
      effect: fields.effect,
      tool,
      ...(match !== undefined && { match }),
      scope: readScope(fields.scope),
      ...(until !== undefined && { until }),
      mode: fields.mode,
      ...(reason !== '' && { reason }),
      ...(examples.match.length + examples.notMatch.length > 0 && {
        examples: { match: [...examples.match], notMatch: [...examples.notMatch] },
      }),
    },
  };
}

/** What an edit changes: only that is sent, so that nothing that somebody else changed meanwhile is overwritten. */
export function toChange(before: RuleDraft, after: RuleDraft): RuleChange {
  const fields = ['effect', 'tool', 'match', 'scope', 'until', 'mode', 'reason', 'examples'] as const;
  const changed = fields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
  return Object.fromEntries(changed.map((field) => [field, after[field] ?? null])) as RuleChange;
}

function toMatchBy(tool: Tool): MatchBy {
  switch (tool) {
    case 'Bash':
      return 'commands';
    case 'Edit':
    case 'Read':
      return 'path';
    case 'WebFetch':
      return 'domain';
    case 'other':
      return 'input';
    case '*':
      return 'none';
  }
}

function toMatchText(match: RuleMatch | undefined, tool: Tool): { by: MatchBy; match: string } {
  if (match === undefined) return { by: toMatchBy(tool), match: '' };
  if ('commands' in match) return { by: 'commands', match: toWordsText(match.commands) };
  if ('path' in match) return { by: 'path', match: match.path };
  if ('domain' in match) return { by: 'domain', match: match.domain };
  return { by: 'input', match: JSON.stringify(match.input, null, 2) };
}

// `null`: it cannot be read. `undefined`: every call is meant.
function readMatch({ by, match }: RuleFields): RuleMatch | undefined | null {
  const text = match.trim();
  if (by === 'none' || text === '') return undefined;
  if (by === 'commands') return { commands: readWords(match) };
  if (by === 'path') return { path: text };
  if (by === 'domain') return { domain: text };
  const input = readJson(text);
  return input === null ? null : { input };
}

function readJson(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function toScopeTexts({
  project = '',
  folder = '',
  askedBy = '',
  sessionId = '',
  chatId = '',
}: RuleScope): RuleFields['scope'] {
  return { project, folder, askedBy, sessionId, chatId };
}

function readScope(scope: RuleFields['scope']): RuleScope {
  const filled = SCOPE_FIELDS.map((field) => [field, scope[field].trim()] as const).filter(([, text]) => text !== '');
  return Object.fromEntries(filled) as RuleScope;
}
