import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { type Caller, mayDo } from '../core/access.ts';
import type { Store } from '../core/store.ts';
import type { InteractionOf } from '../protocol/interaction.ts';
import type { RuleOffer, RuleScope } from '../protocol/rule.ts';
import { suggestInSteps } from '../rules/suggest.ts';
import { readPastApprovals } from './past-approvals.ts';
import { listOwnAgents, toOwnScope } from './rule-rights.ts';

/** All requests are compared with each other, so they are in memory together: at most so much of them. */
const MOST_CHARS = 33_554_432;

/**
 * The rules that the caller may make and that would have saved people most decisions: for an admin over everything, for
 * others over their own agents, one after the other.
 */
export async function suggestRules(store: Store, caller: Caller, at: string): Promise<RuleOffer[]> {
  if (!mayDo(caller, 'rule')) return [];
  const scopes = await listScopes(store, caller);
  if (scopes.length === 0) return [];
  const past = await readPast(store, caller.chatId);
  const rules = await store.rules.all();
  await yieldToOthers();
  const dismissed = new Set(await store.rules.dismissed());
  const offers: RuleOffer[] = [];
  for (const scope of scopes) {
    const items = past.filter(({ askedBy }) => scope.askedBy === undefined || askedBy === scope.askedBy);
    const steps = suggestInSteps(items, { rules, dismissed, at, scope });
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done === true) {
        offers.push(...step.value);
        break;
      }
      await yieldToOthers();
    }
  }
  return offers;
}

async function listScopes({ tokens }: Pick<Store, 'tokens'>, caller: Caller): Promise<RuleScope[]> {
  if (caller.role === 'admin' || caller.chatId !== undefined) return [toOwnScope(caller, undefined)];
  return (await listOwnAgents(tokens, caller)).map((askedBy) => toOwnScope(caller, askedBy));
}

async function readPast(store: Store, chatId: string | undefined): Promise<InteractionOf<'approval'>[]> {
  const past: InteractionOf<'approval'>[] = [];
  let left = MOST_CHARS;
  for await (const page of readPastApprovals(store, chatId)) {
    for (const item of page) {
      left -= JSON.stringify(item.request.input).length;
      if (left < 0) return past;
      past.push(item);
    }
  }
  return past;
}
