import { type Caller, mayChangeRule, mayRule } from '../core/access.ts';
import type { StoredTokens } from '../core/stored-logins.ts';
import { BeckonError } from '../protocol/errors.ts';
import type { Rule, RuleScope } from '../protocol/rule.ts';

/** Most names of agents in a message. */
const MOST_NAMES = 5;

/** The names of the agents that the caller may make rules for without being an admin. */
export async function listOwnAgents(tokens: Pick<StoredTokens, 'list'>, caller: Caller): Promise<string[]> {
  const all = await tokens.list();
  return all.filter(({ role, owner }) => role === 'agent' && owner === caller.name).map(({ name }) => name);
}

/** Throws `forbidden`, with what would be possible, if the caller may not make a rule for this scope. */
export function checkRuleScope(caller: Caller, scope: RuleScope, ownAgents: readonly string[]): void {
  const isOwner = scope.askedBy !== undefined && ownAgents.includes(scope.askedBy);
  switch (mayRule(caller, scope, isOwner)) {
    case 'yes':
      return;
    case 'never':
      throw toNeverError();
    case 'not in this chat':
      throw new BeckonError(
        'forbidden',
        `You can make rules for the chat ${JSON.stringify(caller.chatId)} only. Set "scope.chatId" to it.`,
      );
    case 'too wide':
      throw new BeckonError('forbidden', toTooWide(scope, ownAgents));
  }
}

/** What a rule that the caller makes for an agent must be limited to. */
export function toOwnScope(caller: Caller, askedBy: string | undefined): RuleScope {
  if (caller.chatId !== undefined) return { chatId: caller.chatId };
  return caller.role === 'admin' || askedBy === undefined ? {} : { askedBy };
}

/** The error for somebody who makes no rules at all. */
export function toNeverError(): BeckonError {
  return new BeckonError('forbidden', 'You may not make or change rules. Ask an admin.');
}

/** Throws `forbidden` if the rule is somebody else's and the caller is no admin. */
export function checkRuleChange(caller: Caller, rule: Rule): void {
  if (mayChangeRule(caller, rule)) return;
  throw new BeckonError(
    'forbidden',
    `Only ${rule.createdBy} or an admin can change or stop the rule ${rule.id}. Ask one of them.`,
  );
}

function toTooWide({ askedBy }: RuleScope, ownAgents: readonly string[]): string {
  const whom = askedBy === undefined ? 'all agents' : `the agent ${JSON.stringify(askedBy)}, which is not yours`;
  const shown = ownAgents.slice(0, MOST_NAMES).map((name) => JSON.stringify(name));
  const more = ownAgents.length > MOST_NAMES ? ` and ${ownAgents.length - MOST_NAMES} more` : '';
  const next =
    ownAgents.length === 0
      ? 'No agent is yours yet: an admin can make a token for one with "beckon token create NAME --role agent --owner YOU".'
      : `Name one of your agents in "scope.askedBy": ${shown.join(', ')}${more}.`;
  return `Only an admin can make a rule for ${whom}. ${next}`;
}
