import type { TimePolicy } from '../protocol/time-policy.ts';
import { ALL_POLICIES, fromPolicyRow } from './sql-policies.ts';
import type { PolicyRow } from './timer-tables.ts';
import type { UnitOfWork } from './unit-of-work.ts';

/** The time policies at one number of the log, by the names of chats and projects. */
export interface ShelvedPolicies {
  readonly seq: number;
  readonly chats: ReadonlyMap<string, TimePolicy>;
  readonly projects: ReadonlyMap<string, TimePolicy>;
}

/**
 * The time policies as this process read them last. It holds only what was committed: those that were read in a
 * transaction replace the ones here when the transaction is on disk.
 */
export class PolicyShelf {
  #current: ShelvedPolicies = { seq: 0, chats: new Map(), projects: new Map() };

  get current(): ShelvedPolicies {
    return this.#current;
  }

  /** Replaces them, after the commit of the transaction that read them. */
  keep(policies: ShelvedPolicies): void {
    this.#current = policies;
  }
}

/** Reads the time policies in the transaction of `work`. */
export async function readPolicies(work: UnitOfWork): Promise<ShelvedPolicies> {
  const rows = await work.transaction.all<PolicyRow>(ALL_POLICIES);
  const of = (scope: PolicyRow['scope']): Map<string, TimePolicy> =>
    new Map(rows.filter((row) => row.scope === scope).map((row) => [row.name, fromPolicyRow(row)]));
  return { seq: work.policiesSeq, chats: of('chat'), projects: of('project') };
}
