import { toVisibleLine } from '../presentation/visible.ts';
import { BeckonError } from '../protocol/errors.ts';
import type { ParsedDraft, PreviewItem, Rule } from '../protocol/rule.ts';
import { checkDraft } from '../rules/check-draft.ts';
import { checkExamples, listContradictions } from '../rules/examples.ts';

/** Most examples of one sort, as in the schema of a draft. */
const MOST_EXAMPLES = 100;
/** How many contradictions a message names, and how much of each. */
const MOST_NAMED = 5;
const NAMED_CHARS = 120;

interface CheckRuleOptions {
  confirm: boolean;
  /** Examples that an earlier author confirmed. */
  confirmed: readonly string[];
  /** What people denied, of the past, and the rule would allow. */
  findDenied: (rule: Rule) => Promise<PreviewItem[]>;
}

/** Throws `invalid_input` for a draft that no rule can be made of. */
export function checkDraftText(draft: ParsedDraft | Rule): void {
  const fault = checkDraft(draft) ?? checkExamples(draft);
  if (fault !== null) throw new BeckonError('invalid_input', fault);
}

/**
 * Checks a rule before it is kept. Throws `rule_contradicts` for one that would allow what a person denied, or what its
 * own examples say that it must not. Once that is confirmed, each becomes an example, so that the rule leaves it alone.
 */
export async function checkRule(rule: Rule, { confirm, confirmed, findDenied }: CheckRuleOptions): Promise<Rule> {
  checkDraftText(rule);
  if (rule.effect !== 'allow') return rule;
  const given = listContradictions(rule).filter((example) => !confirmed.includes(example));
  let denied = await findDenied(rule);
  if (!confirm && given.length + denied.length > 0) throw toContradiction(given, denied);
  let checked = rule;
  // A preview names only so many at a time, and an example may stand for several.
  while (denied.length > 0) {
    const { notMatch } = checked.examples;
    const added = [...new Set(denied.map(({ example }) => example))].filter((example) => !notMatch.includes(example));
    if (added.length === 0 || notMatch.length + added.length > MOST_EXAMPLES) throw toTooWide(denied);
    checked = { ...checked, examples: { ...checked.examples, notMatch: [...notMatch, ...added] } };
    denied = await findDenied(checked);
  }
  checkDraftText(checked);
  return checked;
}

function toContradiction(given: readonly string[], denied: readonly PreviewItem[]): BeckonError {
  const named = [
    ...denied.map(({ example, by }) => `${quote(example)} (denied${by === undefined ? '' : ` by ${quote(by)}`})`),
    ...given.map((example) => `${quote(example)} (an example that it must not match)`),
  ];
  const shown = [...new Set(named)];
  const more = shown.length > MOST_NAMED ? ` and ${shown.length - MOST_NAMED} more` : '';
  return new BeckonError(
    'rule_contradicts',
    `The rule would allow ${shown.slice(0, MOST_NAMED).join(', ')}${more}. Make it narrower, or send it again with ` +
      '"confirm": it is then kept, leaves these alone, and a person is asked about them.',
  );
}

function toTooWide(denied: readonly PreviewItem[]): BeckonError {
  const [first] = denied;
  return new BeckonError(
    'rule_contradicts',
    `The rule would allow more that people denied than it can leave alone, such as ${quote(first?.example ?? '')}. ` +
      'Make it narrower.',
  );
}

function quote(text: string): string {
  return `"${toVisibleLine(text, NAMED_CHARS, 'code')}"`;
}
