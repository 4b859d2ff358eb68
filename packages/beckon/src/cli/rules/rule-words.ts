import type { RuleDetails } from '../../core/rules.ts';
import { DECISION_NAMES } from '../../presentation/names.ts';
import { toVisibleLine } from '../../presentation/visible.ts';
import type { PreviewItem, Rule, RuleDraft, RulePreview } from '../../protocol/rule.ts';
import { describeRule } from '../../rules/describe-rule.ts';
import { toLocalTime } from '../../terminal/describe.ts';
import { paint } from '../output.ts';

/** How many requests a preview names in a terminal. */
const MOST_NAMED = 5;

/** A rule's sentence, with times by the clock of this machine. */
export function toSentence(rule: Rule | RuleDraft): string {
  return describeRule(rule, { toTime: toLocalTime });
}

/** Whether a rule decides: `on`, `watch`, `stopped`, or `ended`. */
export function toState({ mode, stopped, until }: Rule): 'on' | 'watch' | 'stopped' | 'ended' {
  if (stopped !== undefined) return 'stopped';
  return until !== undefined && Date.parse(until) <= Date.now() ? 'ended' : mode;
}

/** What a preview says, line by line. `isBrief`: it names only what contradicts. */
export function toPreviewLines(preview: RulePreview, { isBrief = false }: { isBrief?: boolean } = {}): string[] {
  const { matched, items, contradictions, dangerous } = preview;
  const lines = [toSummary(preview)];
  if (!isBrief) lines.push(...items.slice(0, MOST_NAMED).map(toItemLine));
  if (!isBrief && matched > MOST_NAMED) lines.push(`  and ${matched - MOST_NAMED} more`);
  if (dangerous > 0) {
    lines.push(`It matches ${count(dangerous, 'more request')}, but a person decides those: they are dangerous.`);
  }
  if (contradictions.length > 0) {
    lines.push(paint('red', `A person decided otherwise ${count(contradictions.length, 'time')}:`));
    lines.push(...contradictions.slice(0, MOST_NAMED).map(toItemLine));
    if (contradictions.length > MOST_NAMED) lines.push(`  and ${contradictions.length - MOST_NAMED} more`);
  }
  return lines;
}

function toSummary({ checked, since, matched, byDecision }: RulePreview): string {
  if (checked === 0) return 'There are no approvals in the history to try it on.';
  const span = since === undefined ? '' : ` since ${toLocalTime(since)}`;
  const counts = byDecision.map((one) => `${one.count} ${DECISION_NAMES[one.decision].toLowerCase()}`).join(', ');
  const decided = `Of ${count(checked, 'approval')}${span}, it would have decided`;
  return matched === 0 ? `${decided} none.` : `${decided} ${matched}: ${counts}.`;
}

/** One request that a rule matches, on a line. */
export function toItemLine({ id, at, headline, decision, by }: PreviewItem): string {
  const who = by === undefined ? '' : ` by ${toVisibleLine(by, 40, 'code')}`;
  return `  ${id}  ${toLocalTime(at)}  ${DECISION_NAMES[decision].toLowerCase()}${who}  ${toVisibleLine(headline, 100, 'code')}`;
}

/** Everything about a rule, as names and values. */
export function toFacts({ rule, hits, lastHitAt }: RuleDetails): [string, string][] {
  const { id, mode, stopped, createdBy, createdAt, until, reason, examples } = rule;
  const facts: [string, string | undefined][] = [
    ['Id', id],
    ['Rule', toSentence(rule)],
    [
      'State',
      stopped === undefined ? toState(rule) : `stopped ${toLocalTime(stopped.at)}: ${toVisibleLine(stopped.why)}`,
    ],
    ['Made by', `${toVisibleLine(createdBy, 60, 'code')}, ${toLocalTime(createdAt)}`],
    ['Until', until === undefined ? undefined : toLocalTime(until)],
    ['Reason', reason === undefined ? undefined : toVisibleLine(reason)],
    ['Matches', toExamples(examples.match)],
    ['Never', toExamples(examples.notMatch)],
    [mode === 'watch' ? 'Noted' : 'Decided', hits === 0 ? 'nothing yet' : toHits(hits, lastHitAt)],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== undefined);
}

function toHits(hits: number, lastHitAt: string | undefined): string {
  return `${count(hits, 'request')}${lastHitAt === undefined ? '' : `, the last one ${toLocalTime(lastHitAt)}`}`;
}

function toExamples(examples: readonly string[]): string | undefined {
  return examples.length === 0 ? undefined : examples.map((one) => toVisibleLine(one, 100, 'code')).join(' · ');
}

/** "1 approval", "2 approvals". */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
