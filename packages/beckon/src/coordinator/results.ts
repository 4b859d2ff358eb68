import type { JsonObject } from '../protocol/json.ts';

/** The tool may run, with this input. It has the shape of the Claude Agent SDK. */
export interface PermissionAllow {
  behavior: 'allow';
  updatedInput: JsonObject;
  /** The rules that the person asked to remember. */
  updatedPermissions?: JsonObject[];
}

/** The tool may not run; the message says why. */
export interface PermissionDeny {
  behavior: 'deny';
  message: string;
}

export type PermissionResult = PermissionAllow | PermissionDeny;

/**
 * An accepted plan, frozen. `clearContext`: start with an empty context; `targetMode`: what may run without asking from
 * now on.
 */
export interface PlanReviewDecision {
  readonly permission: PermissionAllow;
  readonly clearContext: boolean;
  readonly targetMode: 'edit' | 'default';
}

/** What the coordinator tells its `events` listener. */
export interface CoordinatorEvent {
  type: 'INTERACTION_REQUESTED' | 'INTERACTION_RESOLVED';
  chatId: string;
  kind: 'question' | 'plan_review' | 'approval';
  /** The ids of the interactions so far. */
  interactionIds: string[];
  /** How it ended, for `INTERACTION_RESOLVED`. `default`: nobody answered, and the agent's own default was taken. */
  outcome?: 'answered' | 'expired' | 'cancelled' | 'superseded' | 'undeliverable' | 'default';
}

export function deny(message: string): PermissionDeny {
  return { behavior: 'deny', message };
}
