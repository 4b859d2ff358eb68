import { existsSync } from 'node:fs';
import { toSqlitePath } from '../../daemon/config.ts';
import { openDriver } from '../../open-store.ts';
import { policy } from '../../rules/policy.ts';
import type { Driver } from '../../store/driver.ts';
import { MIGRATIONS } from '../../store/migrations/index.ts';
import { RuleShelf } from '../../store/rule-shelf.ts';
import { Writer } from '../../store/writer.ts';

/**
 * Reads from a store that is as new as this Beckon, without changing it. `null`: there is none, or it cannot be read,
 * which another check reports.
 */
export async function readStore<Result>(
  store: string,
  read: (driver: Driver, writer: Writer) => Promise<Result>,
): Promise<Result | null> {
  const path = toSqlitePath(store);
  if (path !== null && !existsSync(path)) return null;
  try {
    const driver = await openDriver(store);
    try {
      if (!(await driver.hasTable('schema_revision'))) return null;
      const [row] = await driver.all<{ revision: number }>('select revision from schema_revision');
      // "beckon up" upgrades an older database.
      if (Number(row?.revision) !== MIGRATIONS.length) return null;
      return await read(driver, new Writer(driver, { batchSteps: 1, shelf: new RuleShelf(policy) }));
    } finally {
      await driver.close();
    }
  } catch {
    return null;
  }
}
