import { toColumnText } from './column-text.ts';
import type { Transaction } from './driver.ts';
import { canComeIn } from './stop-rules.ts';

/** Removes a destination with everything that waits for it. `false`: there is none. */
export async function removeDestination(transaction: Transaction, id: string): Promise<boolean> {
  const removed = await transaction.all('delete from destinations where id = $1 returning id', [id]);
  await removeEntries(transaction, id);
  return removed.length === 1;
}

/**
 * Silences the destinations of people who can no longer come in. Somebody else may get the name, so each must be proven
 * again.
 */
export async function stopDestinationsOfGone(
  transaction: Transaction,
  names: readonly string[],
  at: string,
): Promise<void> {
  for (const name of new Set(names)) {
    if (await canComeIn(transaction, name)) continue;
    const problem = { at, error: `${name} can no longer log in. Prove it again to use it.` };
    const stopped = await transaction.all<{ id: string }>(
      'update destinations set proven_at = null, problem = $2 where owner = $1 and proven_at is not null returning id',
      [toColumnText(name), JSON.stringify(problem)],
    );
    for (const { id } of stopped) await removeEntries(transaction, id);
  }
}

/** Removes what belongs to browsers that are logged out: a phone that was lost must not be told anything. */
export async function removeDestinationsOfDevices(transaction: Transaction, devices: readonly string[]): Promise<void> {
  for (const device of devices) {
    const found = await transaction.all<{ id: string }>('select id from destinations where device_id = $1', [device]);
    for (const { id } of found) await removeDestination(transaction, id);
  }
}

async function removeEntries(transaction: Transaction, id: string): Promise<void> {
  for (const table of ['outbox', 'outbox_lanes', 'notices']) {
    await transaction.all(`delete from ${table} where destination = $1`, [id]);
  }
}
