import { policy } from '../../packages/beckon/src/rules/policy.ts';
import { checkForm } from '../../packages/beckon/src/runtime/form-schema.ts';
import { LocalBeckon } from '../../packages/beckon/src/runtime/local-beckon.ts';
import { systemClock } from '../../packages/beckon/src/runtime/system-clock.ts';
import type { Driver } from '../../packages/beckon/src/store/driver.ts';
import { openSqlStore, type SqlStore } from '../../packages/beckon/src/store/sql-store.ts';

/** What a benchmark changes of `openBeckon`. */
export interface OpenOptions {
  newId: () => string;
  /** How many changes may share one commit. Default: the product's. */
  batchSteps?: number;
}

/** As `openBeckon`, but on a given driver, and with its store at hand. Closing the Beckon closes both. */
export async function openOn(
  driver: Driver,
  { newId, batchSteps }: OpenOptions,
): Promise<{ beckon: LocalBeckon; store: SqlStore }> {
  const store = await openSqlStore(driver, { checkForm, policy, ...(batchSteps !== undefined && { batchSteps }) });
  const beckon = new LocalBeckon({ store, clock: systemClock, newId, timeoutMs: 300_000, onError: fail });
  await beckon.start();
  return { beckon, store };
}

// A failure in the background would make the figures mean something else.
function fail(error: unknown): never {
  throw error;
}
