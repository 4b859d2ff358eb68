import type { Effect, RuleDraft, RuleWord } from '../protocol/rule.ts';
import { toCommandText } from './command-text.ts';
import {
  type Imported,
  type ImportedRule,
  type ImportPlace,
  type SkippedRule,
  toImported,
  toImportScope,
  toSkipped,
} from './imported.ts';
import { type Literal, readStarlark, type Statement } from './starlark.ts';

type Call = Exclude<Statement, { why: string }>;

const EFFECT_OF: Readonly<Record<string, Effect>> = { allow: 'allow', prompt: 'ask', forbidden: 'deny' };
const KNOWN_ARGS = new Set(['pattern', 'decision', 'justification', 'match', 'not_match']);

/**
 * Reads a `.rules` file of Codex. As there, the strictest rule that matches decides. Its file is a program: what is
 * more than literal calls of `prefix_rule` is listed, not run. `others` were skipped in other files.
 */
export function importCodex(text: string, place: ImportPlace = {}, others: readonly SkippedRule[] = []): Imported {
  const found: ImportedRule[] = [];
  const skipped: SkippedRule[] = [];
  for (const statement of readStarlark(text)) {
    const result = readStatement(statement, place);
    if ('draft' in result) found.push(result);
    else skipped.push(result);
  }
  // What Beckon could not read may forbid anything.
  return toImported(found, skipped, () => true, others);
}

function readStatement(statement: Statement, place: ImportPlace): ImportedRule | SkippedRule {
  const from = `line ${statement.line}: ${statement.text}`;
  if ('why' in statement) {
    const why = `Beckon reads literal calls only, and runs nothing. ${statement.why}`;
    return { text: from, why: `It may have denied something, and Beckon will not: ${why}`, effect: 'deny' };
  }
  switch (statement.name) {
    case 'prefix_rule':
      return readPrefixRule(statement, from, place);
    case 'host_executable':
      return { text: from, why: 'It ties a name to files on this machine. Rules of Beckon compare the name alone.' };
    case 'network_rule':
      return readNetworkRule(statement, from);
    default:
      return {
        text: from,
        why: `It may have denied something: Beckon does not know ${statement.name}.`,
        effect: 'deny',
      };
  }
}

function readPrefixRule({ args }: Call, from: string, place: ImportPlace): ImportedRule | SkippedRule {
  const { decision = 'allow', justification, match = [], not_match: notMatch = [] } = Object.fromEntries(args);
  const effect = typeof decision === 'string' ? EFFECT_OF[decision] : undefined;
  if (effect === undefined) return toSkipped('deny', from, 'Its decision is none of allow, prompt and forbidden.');
  const unknown = [...args.keys()].find((name) => !KNOWN_ARGS.has(name));
  if (unknown !== undefined) return toSkipped(effect, from, `Beckon does not know its argument ${unknown}.`);
  const words = toWords(args.get('pattern'));
  if (words === undefined) return toSkipped(effect, from, 'Its pattern is not a list of words.');
  const examples = { match: toExamples(match), notMatch: toExamples(notMatch) };
  if (examples.match === undefined || examples.notMatch === undefined) {
    return toSkipped(effect, from, 'Its examples are not lists of commands.');
  }
  const draft: RuleDraft = {
    effect,
    tool: 'Bash',
    match: { commands: [{ words, rest: 'any' }] },
    scope: toImportScope(place),
    examples: { match: examples.match, notMatch: examples.notMatch },
    ...(typeof justification === 'string' && justification !== '' && { reason: justification }),
  };
  return { draft, from };
}

function readNetworkRule({ args }: Call, from: string): SkippedRule {
  const why = "It is about the network of Codex's sandbox. Beckon decides about calls of tools.";
  // It forbids no command, so the rules that allow commands can stay: it has no effect on them.
  return { text: from, why: args.get('decision') === 'deny' ? `It denied this, and Beckon will not: ${why}` : why };
}

function toWords(pattern: Literal | undefined): RuleWord[] | undefined {
  if (!Array.isArray(pattern) || pattern.length === 0) return undefined;
  const isWord = (item: Literal): item is string => typeof item === 'string' && item !== '';
  const isChoice = (item: Literal): item is string[] =>
    Array.isArray(item) && item.length > 0 && item.every((word) => isWord(word));
  return pattern.every((item): item is string | string[] => isWord(item) || isChoice(item)) ? pattern : undefined;
}

/** An example is a command, or its words. */
function toExamples(examples: Literal | undefined): string[] | undefined {
  if (!Array.isArray(examples)) return undefined;
  const texts = examples.map((example) => {
    if (typeof example === 'string') return example;
    const isWords = Array.isArray(example) && example.every((word) => typeof word === 'string');
    return isWords ? toCommandText(example) : undefined;
  });
  return texts.every((text) => text !== undefined) ? texts : undefined;
}
