import { plainCommands } from '../calls/plain-commands.ts';
import { BeckonError } from '../protocol/errors.ts';
import { isObject, type Json } from '../protocol/json.ts';
import { parseJson } from '../protocol/parse-json.ts';
import { EFFECTS, type Effect, type RuleDraft, type RuleMatch } from '../protocol/rule.ts';
import {
  type Imported,
  type ImportedRule,
  type ImportPlace,
  type SkippedRule,
  toImported,
  toImportScope,
  toSkipped,
} from './imported.ts';
import { toPlainJson } from './jsonc.ts';
import { canOverlap, toWordPatterns } from './wildcards.ts';

/** One line of a permission, in the order of the file. */
interface Entry {
  key: string;
  pattern: string;
  effect: Effect;
  text: string;
}
type Meaning = { tool: string; match?: RuleMatch } | { why: string };

/** The keys that a tool of every agent stands for. */
const FAMILIES: Readonly<Record<string, string>> = { bash: 'Bash', edit: 'Edit', read: 'Read', webfetch: 'WebFetch' };
/** Keys that are no tools. */
const NO_TOOLS: Readonly<Record<string, string>> = {
  external_directory: 'Beckon has no rule about leaving the folder. Rules about files name where they count.',
  doom_loop: 'Beckon has no rule about calls that repeat.',
};

/**
 * Reads the `permission` of an `opencode.json`. There the last match decides; here deny beats ask beats allow. What
 * would come out differently is skipped. `others` were skipped in other files, which count as well. Throws
 * `invalid_input` for a text that is not JSON.
 */
export function importOpencode(text: string, place: ImportPlace = {}, others: readonly SkippedRule[] = []): Imported {
  const config = parseJson(toPlainJson(text), (reason) => `The settings of opencode are not valid JSON: ${reason}`);
  if (!isObject(config)) return { drafts: [], skipped: [] };
  const entries = readEntries(config['permission']);
  const skipped: SkippedRule[] = findAgentPermissions(config['agent']);
  const found: ImportedRule[] = [];
  for (const [index, entry] of entries.entries()) {
    const result = readEntry(entry, entries.slice(index + 1), entries.slice(0, index), place);
    if ('draft' in result) found.push(result);
    else skipped.push(result);
  }
  const texts = entries.map((entry) => entry.text);
  const overlaps = (allowed: ImportedRule, lost: SkippedRule): boolean => {
    const [one, other] = [readText(allowed.from), readText(lost.text)];
    // One of an agent, which may be about anything.
    if (one === undefined || other === undefined) return true;
    // In the same file, a lost rule that came before was no longer in force where this one matches.
    const isBefore = !others.includes(lost) && texts.indexOf(lost.text) < texts.indexOf(allowed.from);
    return !isBefore && overlap(one, other);
  };
  return toImported(found, skipped, overlaps, others);
}

function toText(key: string, pattern: string | undefined, action: Json): string {
  const said = typeof action === 'string' ? action : JSON.stringify(action);
  return pattern === undefined ? `${key}: ${said}` : `${key}: ${JSON.stringify(pattern)}: ${said}`;
}

/** The entry that a text was made from. */
function readText(text: string): Pick<Entry, 'key' | 'pattern'> | undefined {
  const [, key, pattern] = /^([^:]+): (?:("(?:[^"\\]|\\.)*"): )?(?:allow|ask|deny)$/s.exec(text) ?? [];
  if (key === undefined) return undefined;
  return { key, pattern: pattern === undefined ? '*' : (JSON.parse(pattern) as string) };
}

function readEntries(permission: Json | undefined): Entry[] {
  if (permission === undefined) return [];
  const byKey = isObject(permission) ? permission : { '*': permission };
  return Object.entries(byKey).flatMap(([key, value]) =>
    Object.entries(isObject(value) ? value : { '*': value }).map(([pattern, action]) => {
      const text = toText(key, isObject(value) ? pattern : undefined, action);
      const effect = EFFECTS.find((one) => one === action);
      if (effect === undefined) {
        throw new BeckonError('invalid_input', `Expected allow, ask or deny in the settings of opencode, got: ${text}`);
      }
      return { key, pattern, effect, text };
    }),
  );
}

function readEntry(
  entry: Entry,
  later: readonly Entry[],
  earlier: readonly Entry[],
  place: ImportPlace,
): ImportedRule | SkippedRule {
  const { effect, text } = entry;
  const weaker = later.find(
    (other) => EFFECTS.indexOf(other.effect) > EFFECTS.indexOf(effect) && overlap(entry, other),
  );
  if (effect === 'ask' && !earlier.some((other) => other.effect === 'allow' && overlap(entry, other))) {
    // Nothing before it allows what it asks about, so without it Beckon asks as well.
    if (weaker !== undefined || entry.pattern === '*') {
      return { text, why: 'It needs no rule: where no rule matches, a person is asked.', effect, isCovered: true };
    }
  }
  if (weaker !== undefined) {
    return toSkipped(
      effect,
      text,
      `a later entry takes something out of it (${weaker.text}), and here ${effect} comes first.`,
    );
  }
  const meaning = readMeaning(entry);
  if ('why' in meaning) return toSkipped(effect, text, meaning.why);
  const draft: RuleDraft = { effect, ...meaning, scope: toImportScope(place) };
  return { draft, from: text };
}

function readMeaning({ key, pattern, effect }: Entry): Meaning {
  const noTool = Object.hasOwn(NO_TOOLS, key) ? NO_TOOLS[key] : undefined;
  if (noTool !== undefined) return { why: noTool };
  if (key === '*')
    return pattern === '*' ? { tool: '*' } : { why: 'It is about every tool, and what a pattern means differs.' };
  if (/[*?]/.test(key)) return { why: 'Beckon has no wildcards in the name of a tool.' };
  const tool = Object.hasOwn(FAMILIES, key) ? FAMILIES[key] : undefined;
  if (tool === 'Bash') return pattern === '*' ? { tool } : readCommand(pattern);
  if (tool === 'Edit' || tool === 'Read') return readPath(tool, pattern, effect);
  if (pattern === '*') return { tool: tool ?? key };
  return { why: `Beckon cannot say this about ${key}: opencode compares the text of the whole address or input.` };
}

function readCommand(pattern: string): Meaning {
  const start = pattern.endsWith(' *') ? pattern.slice(0, -2) : undefined;
  const text = start ?? pattern;
  if (/[*?]/.test(text)) return { why: 'Its * or ? stands for any characters. Rules of Beckon compare whole words.' };
  const commands = plainCommands(text);
  const words = commands?.length === 1 ? commands[0] : undefined;
  if (words === undefined) return { why: 'It is not one command in plain words.' };
  return { tool: 'Bash', match: { commands: [{ words, rest: start === undefined ? 'none' : 'any' }] } };
}

/** In opencode `*` stands for any characters, also those between folders; paths count from the project. */
function readPath(tool: string, pattern: string, effect: Effect): Meaning {
  // Outside of the project, opencode asks all the same (external_directory).
  if (pattern === '*') return effect === 'allow' ? { tool, match: { path: '**' } } : { tool };
  const [, folder = '', star, end = ''] = /^([^*?]*\/)?(\*?)([^*?/]*)$/.exec(pattern) ?? [];
  const isOurs = star !== undefined && !/[[\]{}\\]|^[~$/]|(?:^|\/)\.\.?(?:\/|$)/.test(pattern);
  if (!isOurs) return { why: 'Beckon cannot say this pattern with its own globs.' };
  if (star === '') return { tool, match: { path: pattern } };
  return { tool, match: { path: end === '' ? `${folder}**` : `${folder}**/*${end}` } };
}

function overlap(one: Pick<Entry, 'key' | 'pattern'>, other: Pick<Entry, 'key' | 'pattern'>): boolean {
  if (!canOverlap(one.key, other.key)) return false;
  if (one.pattern === '*' || other.pattern === '*') return true;
  const patterns = toWordPatterns(other.pattern);
  return toWordPatterns(one.pattern).some((text) => patterns.some((pattern) => canOverlap(text, pattern)));
}

function findAgentPermissions(agents: Json | undefined): SkippedRule[] {
  if (!isObject(agents)) return [];
  return Object.entries(agents).flatMap(([name, agent]) => {
    const permission = isObject(agent) ? agent['permission'] : undefined;
    if (permission === undefined) return [];
    const text = `agent.${name}.permission`;
    const why = 'it counts for one agent of opencode, and Beckon cannot tell them apart.';
    // Where it is stricter than the rest, nothing may be allowed for all of them.
    return [toSkipped(/"(?:ask|deny)"/.test(JSON.stringify(permission)) ? 'ask' : 'allow', text, why)];
  });
}
