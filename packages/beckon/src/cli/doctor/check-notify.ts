import type { DestinationRecord } from '../../core/notify.ts';
import type { DestinationCounts } from '../../core/stored-destinations.ts';
import type { Config } from '../../daemon/config.ts';
import { SqlDestinations } from '../../store/sql-destinations.ts';
import type { Finding } from './checks.ts';
import { readStore } from './read-store.ts';

/** Checks where people and programs are told: what does not arrive, and what never counted. Changes nothing. */
export async function checkNotify({ store }: Config): Promise<Finding[]> {
  const found = await readStore(store.value, async (driver, writer) => {
    const destinations = new SqlDestinations(driver, writer);
    return { records: await destinations.list(), counts: await destinations.counts() };
  });
  if (found === null || found.records.length === 0) return [];
  const { records, counts } = found;
  const troubles = records.flatMap((record) => toTrouble(record, counts.get(record.id)));
  const active = records.filter(({ isOn, provenAt }) => isOn && provenAt !== undefined).length;
  const all = records.length === 1 ? '1 destination' : `${records.length} destinations`;
  const summary = `${all}, ${active} of them on and proven`;
  return [{ name: 'notify', status: 'ok', found: summary }, ...troubles];
}

function toTrouble(record: DestinationRecord, counts: DestinationCounts | undefined): Finding[] {
  const { id, kind, owner, label, problem, provenAt, pausedAt } = record;
  const { waiting = 0, dead = 0 } = counts ?? {};
  const name = `${kind} "${label}" of ${owner}`;
  const warn = (found: string, next: string): Finding => ({ name: 'notify', status: 'warning', found, next });
  if (provenAt === undefined)
    return [warn(`${name} is not proven, so nothing is sent there`, `Run: beckon notify test ${id}`)];
  if (problem !== undefined) {
    const next =
      pausedAt === undefined
        ? `See: beckon notify deliveries ${id}`
        : `Repair it, then run: beckon notify edit ${id} --on`;
    return [warn(`${name} does not take notices: ${problem.error}; ${waiting} waiting, ${dead} dead`, next)];
  }
  return dead > 0
    ? [warn(`${name} has ${dead} dead letters`, `Send them again: beckon notify replay ${id} --dead`)]
    : [];
}
