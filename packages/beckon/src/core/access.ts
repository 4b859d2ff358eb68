import type { Interaction } from '../protocol/interaction.ts';
import type { Role } from '../protocol/token.ts';

/** Who comes in, as its token says. `chatId` limits it to one chat. */
export interface Caller {
  name: string;
  role: Role;
  chatId?: string;
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
  | 'describe'
  | 'administer';

const ALLOWED: Record<Role, ReadonlySet<Action>> = {
  agent: new Set(['ask', 'read', 'cancel', 'note', 'report', 'describe']),
  person: new Set(['read', 'list', 'answer', 'say', 'note', 'follow', 'describe']),
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
  return caller.role !== 'agent' || interaction.askedBy === caller.name;
}
