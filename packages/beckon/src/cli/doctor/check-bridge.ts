import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { toDestination } from '../../core/destination.ts';
import { findBackend } from '../../daemon/backend-config.ts';
import { type Config, toSqlitePath } from '../../daemon/config.ts';
import { toHomeFile } from '../../daemon/home.ts';
import { openDriver } from '../../open-store.ts';
import type { Destination } from '../../protocol/outbox.ts';
import { policy } from '../../rules/policy.ts';
import { MIGRATIONS } from '../../store/migrations/index.ts';
import { RuleShelf } from '../../store/rule-shelf.ts';
import { SqlOutbox } from '../../store/sql-outbox.ts';
import { Writer } from '../../store/writer.ts';
import type { Finding } from './checks.ts';

/** Checks where hooks are forwarded to, what waits, and what is in the way. Changes nothing. */
export async function checkBridge(config: Config): Promise<Finding[]> {
  return [...checkBackend(config), ...(await checkOutbox(config)), ...checkSpool(config)];
}

function checkBackend(config: Config): Finding[] {
  try {
    const backend = findBackend(config);
    if (backend === undefined) return [];
    return [{ name: 'backend', status: 'ok', found: `hooks are forwarded to ${toDestination(backend.url)}` }];
  } catch (error) {
    return [{ name: 'backend', status: 'wrong', found: (error as Error).message }];
  }
}

async function checkOutbox({ store, apiUrl }: Config): Promise<Finding[]> {
  const path = toSqlitePath(store.value);
  if (path !== null && !existsSync(path)) return [];
  try {
    const found = await readDestinations(store.value);
    return found.map((destination) => toFinding(destination, apiUrl.value));
  } catch {
    return []; // The check of the database reports it.
  }
}

async function readDestinations(store: string): Promise<Destination[]> {
  const driver = await openDriver(store);
  try {
    if (!(await driver.hasTable('schema_revision'))) return [];
    const [row] = await driver.all<{ revision: number }>('select revision from schema_revision');
    // "beckon up" upgrades an older database.
    if (Number(row?.revision) !== MIGRATIONS.length) return [];
    const writer = new Writer(driver, { batchSteps: 1, shelf: new RuleShelf(policy) });
    return await new SqlOutbox(driver, writer).destinations();
  } finally {
    await driver.close();
  }
}

function toFinding({ destination, waiting, dead, oldestAt, paused }: Destination, apiUrl: string | undefined): Finding {
  const counts = `${waiting} waiting${oldestAt === undefined ? '' : ` (since ${oldestAt})`}, ${dead} dead`;
  const finding = { name: 'outbox', found: `${destination}: ${counts}` };
  if (paused !== undefined) {
    return {
      ...finding,
      status: 'warning',
      found: `${destination} is paused: ${paused.reason}; ${counts}`,
      next: 'Correct the token, then run: beckon outbox resume',
    };
  }
  if (waiting > 0 && (apiUrl === undefined || toDestination(apiUrl) !== destination)) {
    const next = 'This is not the configured backend (BECKON_API_URL). See: beckon outbox list; beckon outbox retry';
    return { ...finding, status: 'warning', next };
  }
  if (dead > 0) return { ...finding, status: 'warning', next: 'See: beckon outbox list --dead' };
  return { ...finding, status: 'ok' };
}

function checkSpool({ home }: Config): Finding[] {
  const folder = toHomeFile(home.value, 'spool');
  const waiting = count(folder);
  const bad = count(join(folder, 'bad'));
  return [
    ...(waiting === 0
      ? []
      : [
          {
            name: 'spool',
            status: 'warning' as const,
            found: `${waiting} hooks are waiting in ${folder}`,
            next: '"beckon up" processes them.',
          },
        ]),
    ...(bad === 0
      ? []
      : [
          {
            name: 'spool',
            status: 'warning' as const,
            found: `${bad} files in ${join(folder, 'bad')} are not hooks`,
            next: 'Check and remove them.',
          },
        ]),
  ];
}

function count(folder: string): number {
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.hook')).length : 0;
}
