import { type Caller, mayDo, mayEnter, maySee, maySeeRule } from '../core/access.ts';
import { type Clock, toIso } from '../core/clock.ts';
import type { Rules } from '../core/rules.ts';
import type { Store } from '../core/store.ts';
import { BeckonError, toNotFoundError, toRuleNotFoundError } from '../protocol/errors.ts';
import { Id } from '../protocol/ids.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { parse } from '../protocol/parse.ts';
import {
  type ListedRule,
  type PreviewItem,
  type Rule,
  RuleChange,
  type RuleDetails,
  RuleDraft,
  type RuleOffer,
  type RulePreview,
  RuleSample,
  type RuleScope,
  type RuleVerdict,
} from '../protocol/rule.ts';
import { DismissBody, RulesFilter } from '../protocol/rules-http.ts';
import { assessRisk } from '../risk/assess-risk.ts';
import { toOffers } from '../rules/offers.ts';
import { toPreviewItem } from '../rules/preview.ts';
import { compileRules } from '../rules/rule-book.ts';
import { checkDraftText, checkRule } from './check-rule.ts';
import { applyChange, toRule, toSampleInteraction } from './rule-from-draft.ts';
import { checkRuleChange, checkRuleScope, listOwnAgents, toNeverError, toOwnScope } from './rule-rights.ts';
import { suggestRules } from './suggest-rules.ts';
import { findDenied, tryRules } from './try-rules.ts';

/** How many requests of a rule are shown, and how many are named when it was wrong. */
const MOST_RECENT = 20;
const MOST_ALSO = 200;
/** How often an edit is tried again because somebody else edited the same rule meanwhile. */
const MOST_TRIES = 5;
/** The id of a rule that is only tried. */
const TRIED_ID = 'rule_tried';

interface LocalRulesOptions {
  store: Store;
  clock: Clock;
  newId: () => string;
  /** Who sees and makes the rules. */
  caller: Caller;
}

/** The rules of a store, for one caller. */
export class LocalRules implements Rules {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #newId: () => string;
  readonly #caller: Caller;

  constructor({ store, clock, newId, caller }: LocalRulesOptions) {
    this.#store = store;
    this.#clock = clock;
    this.#newId = newId;
    this.#caller = caller;
  }

  async list(
    options: { after?: string | undefined; limit?: number | undefined } = {},
  ): Promise<{ items: ListedRule[]; next?: string }> {
    const page = parse(RulesFilter, options, { what: 'page' });
    return this.#store.rules.list({ ...page, chatId: this.#caller.chatId });
  }

  async get(id: string): Promise<RuleDetails | null> {
    const rule = await this.#find(id);
    if (rule === null) return null;
    const { days, recent } = await this.#store.rules.hits({ ruleId: id, limit: MOST_RECENT });
    const lastHitAt = recent[0]?.at;
    return {
      rule,
      hits: days.reduce((sum, { hits }) => sum + hits, 0),
      ...(lastHitAt !== undefined && { lastHitAt }),
      days,
      recent: this.#toItems(recent.map(({ interaction }) => interaction)),
    };
  }

  async add(draft: RuleDraft, { confirm = false }: { confirm?: boolean | undefined } = {}): Promise<Rule> {
    const parsed = parse(RuleDraft, draft, { what: 'rule' });
    await this.#checkScope(parsed.scope);
    const now = this.#clock.now();
    const rule = toRule(parsed, { id: this.#newId(), createdAt: toIso(now), ...this.#author() }, now);
    const checked = await this.#check(rule, { confirm, confirmed: [] });
    await this.#store.rules.add(checked);
    await this.#checkStillOwn(checked);
    return checked;
  }

  async edit(
    id: string,
    change: RuleChange,
    { confirm = false }: { confirm?: boolean | undefined } = {},
  ): Promise<Rule> {
    const wanted = parse(RuleChange, change, { what: 'change' });
    for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
      const expected = await this.#find(id);
      if (expected === null) throw toRuleNotFoundError(id);
      checkRuleChange(this.#caller, expected);
      const parsed = parse(RuleDraft, applyChange(expected, wanted), { what: 'rule' });
      await this.#checkScope(parsed.scope);
      const now = this.#clock.now();
      const rule = toRule(parsed, { id, createdAt: expected.createdAt, ...this.#author() }, now);
      const checked = await this.#check(rule, { confirm, confirmed: expected.examples.notMatch });
      const result = await this.#store.rules.put({ rule: checked, expected, at: toIso(now) });
      if (result === 'kept') {
        await this.#checkStillOwn(checked);
        return checked;
      }
      if (result === 'unknown') throw toRuleNotFoundError(id);
    }
    throw new BeckonError('store_busy', `Somebody else keeps changing the rule ${id}. Look at it, and try again.`);
  }

  async remove(id: string): Promise<boolean> {
    const rule = await this.#find(id);
    if (rule === null) return false;
    checkRuleChange(this.#caller, rule);
    return this.#store.rules.remove({ id, by: this.#caller.name, at: this.#now() });
  }

  async preview(draft: RuleDraft): Promise<RulePreview> {
    const parsed = parse(RuleDraft, draft, { what: 'rule' });
    checkDraftText(parsed);
    const [preview] = await tryRules(this.#store, this.#caller.chatId, [parsed]);
    return preview as RulePreview;
  }

  async test(sample: RuleSample, draft?: RuleDraft): Promise<RuleVerdict> {
    const asked = parse(RuleSample, sample, { what: 'sample' });
    if (!mayEnter(this.#caller, asked.chatId)) {
      throw new BeckonError('forbidden', `You can try calls in the chat ${JSON.stringify(this.#caller.chatId)} only.`);
    }
    const rules = draft === undefined ? await this.#store.rules.all() : [this.#toTried(draft)];
    const at = this.#now();
    const interaction = toSampleInteraction(asked, at);
    const { effect, rules: deciding, watching, why } = compileRules(rules).decide(interaction, at);
    return {
      effect: effect ?? 'none',
      ruleIds: deciding.map(({ id }) => id),
      watching: watching.map((watched) => ({ ruleId: watched.rule.id, effect: watched.effect })),
      risk: assessRisk(interaction).level,
      ...(why !== undefined && { why }),
    };
  }

  async offers(interactionId: string): Promise<{ offers: RuleOffer[]; why?: string }> {
    const interaction = await this.#findInteraction(interactionId);
    const scope = await this.#findScope(interaction.askedBy);
    if ('why' in scope) return { offers: [], why: scope.why };
    const { drafts, why } = toOffers(interaction, { scope });
    const previews = await tryRules(
      this.#store,
      this.#caller.chatId,
      drafts.map(({ draft }) => draft),
    );
    const offers = drafts.map(({ key, sentence, draft }, index) => {
      return { key, sentence, draft, preview: previews[index] as RulePreview };
    });
    return { offers, ...(why !== undefined && { why }) };
  }

  async suggestions(): Promise<RuleOffer[]> {
    return suggestRules(this.#store, this.#caller, this.#now());
  }

  async dismiss(key: string): Promise<void> {
    const parsed = parse(DismissBody, { key }, { what: 'suggestion' });
    if (!mayDo(this.#caller, 'rule')) throw toNeverError();
    await this.#store.rules.dismiss({ ...parsed, who: this.#caller.name, at: this.#now() });
  }

  async markWrong(interactionId: string): Promise<{ rules: Rule[]; also: PreviewItem[] }> {
    const { answeredBy } = await this.#findInteraction(interactionId);
    if (answeredBy?.kind !== 'rule') {
      const who = answeredBy === undefined ? 'Nobody has' : `${answeredBy.who} has`;
      throw new BeckonError('invalid_input', `No rule decided this request. ${who}, so there is no rule to stop.`);
    }
    const hits = await this.#store.rules.rulesOf(interactionId);
    const ids = hits.filter(({ isWatch }) => !isWatch).map(({ ruleId }) => ruleId);
    for (const rule of await this.#findAll(ids)) checkRuleChange(this.#caller, rule);
    const by = this.#caller.name;
    await this.#store.rules.stop({ ids, why: `${by} marked what it decided as wrong`, by, at: this.#now() });
    return { rules: await this.#findAll(ids), also: await this.#listDecided(ids, interactionId) };
  }

  /** What these rules decided, but for one request, the newest first. */
  async #listDecided(ruleIds: readonly string[], except: string): Promise<PreviewItem[]> {
    const decided = new Map<string, Interaction>();
    for (const ruleId of ruleIds) {
      const { recent } = await this.#store.rules.hits({ ruleId, limit: MOST_ALSO });
      for (const { interaction, isWatch } of recent) if (!isWatch) decided.set(interaction.id, interaction);
    }
    decided.delete(except);
    const byRules = [...decided.values()].filter(({ answeredBy }) => answeredBy?.kind === 'rule');
    return this.#toItems(byRules).toSorted((one, other) => (one.at < other.at ? 1 : one.at > other.at ? -1 : 0));
  }

  /** Those that the caller may see: the rule of a chat may have been a wider one before. */
  #toItems(interactions: readonly Interaction[]): PreviewItem[] {
    return interactions.flatMap((interaction) =>
      interaction.kind === 'approval' && maySee(this.#caller, interaction) ? [toPreviewItem(interaction)] : [],
    );
  }

  /** What every rule that the caller makes for an agent must be limited to, or why they make none. */
  async #findScope(askedBy: string | undefined): Promise<RuleScope | { why: string }> {
    const own = await this.#listOwnAgents();
    const scope = toOwnScope(this.#caller, askedBy);
    try {
      checkRuleScope(this.#caller, scope, own);
      return scope;
    } catch (error) {
      if (error instanceof BeckonError && error.code === 'forbidden') return { why: error.message };
      throw error;
    }
  }

  async #checkScope(scope: RuleScope): Promise<void> {
    checkRuleScope(this.#caller, scope, await this.#listOwnAgents());
  }

  /**
   * The token of the agent may have been revoked between the check and the commit. From the commit on, revoking it
   * stops the rule.
   */
  async #checkStillOwn({ id, scope }: Rule): Promise<void> {
    try {
      await this.#checkScope(scope);
    } catch (error) {
      const why = `${scope.askedBy}, the agent that it is about, is no longer one of ${this.#caller.name}`;
      await this.#store.rules.stop({ ids: [id], why, at: this.#now() });
      throw error;
    }
  }

  async #listOwnAgents(): Promise<string[]> {
    const needsOwn = this.#caller.role !== 'admin' && this.#caller.chatId === undefined;
    return needsOwn ? listOwnAgents(this.#store.tokens, this.#caller) : [];
  }

  #check(rule: Rule, options: { confirm: boolean; confirmed: readonly string[] }): Promise<Rule> {
    const at = this.#now();
    return checkRule(rule, {
      ...options,
      findDenied: (tried) => findDenied(this.#store, this.#caller.chatId, { rule: tried, at }),
    });
  }

  /** A rule that is only tried: what it says counts, not until when. */
  #toTried(draft: RuleDraft): Rule {
    const { until: _, ...said } = parse(RuleDraft, draft, { what: 'rule' });
    checkDraftText(said);
    return { ...said, id: TRIED_ID, createdAt: this.#now(), ...this.#author() };
  }

  #author(): Pick<Rule, 'createdBy' | 'authorId'> {
    const { id, name } = this.#caller;
    return { createdBy: name, ...(id !== undefined && { authorId: id }) };
  }

  /** The rule, if the caller may see it. */
  async #find(id: string): Promise<Rule | null> {
    const rule = await this.#store.rules.find(parse(Id, id, { what: 'id' }));
    return rule !== null && maySeeRule(this.#caller, rule) ? rule : null;
  }

  async #findAll(ids: readonly string[]): Promise<Rule[]> {
    const rules = await Promise.all(ids.map((id) => this.#store.rules.find(id)));
    return rules.filter((rule) => rule !== null);
  }

  async #findInteraction(id: string): Promise<Interaction> {
    const interaction = await this.#store.get(parse(Id, id, { what: 'id' }));
    if (interaction === null || !maySee(this.#caller, interaction)) throw toNotFoundError(id);
    return interaction;
  }

  #now(): string {
    return toIso(this.#clock.now());
  }
}
