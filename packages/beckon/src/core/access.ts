import { BeckonError } from '../protocol/errors.ts';
import type { Interaction } from '../protocol/interaction.ts';
import type { Role } from '../protocol/token.ts';

/** Who comes in, as its token says. `chatId` limits it to one chat. */
export interface Caller {
  /** The id of its token or browser. A name can be reused, an id cannot. */
  id?: string;
  name: string;
  role: Role;
  chatId?: string;
  /** Whether it may only answer: not change what runs, and make no rules. */
  answerOnly?: boolean;
}

/** Who comes in with a browser that is logged in. `device` is its id. */
export interface DeviceCaller extends Caller {
  device: string;
}

/** Everything that a caller may want to do over the network. */
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
  | 'log in'
  | 'describe'
  | 'administer';

const ALLOWED: Record<Role, ReadonlySet<Action>> = {
  agent: new Set(['ask', 'read', 'cancel', 'note', 'report', 'describe']),
  person: new Set(['read', 'list', 'answer', 'say', 'note', 'follow', 'look back', 'log in', 'describe']),
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
    'log in',
    'describe',
    'administer',
  ]),
};

/** Whether the role allows the action at all. What concerns every chat is not for a caller who has one. */
export function mayDo({ role, chatId }: Caller, action: Action): boolean {
  return ALLOWED[role].has(action) && (action !== 'administer' || chatId === undefined);
}

/** Whether the chat is within the scope of the caller. */
export function mayEnter(caller: Caller, chatId: string): boolean {
  return caller.chatId === undefined || caller.chatId === chatId;
}

/** Whether the interaction concerns the caller: an agent has only what it asked itself. */
export function maySee(caller: Caller, interaction: Interaction): boolean {
  if (!mayEnter(caller, interaction.chatId)) return false;
  return caller.role !== 'agent' || hasAsked(caller, interaction);
}

/**
 * Whether the caller asked it. Where the id of the asker is known it decides: a token that was given a revoked name is not the one that had
 * it. What was asked in process has a name alone.
 */
export function hasAsked({ id, name }: Caller, { askerId, askedBy }: Interaction): boolean {
  return askerId === undefined ? askedBy === name : askerId === id;
}

/** Refuses `answerOnly` where it means nothing: an agent does not answer, and an admin can give itself every right. Throws `invalid_input`. */
export function checkAnswerOnly(role: Role, answerOnly: boolean): void {
  if (!answerOnly || role === 'person') return;
  throw new BeckonError('invalid_input', `Only the role "person" can be answer-only, got ${JSON.stringify(role)}.`);
}

/** The fields of an answer with which somebody decides more than what was asked: what runs instead, and what runs unasked from then on. */
const BEYOND_ANSWERING = ['updatedInput', 'editedPlan', 'remember'];

/** Whether the caller may send this answer. Who may only answer neither changes what runs nor makes rules. */
export function maySend({ answerOnly }: Caller, answer: Readonly<Record<string, unknown>>): boolean {
  if (answerOnly !== true) return true;
  return BEYOND_ANSWERING.every((field) => answer[field] === undefined || answer[field] === false);
}
