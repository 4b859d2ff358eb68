import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ENGINES, type TestDatabase, useEngines } from '../testing/harness/database.ts';
import { openVapidKeys } from './vapid-keys.ts';

const AT = '2026-11-17T10:00:00.000Z';
const createDatabase = useEngines();

describe.each(ENGINES)('the key for push services on %s', (engine) => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createDatabase(engine);
  });
  afterEach(() => database.dispose());

  test('is the same for nodes that start together, and stays after a restart', async () => {
    const nodes = await Promise.all([database.open(), database.open(), database.open()]);
    const keys = await Promise.all(nodes.map(({ secrets }) => openVapidKeys(secrets, AT)));
    expect(new Set(keys.map(({ publicKey }) => publicKey)).size).toBe(1);
    expect(Buffer.from(keys[0]?.publicKey ?? '', 'base64url')).toHaveLength(65);
    await Promise.all(nodes.map((node) => node.close()));
    expect(await openVapidKeys((await database.open()).secrets, AT)).toEqual(keys[0]);
  });
});
