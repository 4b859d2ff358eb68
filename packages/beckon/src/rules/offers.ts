import { toCanonicalJson } from '../core/canonical-json.ts';
import type { Interaction, InteractionOf } from '../protocol/interaction.ts';
import type { RuleDraft, RuleScope } from '../protocol/rule.ts';
import { assessRisk } from '../risk/assess-risk.ts';
import { toAskedCall } from './asked-call.ts';
import { checkDraft } from './check-draft.ts';
import { describeRule } from './describe-rule.ts';
import { findMismatch, type RuleText } from './match-rule.ts';
import { toWidths, type Width } from './widths.ts';

/** A rule that would have allowed a request, before anybody looks at the history. */
export interface Candidate {
  /** The same for the same rule, whenever it is offered. */
  key: string;
  draft: RuleDraft;
  /** It is much wider than what was asked: right for somebody who wants that, too much for a suggestion. */
  isBroad: boolean;
}

interface Offered extends Candidate {
  sentence: string;
}

/** The rules to offer, the narrowest first, or why there are none. */
export interface Offers {
  drafts: Offered[];
  why?: string;
}

export interface OfferOptions {
  /** What every rule must be limited to: the chat of a limited caller, or an agent of their own. */
  scope?: RuleScope | undefined;
}

const MOST_OFFERS = 5;
const SESSION_UNTIL = '30m';

/**
 * The rules that would have allowed a request, in its project: the narrowest and up to four wider ones. There are none
 * for what is dangerous, and for what no rule can allow.
 */
export function toOffers(interaction: Interaction, options: OfferOptions = {}): Offers {
  const found = findCandidates(interaction, options);
  if ('why' in found) return { drafts: [], why: found.why };
  return { drafts: found.candidates.map((one) => ({ ...one, sentence: describeRule(one.draft) })) };
}

/** The same without words, for whoever looks through a whole history. */
export function findCandidates(
  interaction: Interaction,
  { scope }: OfferOptions = {},
): { candidates: Candidate[] } | { why: string } {
  if (interaction.kind !== 'approval') return { why: 'Rules decide approvals only. A person answers everything else.' };
  const { level, findings } = assessRisk(interaction);
  if (level === 'dangerous') {
    return { why: `This is dangerous, so a person decides each one. ${findings[0]?.sentence ?? ''}`.trimEnd() };
  }
  const asked = toAskedCall(interaction);
  const read = toWidths(asked);
  if ('why' in read) return read;
  const candidates = toCandidates(read.widths, interaction, { ...toScope(interaction), ...scope });
  const objections = candidates.map(({ rule }) => checkDraft(rule) ?? findMismatch(rule, asked));
  const fitting = candidates.filter((_, index) => objections[index] === null).slice(0, MOST_OFFERS);
  if (fitting.length === 0) return { why: toReason(objections[0] ?? null) };
  return { candidates: fitting.map(({ key, draft, isBroad }) => ({ key, draft, isBroad })) };
}

/** What a rule says, as a text: without its times, and without what only people read. */
export function toRuleKey({
  effect,
  tool,
  match,
  scope,
}: Pick<RuleDraft, 'effect' | 'tool' | 'match' | 'scope'>): string {
  return toCanonicalJson({ effect, tool, match, scope: scope ?? {} });
}

/** What is wrong with the narrowest rule. One part of the engine gives sentences, the other the ends of them. */
function toReason(objection: string | null): string {
  if (objection === null) return 'No rule can allow this.';
  return objection.endsWith('.') ? objection : `No rule can allow this: ${objection}.`;
}

interface CheckedCandidate extends Candidate {
  rule: RuleText;
}

function toCandidates(
  widths: readonly Width[],
  { sessionId }: InteractionOf<'approval'>,
  scope: RuleScope,
): CheckedCandidate[] {
  const candidates = widths.map((width) => toCandidate(width, scope));
  // Somebody who trusts this run of the agent for a while gets the middle width.
  const middle = widths[1] ?? widths[0];
  if (sessionId !== undefined && middle !== undefined) {
    candidates.splice(2, 0, toCandidate(middle, { ...scope, sessionId }, SESSION_UNTIL));
  }
  return [...new Map(candidates.map((one) => [one.key, one])).values()];
}

function toCandidate({ isBroad = false, tool, match }: Width, scope: RuleScope, until?: string): CheckedCandidate {
  const rule: RuleText = { effect: 'allow', tool, match, scope, examples: { match: [], notMatch: [] } };
  const said = { effect: 'allow' as const, tool, ...(match !== undefined && { match }), scope };
  const draft: RuleDraft = until === undefined ? said : { ...said, until };
  return { key: toRuleKey(draft), draft, rule, isBroad };
}

/** The project that the agent works in; if it does not say, the agent itself, or else the chat. */
function toScope({ context, askedBy, chatId }: InteractionOf<'approval'>): RuleScope {
  const folder = context?.root ?? context?.folder;
  const project = context?.project;
  const agent = askedBy === undefined ? { chatId } : { askedBy };
  return {
    ...(project !== undefined && { project }),
    ...(folder === undefined ? agent : { folder }),
  };
}
