import type { Effect, RuleDraft, RuleScope } from '../protocol/rule.ts';
import { checkDraft } from './check-draft.ts';
import { toRuleText } from './rule-text.ts';

/** What a settings file of another agent becomes. */
export interface Imported {
  drafts: ImportedRule[];
  /** What Beckon cannot say exactly. A rule is never made wider to fit. */
  skipped: SkippedRule[];
}

/** A rule of Beckon, and the text that it was made from. */
export interface ImportedRule {
  draft: RuleDraft;
  from: string;
  /** What is not quite the same. */
  note?: string;
}

/** Something in the file that becomes no rule. `effect`: what it did there, if it is a rule. */
export interface SkippedRule {
  text: string;
  why: string;
  effect?: Effect;
  /** Beckon does the same without a rule. */
  isCovered?: true;
}

/** Where the file counts. Without a folder it counts everywhere, as the settings of a person do. */
export interface ImportPlace {
  /** The project's folder, and its name as agents say it. */
  folder?: string | undefined;
  project?: string | undefined;
  /** The home folder, for paths that begin with `~/`. */
  home?: string | undefined;
}

/** The scope of everything that a file says. */
export function toImportScope({ folder, project }: ImportPlace): RuleScope {
  return { ...(project !== undefined && { project }), ...(folder !== undefined && { folder }) };
}

/** What a skipped rule did, and that nothing does it in its place. */
export function toSkipped(effect: Effect, text: string, why: string): SkippedRule {
  const lost = {
    deny: `It denied this, and Beckon will not: ${why}`,
    ask: `It asked before this, and no rule of Beckon will insist on it: ${why}`,
    allow: why,
  };
  return { text, why: lost[effect], effect };
}

/**
 * Takes out the drafts that Beckon refuses, such as one that allows a program that runs its arguments, and then those
 * that allow something a lost rule forbade: `overlaps` says whether they may mean the same call. `others` were skipped
 * in other files, which count as well.
 */
export function toImported(
  found: readonly ImportedRule[],
  skipped: readonly SkippedRule[],
  overlaps: (allowed: ImportedRule, lost: SkippedRule) => boolean,
  others: readonly SkippedRule[],
): Imported {
  const accepted: ImportedRule[] = [];
  const left = [...skipped];
  for (const one of found) {
    const why = checkDraft(toRuleText(one.draft));
    if (why === null) accepted.push(one);
    else left.push(toSkipped(one.draft.effect, one.from, why));
  }
  const own = left.filter(({ isCovered }) => isCovered !== true);
  const lost = [...own, ...others].filter(({ effect }) => effect === 'deny' || effect === 'ask');
  const drafts: ImportedRule[] = [];
  for (const one of accepted) {
    const taken = one.draft.effect === 'allow' ? lost.find((rule) => overlaps(one, rule)) : undefined;
    if (taken === undefined) drafts.push(one);
    else
      left.push({
        text: one.from,
        why: `Part of it is not allowed by a rule that is skipped: ${taken.text}`,
        effect: 'allow',
      });
  }
  return { drafts, skipped: left };
}
