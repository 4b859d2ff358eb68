import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Beckon } from '../core/beckon.ts';
import { openBeckon } from '../open-beckon.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { createSqliteDatabase, type TestDatabase } from '../testing/harness/database.ts';
import { ask } from '../testing/suites/samples.ts';
import { readEvents } from '../testing/suites/use-beckons.ts';
import { DeliveryNotes } from './delivery-notes.ts';

let database: TestDatabase;
let beckon: Beckon;
let notes: DeliveryNotes;
const errors: unknown[] = [];

beforeEach(async () => {
  database = await createSqliteDatabase();
  beckon = await openBeckon({ store: database.url, clock: new FakeClock() });
  errors.length = 0;
  notes = new DeliveryNotes(beckon, (error) => errors.push(error));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await beckon.close();
  await database.dispose();
});

async function askMany(count: number): Promise<string[]> {
  const asked = await Promise.all(Array.from({ length: count }, () => beckon.ask(ask())));
  return asked.map(({ id }) => id);
}

/** What the log says was delivered, up to the note about `last` at the connector. */
async function readDelivered(last: string, connector: string): Promise<[id: string, connector: string][]> {
  const log = await readEvents(
    beckon,
    (event) => event.type === 'interaction.delivered' && event.interactionId === last && event.connector === connector,
  );
  return log.flatMap((event) =>
    event.type === 'interaction.delivered' ? [[event.interactionId, event.connector]] : [],
  );
}

test('what ends within a quarter of a second is never written, whenever it began, and the rest is written soon after', async () => {
  const [short, long] = [await askMany(20), await askMany(20)];
  for (const [index, id] of short.entries()) {
    notes.add(id, 'phone');
    notes.add(long[index] ?? '', 'phone');
    vi.advanceTimersByTime(60);
    notes.drop(id);
  }
  vi.advanceTimersByTime(500);
  expect(vi.getTimerCount()).toBe(0);
  expect(await readDelivered(long.at(-1) ?? '', 'phone')).toEqual(long.map((id) => [id, 'phone']));
  expect(errors).toEqual([]);
});

test('what is left is written at the end', async () => {
  const [ripe = '', fresh = ''] = await askMany(2);
  notes.add(ripe, 'phone');
  vi.advanceTimersByTime(300);
  notes.add(fresh, 'phone');
  notes.add(fresh, 'desk');
  await notes.write();
  expect(vi.getTimerCount()).toBe(0);
  expect(await readDelivered(fresh, 'desk')).toEqual([
    [ripe, 'phone'],
    [fresh, 'phone'],
    [fresh, 'desk'],
  ]);
  expect(errors).toEqual([]);
});
