import * as z from 'zod/mini';
import { ContextSummary } from './context.ts';
import { DECISIONS } from './decision.ts';
import { Duration, toMilliseconds } from './duration.ts';
import { EFFECTS } from './effect.ts';
import { DEFAULT_CHAT_ID, Id } from './ids.ts';
import { isInstant } from './instant.ts';
import { fitsRequest, JsonRecord, NonEmptyText, Text } from './json.ts';
import { must } from './parse.ts';
import { RISK_LEVELS } from './risk.ts';

// A file of its own, because the inbox page needs it for the log and nothing else of rules at first.
export { EFFECTS, type Effect } from './effect.ts';

/** `watch` only notes what the rule would have said. */
export const RULE_MODES = ['on', 'watch'] as const;

/** Most words of a command in a rule, and most commands, examples of each sort and rules. */
const MOST_WORDS = 32;
const MOST_COMMANDS = 20;
const MOST_EXAMPLES = 100;

const upTo = (most: number) => must<readonly unknown[]>(`at most ${most} items`, (items) => items.length <= most);
const atLeastOne = must<readonly unknown[]>('at least one item', (items) => items.length > 0);

/** One word of a command, or the words of which any will do. */
const RuleWord = z.union([z.string(), z.array(z.string()).check(atLeastOne, upTo(MOST_WORDS))]);
export type RuleWord = z.output<typeof RuleWord>;

/** A command by its first words. `rest`: whether any words may follow, or none. */
const CommandPattern = z.strictObject({
  words: z.array(RuleWord).check(atLeastOne, upTo(MOST_WORDS)),
  rest: z._default(z.enum(['none', 'any']), 'none'),
});
export type CommandPattern = z.output<typeof CommandPattern>;

/** What a call must be for the rule to say something about it. Without it, every call of the tool is meant. */
export const RuleMatch = z.union([
  /** Of a shell's text, for `allow`: every command must be one of these, or be allowed by another rule. */
  z.strictObject({ commands: z.array(CommandPattern).check(atLeastOne, upTo(MOST_COMMANDS)) }),
  /** A glob (`*`, `**`, `?`) for the files of a call: from the root, or from the project's folder. */
  z.strictObject({ path: NonEmptyText }),
  /** A host, `docs.example.com`, or all below one, `*.example.com`. */
  z.strictObject({ domain: NonEmptyText }),
  /** Exactly this input. */
  z.strictObject({ input: JsonRecord }),
]);
export type RuleMatch = z.output<typeof RuleMatch>;

/** Whose requests a rule is about. Everything named must be so; what an agent says about itself counts as said. */
export const RuleScope = z.strictObject({
  /** The project's name, as the agent says. */
  project: z.optional(NonEmptyText),
  /** The project's folder (`context.root`), or one above it, on the agent's machine. */
  folder: z.optional(NonEmptyText.check(must('an absolute path', (path) => /^(?:\/|[A-Za-z]:[\\/])/.test(path)))),
  sessionId: z.optional(Id),
  chatId: z.optional(Id),
  /** The name of the agent's token. */
  askedBy: z.optional(NonEmptyText),
});
export type RuleScope = z.output<typeof RuleScope>;

const exampleTexts = z._default(z.array(Text).check(upTo(MOST_EXAMPLES)), []);

/**
 * What the rule must match and what it must not: a command, a path, an address, the name of a tool, or an input as
 * JSON. An allowing rule leaves alone what its `notMatch` names, and commands that begin with it.
 */
export const RuleExamples = z.strictObject({ match: exampleTexts, notMatch: exampleTexts });
export type RuleExamples = z.output<typeof RuleExamples>;

/** What a rule says, field by field, without what is assumed for a field that is missing. */
const fields = {
  effect: z.enum(EFFECTS),
  /**
   * `Bash` is the shell of every agent, `Edit` everything that writes files, `Read` and `WebFetch` likewise;
   * `mcp__server__tool` one tool of an MCP server and `mcp__server__*` all of them; else the name of a tool. `*`, for
   * `ask` and `deny` only, is every tool.
   */
  tool: NonEmptyText,
  match: RuleMatch,
  scope: RuleScope,
  mode: z.enum(RULE_MODES),
  examples: RuleExamples,
  /** For people, and for the agent that is denied. */
  reason: Text,
};
const until = z
  .union([z.number(), z.string()])
  .check(
    must(
      'a time such as "2026-01-31T12:00:00Z", or how long, such as "30m"',
      (value) => (typeof value === 'string' && isInstant(value)) || z.safeParse(Duration, value).success,
    ),
  );

const said = {
  effect: fields.effect,
  tool: fields.tool,
  match: z.optional(fields.match),
  scope: z._default(fields.scope, {}),
  mode: z._default(fields.mode, 'on'),
  examples: z._default(fields.examples, { match: [], notMatch: [] }),
  reason: z.optional(fields.reason),
};

/** A rule as a person writes it. `until` is a time, or how long from now. */
export const RuleDraft = z.strictObject({ ...said, until: z.optional(until) }).check(fitsRequest);
export type RuleDraft = z.input<typeof RuleDraft>;
export type ParsedDraft = z.output<typeof RuleDraft>;

const orNull = <T extends z.ZodMiniType>(field: T) => z.optional(z.nullable(field));

/** What to change in a rule: the fields that are named. `null` removes one. */
export const RuleChange = z
  .strictObject({
    effect: orNull(fields.effect),
    tool: orNull(fields.tool),
    match: orNull(fields.match),
    scope: orNull(fields.scope),
    mode: orNull(fields.mode),
    examples: orNull(fields.examples),
    reason: orNull(fields.reason),
    until: orNull(until),
  })
  .check(fitsRequest);
export type RuleChange = z.input<typeof RuleChange>;

/** A call that somebody wants to know about, as an agent would ask for it. */
export const RuleSample = z
  .strictObject({
    request: z.strictObject({ tool: NonEmptyText, input: JsonRecord }),
    chatId: z._default(Id, DEFAULT_CHAT_ID),
    sessionId: z.optional(Id),
    /** The name of the agent's token. */
    askedBy: z.optional(NonEmptyText),
    context: z.optional(ContextSummary),
  })
  .check(fitsRequest);
export type RuleSample = z.input<typeof RuleSample>;

/** The time at which a rule of this draft ends, in milliseconds. */
export function toRuleEnd(until: Duration, nowMs: number): number {
  return typeof until === 'string' && isInstant(until) ? Date.parse(until) : nowMs + toMilliseconds(until);
}

/** A policy that answers approvals for the person who made it, or asks, or denies. */
export const Rule = z.object({
  ...said,
  scope: z.object(RuleScope.shape),
  examples: z.object({ match: z.array(z.string()), notMatch: z.array(z.string()) }),
  id: z.string(),
  until: z.optional(z.string()),
  /** Who answers for it: who made it or edited it last. */
  createdBy: z.string(),
  /** The id of the token or browser that they came in with. In process there is none. */
  authorId: z.optional(z.string()),
  createdAt: z.string(),
  /** It decides nothing any more, and why: its author is gone, an example no longer holds, somebody marked it wrong. */
  stopped: z.optional(z.object({ at: z.string(), why: z.string() })),
});
export type Rule = z.output<typeof Rule>;

/**
 * A rule in the list: what it did. `hits` counts requests, whatever came of them; of `watch`, what it would have been.
 */
export const ListedRule = z.object({
  rule: Rule,
  hits: z.number(),
  lastHitAt: z.optional(z.string()),
});
export type ListedRule = z.output<typeof ListedRule>;

/** One request that a rule matches, readable on a line. */
export const PreviewItem = z.object({
  id: z.string(),
  at: z.string(),
  headline: z.string(),
  decision: z.enum(DECISIONS),
  /** Who decided it. */
  by: z.optional(z.string()),
  /** The text that an example of a rule would have. */
  example: z.string(),
});
export type PreviewItem = z.output<typeof PreviewItem>;

/** A rule, and what it did. */
export const RuleDetails = z.extend(ListedRule, {
  /** By day in UTC, the oldest first, without days without a hit. */
  days: z.array(z.object({ day: z.string(), hits: z.number() })),
  /** What it matched last, the newest first. */
  recent: z.array(PreviewItem),
});
export type RuleDetails = z.output<typeof RuleDetails>;

/** What a rule would have decided, of the requests in the history, and what people said to them. */
export const RulePreview = z.object({
  /** How many approvals were looked at, and since when. */
  checked: z.number(),
  since: z.optional(z.string()),
  /** How many of them the rule would have decided, and what had become of those. */
  matched: z.number(),
  byDecision: z.array(z.object({ decision: z.enum(DECISIONS), count: z.number() })),
  /** The newest of them. */
  items: z.array(PreviewItem),
  /** Those that a person decided otherwise. */
  contradictions: z.array(PreviewItem),
  /** Those that it matches, but that a person is asked about because they are dangerous. */
  dangerous: z.number(),
});
export type RulePreview = z.output<typeof RulePreview>;

/** A draft in a reply, where a newer Beckon may have added a field. */
export const OfferedDraft = z.custom<RuleDraft>();

/** A rule that somebody may want, in words, and what it would have decided. */
export const RuleOffer = z.object({
  /** The same for the same rule: it is what a person dismisses. */
  key: z.string(),
  sentence: z.string(),
  draft: OfferedDraft,
  preview: RulePreview,
});
export type RuleOffer = z.output<typeof RuleOffer>;

/** Why no rule is offered, or what the rules say about a call. */
export const RuleVerdict = z.object({
  /** `none`: no rule says anything, so a person is asked. */
  effect: z.enum([...EFFECTS, 'none']),
  /** The rules that decide, the first one first. */
  ruleIds: z.array(z.string()),
  /** What the rules in `watch` would have said. */
  watching: z.array(z.object({ ruleId: z.string(), effect: z.enum(EFFECTS) })),
  risk: z.enum(RISK_LEVELS),
  /** Why a person is asked although a rule matches. */
  why: z.optional(z.string()),
});
export type RuleVerdict = z.output<typeof RuleVerdict>;
