import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { listSpools, measureSpool } from '../../bridge/elsewhere-spool.ts';
import { toDestination } from '../../core/destination.ts';
import { findBackend } from '../../daemon/backend-config.ts';
import type { Config } from '../../daemon/config.ts';
import type { OutboxBackend } from '../../protocol/outbox.ts';
import { SqlOutbox } from '../../store/sql-outbox.ts';
import { toHomeFile } from '../../where/home.ts';
import type { Finding } from './checks.ts';
import { readStore } from './read-store.ts';

/** Checks where hooks are forwarded to, what waits, and what is in the way. Changes nothing. */
export async function checkBridge(config: Config): Promise<Finding[]> {
  return [...checkBackend(config), ...(await checkOutbox(config)), ...checkSpool(config)];
}

/** Checks what waits on this machine for a Beckon elsewhere. */
export function checkElsewhere({ home }: Config): Finding[] {
  return listSpools(toHomeFile(home.value, 'elsewhere')).flatMap(({ folder, url }): Finding[] => {
    const { hooks, dropped } = measureSpool(folder);
    if (hooks + dropped === 0) return [];
    const lost = dropped === 0 ? '' : `, and ${dropped} were lost because too much waited`;
    const found = `${hooks} reports of Claude Code wait for ${url}${lost}`;
    return [{ name: 'spool', status: 'warning', found, next: 'Send them with: beckon spool send' }];
  });
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
  const found = await readStore(store.value, (driver, writer) => new SqlOutbox(driver, writer).backends());
  return (found ?? []).map((backend) => toFinding(backend, apiUrl.value));
}

function toFinding(
  { destination, waiting, dead, oldestAt, paused }: OutboxBackend,
  apiUrl: string | undefined,
): Finding {
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
