import { toMilliseconds } from '../protocol/duration.ts';
import type { ParsedPolicy, PolicyBody, PolicyScope, ScopedPolicy } from '../protocol/time-policies-http.ts';
import type { TimePolicy } from '../protocol/time-policy.ts';

/** Something that is to happen to a request if it still waits. */
export interface NewTimer {
  what: 'reminded' | 'escalated';
  afterMs: number;
  /** A person's name, or the id of a destination. */
  to?: string;
}

/**
 * What is to happen to a request, by its own time policy and those that stand in where it says nothing: the first that
 * says something counts, for each of the two.
 */
export function toTimers(policies: readonly (TimePolicy | undefined)[]): NewTimer[] {
  const remindAfter = policies.find((policy) => policy?.remindAfter !== undefined)?.remindAfter ?? null;
  const escalate = policies.find((policy) => policy?.escalate !== undefined)?.escalate ?? [];
  return [
    ...(remindAfter === null ? [] : [{ what: 'reminded' as const, afterMs: toMilliseconds(remindAfter) }]),
    ...escalate.map(({ after, to }) => ({ what: 'escalated' as const, afterMs: toMilliseconds(after), to })),
  ];
}

/** The time policies of chats and projects, for one caller. Throws `forbidden` for what the caller may not change. */
export interface TimePolicies {
  /** Chats first, in the order of their names. */
  list(): Promise<ScopedPolicy[]>;
  /** Sets the policy of a chat or project, in place of the one it has. It counts for every later ask. */
  set(policy: PolicyBody): Promise<ScopedPolicy>;
  /** `false`: there is none. */
  remove(scope: PolicyScope): Promise<boolean>;
}

/** The time policies in the store. Each change is one commit with its event, and counts for every ask after it. */
export interface StoredPolicies {
  list(): Promise<ScopedPolicy[]>;
  /** With `policy.set`. Throws `invalid_input` if there are too many. */
  set(policy: ParsedPolicy & { setBy: string; setAt: string }): Promise<void>;
  /** With `policy.removed`. `false`: there is none. */
  remove(input: { scope: PolicyScope; by: string; at: string }): Promise<boolean>;
}

/** What is to happen to requests that wait. Kept with the request, in the commit of its ask. */
export interface StoredTimers {
  /**
   * Takes timers that are due at `at`, at most those of `limit` requests, and writes `interaction.reminded` or
   * `interaction.escalated` for those that still wait. Each is taken once, by whichever process. Returns how many.
   */
  fire(input: { at: string; limit: number }): Promise<number>;
  /** When the next one is due. */
  nextAt(): Promise<string | null>;
  /** Lets the time of those begin at `at` that were set after `setAfter`, because the clock was set back since. */
  mend(input: { at: string; setAfter: string }): Promise<void>;
}
