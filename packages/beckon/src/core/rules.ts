import type { Interaction } from '../protocol/interaction.ts';
import type {
  Effect,
  ListedRule,
  PreviewItem,
  Rule,
  RuleChange,
  RuleDetails,
  RuleDraft,
  RuleOffer,
  RulePreview,
  RuleSample,
  RuleVerdict,
} from '../protocol/rule.ts';

export type { RuleChange, RuleDetails, RuleSample } from '../protocol/rule.ts';

/** What the rules say about one request. */
export interface RuleDecision {
  /** `null`: no rule says anything, so a person is asked. `ask`: a person is asked, whatever else allows it. */
  effect: Effect | null;
  /** The rules that decide; the first one gives its author's name. */
  rules: readonly Rule[];
  /** What the rules in `watch` would have said. */
  watching: readonly { rule: Rule; effect: Effect }[];
  /** Why a person is asked although a rule allows it. */
  why?: string;
}

/** Rules, ready to decide. */
export interface RuleBook {
  /** Decides about an approval that is asked at this time. Every other kind is a person's. */
  decide(interaction: Interaction, at: string): RuleDecision;
}

/** What is dangerous, and what rules say. The entry files pass it in, because it needs a parser and core has none. */
export interface Policy {
  compile(rules: readonly Rule[]): RuleBook;
  /** Why a rule may not decide anything, because one of its examples no longer holds; `null` if all do. */
  check(rule: Rule): string | null;
  /** Whether a person must decide this one by itself, with a second step, and not for the future. */
  isDangerous(interaction: Interaction): boolean;
  /** Whether a button on a notification may decide this one, because it is routine and the notification shows all. */
  isOneTap(interaction: Interaction): boolean;
}

/**
 * The rules of a Beckon, for one caller. Making them needs the right to answer what they decide, and rules that are
 * wider than one's own agents need an admin: `forbidden` otherwise.
 */
export interface Rules {
  /** In the order in which they were made, the newest first. */
  list(options?: {
    after?: string | undefined;
    limit?: number | undefined;
  }): Promise<{ items: ListedRule[]; next?: string }>;
  /** `null`: no such rule. `days` and `recent` are what it did. */
  get(id: string): Promise<RuleDetails | null>;
  /**
   * Throws `rule_contradicts` for a rule that would allow what a person denied, or what it must not match, unless
   * `confirm` is set; it then keeps each as an example that it leaves alone.
   */
  add(draft: RuleDraft, options?: { confirm?: boolean | undefined }): Promise<Rule>;
  /** Changes what is named; `null` removes a field. The editor becomes the author. A stopped rule starts again. */
  edit(id: string, change: RuleChange, options?: { confirm?: boolean | undefined }): Promise<Rule>;
  /** `false`: no such rule. */
  remove(id: string): Promise<boolean>;
  /** What a rule would have decided, of the requests in the history. */
  preview(draft: RuleDraft): Promise<RulePreview>;
  /** What the rules say about a call. With a draft: what this rule alone says. */
  test(sample: RuleSample, draft?: RuleDraft): Promise<RuleVerdict>;
  /** The narrowest rule that would have decided a request, and up to four wider ones; none for what is dangerous. */
  offers(interactionId: string): Promise<{ offers: RuleOffer[]; why?: string }>;
  /** What people allowed at least five times and never denied. */
  suggestions(): Promise<RuleOffer[]>;
  /** A dismissed suggestion does not come back to anybody who sees this Beckon. */
  dismiss(key: string): Promise<void>;
  /** Stops the rules that decided a request, and says what else they had decided. */
  markWrong(interactionId: string): Promise<{ rules: Rule[]; also: PreviewItem[] }>;
}
