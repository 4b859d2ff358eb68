import type { RuleBook, RuleDecision } from '../core/rules.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { isObject } from '../protocol/json.ts';
import type { Effect, Rule } from '../protocol/rule.ts';
import { assessRisk } from '../risk/assess-risk.ts';
import { type AskedCall, toAskedCall } from './asked-call.ts';
import { findCommandObjection, findMismatch, findOutside, readAllowable } from './match-rule.ts';
import { isToolAllowed } from './match-tool.ts';
import { type Entry, indexAllowing, indexGuarding, type RuleIndex } from './rule-index.ts';

const NOTHING: RuleDecision = { effect: null, rules: [], watching: [] };

/** Counts how many rules were looked at. */
export interface Effort {
  tried: number;
}

/** Prepares rules for deciding: with ten thousand of them, a decision looks only at those that may match. */
export function compileRules(rules: readonly Rule[], effort: Effort = { tried: 0 }): RuleBook {
  const entries = rules
    .map(
      (rule, order): Entry => ({ rule, order, endsAt: rule.until === undefined ? Infinity : Date.parse(rule.until) }),
    )
    .filter(({ rule }) => rule.stopped === undefined);
  if (entries.length === 0) return { decide: () => NOTHING };
  const allowing = entries.filter(({ rule }) => rule.effect === 'allow');
  const guarding = entries.filter(({ rule }) => rule.effect !== 'allow');
  const book: Book = {
    allowing: allowing.length === 0 ? undefined : indexAllowing(allowing),
    guarding: guarding.length === 0 ? undefined : indexGuarding(guarding),
    hasWatching: allowing.some(({ rule }) => rule.mode === 'watch'),
    effort,
  };
  return { decide: (interaction, at) => decide(book, interaction, Date.parse(at)) };
}

interface Book {
  allowing: RuleIndex | undefined;
  guarding: RuleIndex | undefined;
  /** Whether a rule that allows is in `watch`. */
  hasWatching: boolean;
  effort: Effort;
}

function decide(book: Book, interaction: Interaction, nowMs: number): RuleDecision {
  if (interaction.kind !== 'approval') return NOTHING;
  const asked = toAskedCall(interaction);
  const guards = findGuards(book, asked, nowMs);
  const guard = guards.deny ?? guards.ask;
  const allowed = guard === undefined || book.hasWatching ? findAllowing(book, asked, nowMs) : { watching: [] };
  const isAllowed = guard === undefined && allowed.rules !== undefined;
  // What is dangerous is a person's. The risk is assessed only where a rule would allow.
  const isDangerous =
    (isAllowed || allowed.watching.length > 0) &&
    (!isObject(interaction.request.input) || assessRisk(interaction).level === 'dangerous');
  const watching = [...guards.watching, ...(isDangerous ? [] : allowed.watching)]
    .sort((one, other) => one.order - other.order)
    .map(({ rule }) => ({ rule, effect: rule.effect }));
  if (guard !== undefined) return { effect: guard.effect, rules: [guard], watching };
  if (!isAllowed) return { effect: null, rules: [], watching };
  return isDangerous
    ? { effect: null, rules: [], watching, why: 'A rule allows it, but it is dangerous, so a person decides.' }
    : { effect: 'allow', rules: allowed.rules ?? [], watching };
}

interface Guards {
  deny?: Rule;
  ask?: Rule;
  watching: Entry[];
}

function findGuards({ guarding, effort }: Book, asked: AskedCall, nowMs: number): Guards {
  const guards: Guards = { watching: [] };
  for (const entry of guarding?.find(asked) ?? []) {
    const { rule, endsAt } = entry;
    const effect = rule.effect as Exclude<Effect, 'allow'>;
    const isSettled = rule.mode === 'on' && (guards.deny !== undefined || guards[effect] !== undefined);
    // A time that nobody can read keeps nothing from being guarded.
    if (isSettled || endsAt <= nowMs) continue;
    effort.tried += 1;
    if (findMismatch(rule, asked) !== null) continue;
    if (rule.mode === 'watch') guards.watching.push(entry);
    else guards[effect] = rule;
  }
  return guards;
}

interface Allowed {
  /** The rules that together allow the call. */
  rules?: Rule[];
  watching: Entry[];
}

function findAllowing(book: Book, asked: AskedCall, nowMs: number): Allowed {
  if (book.allowing === undefined) return { watching: [] };
  const { allowing, effort } = book;
  const commands = findCommandCovers(allowing, effort, asked, nowMs);
  const whole = findWholeCover(allowing, effort, asked, nowMs);
  const rules = pickOne(whole) ?? pickEach(commands, undefined);
  const watched = new Set([...commands.flat(), ...whole].filter(({ rule }) => rule.mode === 'watch'));
  const watching = [...watched].filter((entry) => whole.includes(entry) || pickEach(commands, entry) !== undefined);
  return { ...(rules !== undefined && { rules }), watching };
}

function pickOne(entries: readonly Entry[]): Rule[] | undefined {
  const entry = entries.find(({ rule }) => rule.mode === 'on');
  return entry === undefined ? undefined : [entry.rule];
}

/** One rule for each command, or `undefined` if one has none. `watched` counts as if it were on. */
function pickEach(covers: readonly Entry[][], watched: Entry | undefined): Rule[] | undefined {
  const picked = covers.map((entries) => entries.find((entry) => entry.rule.mode === 'on' || entry === watched));
  if (picked.length === 0 || picked.includes(undefined)) return undefined;
  return [...new Set(picked.flatMap((entry) => entry?.rule ?? []))];
}

/** For each command of a text, the rules that allow it. */
function findCommandCovers(index: RuleIndex, effort: Effort, asked: AskedCall, nowMs: number): Entry[][] {
  if (asked.call.family !== 'command') return [];
  const commands = readAllowable(asked);
  if (typeof commands === 'string') return [];
  return commands.map((command) =>
    index.find(asked, command).filter(({ rule, endsAt }) => {
      if (!(nowMs < endsAt)) return false;
      effort.tried += 1;
      return (
        isToolAllowed(rule.tool, asked.call.tool) &&
        findOutside(rule, asked) === null &&
        findCommandObjection(rule, command, asked) === null
      );
    }),
  );
}

/** The rules that allow a call as a whole. */
function findWholeCover(index: RuleIndex, effort: Effort, asked: AskedCall, nowMs: number): Entry[] {
  return index.find(asked).filter(({ rule, endsAt }) => {
    if (!(nowMs < endsAt)) return false;
    effort.tried += 1;
    return findMismatch(rule, asked) === null;
  });
}
