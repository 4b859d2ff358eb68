import { BeckonError } from '../protocol/errors.ts';
import type { Driver, Reader } from './driver.ts';
import type { Migration } from './migrations/index.ts';

/**
 * Brings the database to the newest revision, each step in its own transaction: an interrupted step is rolled back and
 * repeated at the next start. Processes that start together wait for each other. A newer database is left untouched.
 */
export async function migrate(driver: Driver, migrations: readonly Migration[]): Promise<void> {
  const newest = migrations.length;
  let revision = (await driver.hasTable('schema_revision')) ? await readRevision(driver) : 0;
  refuseNewer(revision, newest);
  while (revision < newest) {
    revision = await driver.write(async (transaction) => {
      await transaction.lockSchema();
      await transaction.all(
        `create table if not exists schema_revision (id ${driver.bigint} primary key, revision ${driver.bigint} not null)`,
      );
      // While this process waited for the lock, another may have migrated, even further than this one can.
      const current = await readRevision(transaction);
      refuseNewer(current, newest);
      const step = migrations[current];
      if (step === undefined) return current;
      for (const statement of step(driver)) await transaction.all(statement);
      await transaction.all(
        current === 0
          ? 'insert into schema_revision (id, revision) values (1, 1)'
          : 'update schema_revision set revision = revision + 1',
      );
      return current + 1;
    });
  }
}

async function readRevision(reader: Reader): Promise<number> {
  const [row] = await reader.all<{ revision: number }>('select revision from schema_revision');
  return row?.revision ?? 0;
}

function refuseNewer(found: number, supported: number): void {
  if (found <= supported) return;
  throw new BeckonError(
    'store_too_new',
    `The database has schema revision ${found}; this Beckon knows revisions up to ${supported}. ` +
      'It was left untouched, because writing to it could destroy what the newer version keeps there. ' +
      'Run the newer Beckon, or point this one at another database.',
  );
}
