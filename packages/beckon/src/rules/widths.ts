import { isBelow, resolvePath } from '../calls/paths.ts';
import { toVisibleLine } from '../presentation/visible.ts';
import type { CommandPattern, RuleMatch } from '../protocol/rule.ts';
import { toPrefix } from './arity.ts';
import type { AskedCall } from './asked-call.ts';
import { checkDraft } from './check-draft.ts';
import { readAllowable } from './match-rule.ts';

/** One way to say which calls a rule is about. */
export interface Width {
  tool: string;
  match?: RuleMatch;
  /** It is much wider than the call. */
  isBroad?: boolean;
}

/** The ways to say what a call is, the narrowest first; or why no rule can allow it. */
export type Widths = { widths: Width[] } | { why: string };

/** Reads what rules could say about a call. */
export function toWidths(asked: AskedCall): Widths {
  const { call, input } = asked;
  switch (call.family) {
    case 'command':
      return toCommandWidths(asked);
    case 'edit':
      return toFileWidths('Edit', asked);
    case 'read':
      return toFileWidths('Read', asked);
    case 'fetch':
      return toHostWidths(asked);
    case 'mcp':
      return { widths: [{ tool: call.tool, match: { input } }, { tool: call.tool }, ...toServerWidths(call.tool)] };
    case 'other':
      return { widths: [{ tool: call.tool, match: { input } }, { tool: call.tool }] };
  }
}

function toCommandWidths(asked: AskedCall): Widths {
  const commands = readAllowable(asked);
  if (typeof commands === 'string') return { why: toReason(commands) };
  const exact = unique(commands.map((words) => ({ words: [...words], rest: 'none' as const })));
  const open = unique(commands.map(toOpenPattern));
  return { widths: [exact, open].map((patterns) => ({ tool: 'Bash', match: { commands: patterns } })) };
}

/** The first words with any others behind them; the command as it is, where no rule can allow that. */
function toOpenPattern(words: readonly string[]): CommandPattern {
  const prefix = toPrefix(words);
  const exact = { words: [...words], rest: 'none' as const };
  if (prefix === undefined) return exact;
  const open = { words: prefix, rest: 'any' as const };
  return checkDraft({ effect: 'allow', tool: 'Bash', match: { commands: [open] }, scope: {} }) === null ? open : exact;
}

function unique(patterns: readonly CommandPattern[]): CommandPattern[] {
  return [...new Map(patterns.map((pattern) => [JSON.stringify(pattern), pattern])).values()];
}

function toFileWidths(tool: 'Edit' | 'Read', { files, call, place }: AskedCall): Widths {
  const found = files();
  if (found.length === 0) return { why: 'No rule can allow this: the call names no file that Beckon can read.' };
  const paths: string[] = [];
  for (const [index, file] of found.entries()) {
    if ('why' in file) {
      const name = toVisibleLine(call.files[index]?.text ?? '', 120, 'code');
      return { why: `${toReason(file.why)} (${name})` };
    }
    paths.push(file.paths[0] ?? '');
  }
  if (paths.some((path) => /[*?]/.test(path))) {
    return { why: 'No rule can name this file: it has a * or a ? in its name, which stand for other names in a rule.' };
  }
  const globs = toGlobs(paths, resolvePath(place.root ?? place.folder ?? '', undefined));
  if (globs.length === 0) return { why: 'No rule can allow this: the files have no folder in common.' };
  return { widths: globs.map((path) => ({ tool, match: { path } })) };
}

/** The file, its folder, and the folder of the project that both are in. Outside of the project, from the root. */
function toGlobs(paths: readonly string[], root: string | undefined): string[] {
  const isInside = root !== undefined && root !== '/' && paths.every((path) => path !== root && isBelow(path, root));
  const names = paths.map((path) => (isInside ? path.slice(root.length + 1) : path).split('/'));
  const [first = []] = names;
  const shared = first.findIndex((name, at) => at === first.length - 1 || names.some((other) => other[at] !== name));
  const folder = first.slice(0, shared);
  const globs = paths.length === 1 ? [first.join('/')] : [];
  // An absolute path has an empty name before its first slash.
  if (folder.length > (isInside ? 0 : 1)) globs.push(`${folder.join('/')}/**`);
  if (isInside && folder.length > 1) globs.push(`${folder[0]}/**`);
  return globs;
}

function toHostWidths({ host }: AskedCall): Widths {
  const asked = host();
  if (asked === undefined) return { why: 'No rule can allow this: the call names no address that Beckon can read.' };
  if ('why' in asked) return { why: toReason(asked.why) };
  return { widths: [{ tool: 'WebFetch', match: { domain: asked.host } }] };
}

function toServerWidths(tool: string): Width[] {
  const server = /^mcp__[^_](?:.*?[^_])?__/.exec(tool)?.[0];
  return server === undefined ? [] : [{ tool: `${server}*`, isBroad: true }];
}

function toReason(why: string): string {
  return `No rule can allow this: ${why}.`;
}
