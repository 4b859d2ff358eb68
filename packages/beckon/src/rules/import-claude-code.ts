import { plainCommands } from '../calls/plain-commands.ts';
import { isObject } from '../protocol/json.ts';
import { parseJson } from '../protocol/parse-json.ts';
import { EFFECTS, type Effect, type RuleDraft, type RuleMatch } from '../protocol/rule.ts';
import { toClaudeGlobs } from './claude-globs.ts';
import {
  type Imported,
  type ImportedRule,
  type ImportPlace,
  type SkippedRule,
  toImported,
  toImportScope,
  toSkipped,
} from './imported.ts';
import { canOverlap, toWordPatterns } from './wildcards.ts';

/** The meaning of one entry: what it matches, once for each rule that it takes. Or why there is none. */
type Meaning = { tool: string; matches: (RuleMatch | undefined)[]; note?: string } | { why: string };

/** Tools on which Claude Code accepts a path and never looks at it. */
const PATHLESS = new Set(['Write', 'MultiEdit', 'NotebookEdit', 'Glob', 'Grep', 'NotebookRead']);
/** Settings beside the lists that change what is asked. */
const OTHER_SETTINGS = ['defaultMode', 'additionalDirectories', 'disableBypassPermissionsMode'];

/**
 * Reads the `permissions` of a settings file of Claude Code. As there, deny beats ask beats allow, and all files count:
 * `others` are what was skipped in the other ones. Throws `invalid_input` for a text that is not JSON.
 */
export function importClaudeCode(text: string, place: ImportPlace = {}, others: readonly SkippedRule[] = []): Imported {
  const settings = parseJson(text, (reason) => `The settings of Claude Code are not valid JSON: ${reason}`);
  const permissions = isObject(settings) ? settings['permissions'] : undefined;
  if (!isObject(permissions)) return { drafts: [], skipped: [] };
  const found: ImportedRule[] = [];
  const skipped: SkippedRule[] = OTHER_SETTINGS.filter((name) => permissions[name] !== undefined).map((name) => ({
    text: `${name}: ${JSON.stringify(permissions[name])}`,
    why: 'It is a setting of Claude Code itself, not a rule, and still counts there.',
  }));
  for (const effect of EFFECTS) {
    const entries = permissions[effect];
    for (const entry of Array.isArray(entries) ? entries : []) {
      const from = typeof entry === 'string' ? entry : JSON.stringify(entry);
      const meaning = typeof entry === 'string' ? readEntry(entry, effect, place) : { why: 'It is not a text.' };
      if ('why' in meaning) skipped.push(toSkipped(effect, `${effect}: ${from}`, meaning.why));
      else found.push(...toRules(effect, from, meaning, place));
    }
  }
  return toImported(found, skipped, (allowed, lost) => mayMeanSame(allowed.from, lost.text), others);
}

function toRules(
  effect: Effect,
  entry: string,
  { tool, matches, note }: Exclude<Meaning, { why: string }>,
  place: ImportPlace,
): ImportedRule[] {
  return matches.map((match) => {
    const draft: RuleDraft = { effect, tool, scope: toImportScope(place), ...(match !== undefined && { match }) };
    return { draft, from: `${effect}: ${entry}`, ...(note !== undefined && { note }) };
  });
}

/** Whether two entries, such as `allow: Bash(git *)` and `deny: Bash(git push*)`, may be about the same call. */
function mayMeanSame(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => splitEntry(text.replace(/^(?:allow|ask|deny): /, '')));
  if (first === undefined || second === undefined) return false;
  if (first.tool.startsWith('mcp__') && second.tool.startsWith('mcp__')) return true;
  if (first.tool !== second.tool || PATHLESS.has(second.tool)) return false;
  if (first.tool !== 'Bash' || first.specifier === undefined || second.specifier === undefined) return true;
  const patterns = toTextPatterns(second.specifier);
  return toTextPatterns(first.specifier).some((text) => patterns.some((pattern) => canOverlap(text, pattern)));
}

function toTextPatterns(specifier: string): string[] {
  return toWordPatterns(specifier.replace(/:\*$/, ' *'));
}

function splitEntry(entry: string): { tool: string; specifier: string | undefined } | undefined {
  const [, tool, specifier] = /^([A-Za-z][\w-]*|mcp__[^()]+)(?:\((.*)\))?$/s.exec(entry) ?? [];
  return tool === undefined ? undefined : { tool, specifier };
}

function readEntry(entry: string, effect: Effect, place: ImportPlace): Meaning {
  const split = splitEntry(entry);
  if (split === undefined) return { why: 'Expected a tool, or a tool and something in parentheses.' };
  const { tool, specifier } = split;
  if (tool.startsWith('mcp__')) return readMcp(tool, specifier);
  if (specifier === undefined || (specifier === '*' && tool === 'Bash')) return { tool, matches: [undefined] };
  switch (tool) {
    case 'Bash':
      return readCommand(specifier);
    case 'Edit':
    case 'Read':
      return readPath(tool, specifier, effect, place);
    case 'WebFetch':
      return readDomain(specifier);
    default:
      return PATHLESS.has(tool)
        ? { why: `Claude Code itself never looks at what is in the parentheses of ${tool}.` }
        : { why: `Beckon does not know what the parentheses of ${tool} mean.` };
  }
}

function readMcp(tool: string, specifier: string | undefined): Meaning {
  if (specifier !== undefined) return { why: 'Beckon compares the input of an MCP tool only as a whole.' };
  const name = tool.slice('mcp__'.length);
  const isServer = !name.includes('__');
  const whole = isServer ? `${tool}__*` : tool;
  if (/\*/.test(whole.replace(/__\*$/, ''))) return { why: 'Beckon has no wildcards inside the name of a tool.' };
  return { tool: whole, matches: [undefined] };
}

/** `npm run build`, or with ` *` or `:*` at its end. Any other `*` stands for characters, not for words. */
function readCommand(specifier: string): Meaning {
  const start = /^(.*?)(?: \*|:\*)$/s.exec(specifier)?.[1];
  const text = start ?? specifier;
  if (/[*]/.test(text)) return { why: 'Its * stands for any characters. Rules of Beckon compare whole words.' };
  const commands = plainCommands(text);
  const words = commands?.length === 1 ? commands[0] : undefined;
  if (words === undefined) return { why: 'It is not one command in plain words.' };
  return { tool: 'Bash', matches: [{ commands: [{ words, rest: start === undefined ? 'none' : 'any' }] }] };
}

function readPath(tool: string, pattern: string, effect: Effect, place: ImportPlace): Meaning {
  const read = toClaudeGlobs(pattern, effect, place);
  if ('why' in read) return read;
  const note = [
    ...(read.isFromStart
      ? ['Claude Code counts from the folder that it was started in, Beckon from the project.']
      : []),
    ...(tool === 'Read' && effect !== 'allow'
      ? ['Claude Code applies it to searching too, Beckon only to reading.']
      : []),
  ].join(' ');
  return { tool, matches: read.globs.map((path) => ({ path })), ...(note !== '' && { note }) };
}

function readDomain(specifier: string): Meaning {
  const domain = /^domain:((?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*)$/i.exec(specifier)?.[1];
  return domain === undefined
    ? { why: 'Beckon knows domain:NAME there, such as domain:docs.example.com.' }
    : { tool: 'WebFetch', matches: [{ domain: domain.toLowerCase() }] };
}
