import type { Interaction, InteractionOf } from '../protocol/interaction.ts';
import type { Rule, RuleOffer, RuleScope } from '../protocol/rule.ts';
import { assessRisk } from '../risk/assess-risk.ts';
import { toAskedCall } from './asked-call.ts';
import { describeRule } from './describe-rule.ts';
import { findMismatch } from './match-rule.ts';
import { findCandidates as findOffered, type Candidate as Offered } from './offers.ts';
import { joinPreviews, previewRules, toPersonsWord } from './preview.ts';
import { compileRules } from './rule-book.ts';
import { toRuleText } from './rule-text.ts';

export interface SuggestOptions {
  /** The rules that there are: what they decide needs no other one. */
  rules: readonly Rule[];
  /** The keys of suggestions that nobody wants to see again. */
  dismissed: ReadonlySet<string>;
  /** Now, as ISO 8601 in UTC: a rule that has ended decides nothing. */
  at: string;
  /** What every rule must be limited to: the chat of a limited caller, or an agent of their own. */
  scope?: RuleScope | undefined;
}

/** How often people must have allowed something, and how many suggestions there are at a time. */
const LEAST_ALLOWED = 5;
const MOST_SUGGESTIONS = 5;
/** How many candidates are compared with the whole history: those that came up most. */
const MOST_CANDIDATES = 40;
/** How many requests are looked at without a pause. */
const STEP_ITEMS = 25;
/** Longer calls are looked at each time, so that they are not kept in memory twice. */
const CALL_CHARS = 4000;
/** A longer rule is nothing that anybody reads. */
const KEY_CHARS = 2000;

type Approval = InteractionOf<'approval'>;

interface Candidate extends Offered {
  /** How many narrower rules there are for the same request. */
  width: number;
  /** Of how many requests it came. */
  count: number;
  /** The requests that people allowed and that it would have decided. */
  readonly saves: Set<Approval>;
}

/**
 * The rules that would have saved people most decisions: what they allowed at least five times and never denied, each
 * as the narrowest rule that covers it. `items` are requests, the newest first.
 */
export function suggest(items: readonly Interaction[], options: SuggestOptions): RuleOffer[] {
  const steps = suggestInSteps(items, options);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The same with a pause after every few requests, for a process that has others to serve. */
export function* suggestInSteps(
  items: readonly Interaction[],
  { rules, dismissed, at, scope }: SuggestOptions,
): Generator<undefined, RuleOffer[]> {
  const approvals = items.filter((item) => item.kind === 'approval');
  const book = compileRules(rules);
  const allowed: Approval[] = [];
  for (const [index, item] of approvals.entries()) {
    if (isPause(index)) yield;
    // What a rule decides or asks about already, no further rule would change.
    if (toPersonsWord(item) === 'allowed' && book.decide(item, at).effect === null) allowed.push(item);
  }
  const refused = approvals.filter((item) => ['denied', 'changed'].includes(toPersonsWord(item) ?? ''));
  const candidates = yield* keepSafe(yield* findCandidates(allowed, dismissed, scope), refused);
  yield* addSaves(candidates, allowed);
  const chosen = yield* choose(candidates);
  const drafts = chosen.map(({ draft }) => draft);
  let previews = previewRules(drafts, []);
  for (let start = 0; start < approvals.length; start += STEP_ITEMS) {
    yield;
    previews = joinPreviews(previews, previewRules(drafts, approvals.slice(start, start + STEP_ITEMS)));
  }
  return chosen.flatMap(({ key, draft }, index) => {
    const preview = previews[index];
    return preview === undefined ? [] : [{ key, sentence: describeRule(draft), draft, preview }];
  });
}

function isPause(index: number): boolean {
  return index % STEP_ITEMS === STEP_ITEMS - 1;
}

/** The rules that would be offered for the requests, as often as they come up: those that come up most. */
function* findCandidates(
  allowed: readonly Approval[],
  dismissed: ReadonlySet<string>,
  scope: RuleScope | undefined,
): Generator<undefined, Candidate[]> {
  const found = new Map<string, Candidate>();
  const known = new Map<string, readonly Offered[]>();
  for (const [index, item] of allowed.entries()) {
    if (isPause(index)) yield;
    // Most of what is allowed again and again is the same call.
    const call = JSON.stringify([item.request.tool, item.request.input, item.context, item.askedBy, item.chatId]);
    const offers = known.get(call) ?? listOffered(item, scope);
    if (call.length <= CALL_CHARS) known.set(call, offers);
    // Whoever does not want a rule for this does not want a wider or a narrower one either.
    if (offers.some(({ key }) => dismissed.has(key))) continue;
    for (const [width, offered] of offers.entries()) {
      const { key, draft, isBroad } = offered;
      const isFor = !isBroad && draft.until === undefined && key.length <= KEY_CHARS;
      if (!isFor) continue;
      const candidate = found.get(key) ?? { ...offered, width, count: 0, saves: new Set() };
      candidate.count += 1;
      found.set(key, candidate);
    }
  }
  return [...found.values()]
    .filter(({ count }) => count >= LEAST_ALLOWED)
    .toSorted((one, other) => other.count - one.count)
    .slice(0, MOST_CANDIDATES);
}

function listOffered(item: Approval, scope: RuleScope | undefined): readonly Offered[] {
  const read = findOffered(item, { scope });
  return 'why' in read ? [] : read.candidates;
}

/** Leaves out what would have allowed something that a person denied or changed. */
function* keepSafe(candidates: readonly Candidate[], refused: readonly Approval[]): Generator<undefined, Candidate[]> {
  let safe = candidates.map((candidate) => ({ candidate, rule: toRuleText(candidate.draft) }));
  for (const [index, item] of refused.entries()) {
    if (isPause(index)) yield;
    const asked = toAskedCall(item);
    safe = safe.filter(({ rule }) => findMismatch(rule, asked) !== null);
  }
  return safe.map(({ candidate }) => candidate);
}

/** Notes which of the requests each candidate would have decided. Each request is read once. */
function* addSaves(candidates: readonly Candidate[], allowed: readonly Approval[]): Generator<undefined, void> {
  const rules = candidates.map(({ draft, saves }) => ({ rule: toRuleText(draft), saves }));
  for (const [index, item] of allowed.entries()) {
    if (isPause(index)) yield;
    const asked = toAskedCall(item);
    const isRoutine = assessRisk(item).level !== 'dangerous';
    for (const { rule, saves } of rules) if (isRoutine && findMismatch(rule, asked) === null) saves.add(item);
  }
}

/**
 * Takes the one that saves most, then the one that saves most of the rest. Of those that save the same, the narrowest.
 */
function* choose(candidates: readonly Candidate[]): Generator<undefined, Candidate[]> {
  const chosen: Candidate[] = [];
  const saved = new Set<Approval>();
  while (chosen.length < MOST_SUGGESTIONS) {
    yield;
    const ranked = candidates
      .map((one) => ({ one, left: [...one.saves].filter((item) => !saved.has(item)).length }))
      .filter(({ left }) => left >= LEAST_ALLOWED)
      .toSorted((one, other) => other.left - one.left || one.one.width - other.one.width);
    const best = ranked[0]?.one;
    if (best === undefined) break;
    chosen.push(best);
    for (const item of best.saves) saved.add(item);
  }
  return chosen;
}
