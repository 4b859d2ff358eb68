import type { ApprovalAbilities } from '../../protocol/requests.ts';

/** ACP answers a permission with one of the agent's options: no reason, no changed input. */
export const APPROVAL_ABILITIES = { denyText: false, editInput: false } as const satisfies ApprovalAbilities;

/** A plan is answered with an option as well. `decisions` are those that the options of a request stand for. */
export const PLAN_ABILITIES = { feedback: false, editPlan: false } as const;
