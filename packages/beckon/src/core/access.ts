import { BeckonError } from '../protocol/errors.ts';
import type { Interaction } from '../protocol/interaction.ts';
import type { Rule, RuleScope } from '../protocol/rule.ts';
import type { Role } from '../protocol/token.ts';

/** The sender of a request, as its token says. `chatId` limits it to one chat. */
export interface Caller {
  /** The id of its token or browser. Names can be reused, ids cannot. */
  id?: string;
  name: string;
  role: Role;
  chatId?: string;
  /** It may answer, but neither change what runs nor make rules. */
  answerOnly?: boolean;
}

/** The sender of a request from a logged-in browser. `device` is its id. */
export interface DeviceCaller extends Caller {
  device: string;
}

/** Everything that a caller can do over the network. */
export type Action =
  | 'ask'
  | 'read'
  | 'list'
  | 'answer'
  | 'say'
  | 'cancel'
  | 'note'
  | 'report'
  | 'follow'
  | 'look back'
  | 'arrange'
  | 'rule'
  | 'notify'
  | 'log in'
  | 'let in'
  | 'describe'
  | 'administer';

const ALLOWED: Record<Role, ReadonlySet<Action>> = {
  agent: new Set(['ask', 'read', 'cancel', 'note', 'report', 'describe']),
  person: new Set([
    'read',
    'list',
    'answer',
    'say',
    'note',
    'follow',
    'look back',
    'arrange',
    'rule',
    'notify',
    'log in',
    'let in',
    'describe',
  ]),
  admin: new Set([
    'ask',
    'read',
    'list',
    'answer',
    'say',
    'cancel',
    'note',
    'report',
    'follow',
    'look back',
    'arrange',
    'rule',
    'notify',
    'log in',
    'let in',
    'describe',
    'administer',
  ]),
};

/**
 * Whether the caller may do this at all. One limited to a chat does nothing that concerns all of them, and one that
 * only answers makes no rules. Their own machine they may let in: it only asks.
 */
export function mayDo({ role, chatId, answerOnly }: Caller, action: Action): boolean {
  if (action === 'administer' && chatId !== undefined) return false;
  if (action === 'rule' && answerOnly === true) return false;
  return ALLOWED[role].has(action);
}

/** Whether the chat is within the scope of the caller. */
export function mayEnter(caller: Caller, chatId: string): boolean {
  return caller.chatId === undefined || caller.chatId === chatId;
}

/** Whether the caller may see the interaction: an agent sees only what it asked itself. */
export function maySee(caller: Caller, interaction: Interaction): boolean {
  if (!mayEnter(caller, interaction.chatId)) return false;
  return caller.role !== 'agent' || hasAsked(caller, interaction);
}

/**
 * Whether the caller asked it. The asker's id decides if it is known, because a new token can have the name of a
 * revoked one. Requests asked in process have a name only.
 */
export function hasAsked({ id, name }: Caller, { askerId, askedBy }: Interaction): boolean {
  return askerId === undefined ? askedBy === name : askerId === id;
}

/** Whether a caller may make a rule, or what is in the way. */
export type RuleRight = 'yes' | 'never' | 'not in this chat' | 'too wide';

/**
 * Whether the caller may make a rule for this scope. `isOwner`: the scope names an agent of theirs. A rule that is
 * wider than somebody's own agents needs an admin, and whoever is limited to a chat makes rules for that chat alone.
 */
export function mayRule(caller: Caller, scope: RuleScope, isOwner: boolean): RuleRight {
  if (!mayDo(caller, 'rule')) return 'never';
  if (caller.chatId !== undefined) return scope.chatId === caller.chatId ? 'yes' : 'not in this chat';
  return caller.role === 'admin' || isOwner ? 'yes' : 'too wide';
}

/** Whether the caller may see a rule: one limited to a chat sees those of that chat alone. */
export function maySeeRule(caller: Caller, { scope }: Pick<Rule, 'scope'>): boolean {
  return mayDo(caller, 'look back') && (caller.chatId === undefined || scope.chatId === caller.chatId);
}

/** Whether the caller may edit, remove or stop a rule: their own, or as an admin every one that they see. */
export function mayChangeRule(caller: Caller, rule: Pick<Rule, 'scope' | 'createdBy'>): boolean {
  if (!mayDo(caller, 'rule') || !maySeeRule(caller, rule)) return false;
  return caller.role === 'admin' || rule.createdBy === caller.name;
}

/**
 * Whether the caller may see and revoke a machine: their own, or as an admin every one. Whoever is limited to a
 * chat lets in machines of that chat alone, and sees no others.
 */
export function maySeeMachine(caller: Caller, machine: { owner: string; chatId?: string | undefined }): boolean {
  if (mayDo(caller, 'administer')) return true;
  if (!mayDo(caller, 'log in') || machine.owner !== caller.name) return false;
  return caller.chatId === undefined || caller.chatId === machine.chatId;
}

/**
 * Throws `invalid_input` if `answerOnly` means nothing: agents do not answer, and admins can give themselves every
 * right.
 */
export function checkAnswerOnly(role: Role, answerOnly: boolean): void {
  if (!answerOnly || role === 'person') return;
  throw new BeckonError('invalid_input', `Only the role "person" can be answer-only, got ${JSON.stringify(role)}.`);
}

/**
 * Fields of an answer that decide more than was asked: what runs instead, and what runs without asking from then on.
 */
const BEYOND_ANSWERING = ['updatedInput', 'editedPlan', 'remember'];

/** Whether the caller may send this answer. */
export function maySend({ answerOnly }: Caller, answer: Readonly<Record<string, unknown>>): boolean {
  if (answerOnly !== true) return true;
  return BEYOND_ANSWERING.every((field) => answer[field] === undefined || answer[field] === false);
}
