import { expect, test } from 'vitest';
import type { Store } from '../../core/store.ts';
import type { LoginCodeRecord } from '../../core/stored-logins.ts';
import { after } from './samples.ts';
import { type CreateStoreDatabase, useStores } from './use-stores.ts';

/** Browsers that are logged in, and the codes that let them in. */
export function testStoreDevices(create: CreateStoreDatabase): void {
  const stores = useStores(create);

  const makeCode = (hash: string, changes: Partial<LoginCodeRecord> = {}): LoginCodeRecord => ({
    hash,
    name: 'ada',
    role: 'person',
    expiresAt: after(1000),
    ...changes,
  });

  const logIn = (codeHash: string, id: string, at = after(1), store: Store = stores.store) =>
    store.devices.logIn({ codeHash, id, hash: `hash of ${id}`, label: 'Firefox on Linux', at });

  test('a code lets one device in, as the one it was made for', async () => {
    await stores.store.devices.addCode(makeCode('code', { chatId: 'team', role: 'admin' }), after(0));
    const device = await logIn('code', 'd1', after(5));
    expect(device).toEqual({
      id: 'd1',
      name: 'ada',
      role: 'admin',
      chatId: 'team',
      hash: 'hash of d1',
      label: 'Firefox on Linux',
      createdAt: after(5),
      lastSeenAt: after(5),
    });
    expect(await stores.store.devices.find('d1')).toEqual(device);
    expect(await stores.store.devices.find('d2')).toBeNull();
  });

  test('a code works once, and only until it expires', async () => {
    for (const hash of ['used', 'expired']) await stores.store.devices.addCode(makeCode(hash), after(0));
    expect(await logIn('used', 'd1')).not.toBeNull();
    expect(await logIn('used', 'd2')).toBeNull();
    expect(await logIn('expired', 'd3', after(1000))).toBeNull();
    expect(await logIn('unknown', 'd4')).toBeNull();
    expect((await stores.store.devices.list()).map(({ id }) => id)).toEqual(['d1']);
  });

  test('of many who use one code at once, in two processes, one gets in', async () => {
    const other = await stores.open();
    await stores.store.devices.addCode(makeCode('code'), after(0));
    const devices = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        logIn('code', `d${index}`, after(1), index % 2 === 0 ? stores.store : other),
      ),
    );
    expect(devices.filter((device) => device !== null)).toHaveLength(1);
    expect(await other.devices.list()).toHaveLength(1);
  });

  test('a new code takes those away that have expired', async () => {
    await stores.store.devices.addCode(makeCode('first'), after(0));
    await stores.store.devices.addCode(makeCode('second', { expiresAt: after(5000) }), after(2000));
    // The clock of another process may be behind.
    expect(await logIn('first', 'd1', after(1))).toBeNull();
    expect(await logIn('second', 'd2', after(1))).not.toBeNull();
  });

  test('the list begins with the device that was seen last, and is never turned back', async () => {
    for (const id of ['d1', 'd2']) {
      await stores.store.devices.addCode(makeCode(id), after(0));
      await logIn(id, id, after(id === 'd1' ? 1 : 2));
    }
    await stores.store.devices.touch({ id: 'd1', at: after(9) });
    await stores.store.devices.touch({ id: 'd1', at: after(8) });
    await stores.store.devices.touch({ id: 'none', at: after(8) });
    const seen = (await stores.store.devices.list()).map(({ id, lastSeenAt }) => [id, lastSeenAt]);
    expect(seen).toEqual([
      ['d1', after(9)],
      ['d2', after(2)],
    ]);
  });

  test('devices that were not seen for 180 days are forgotten when another one comes', async () => {
    const DAY_MS = 86_400_000;
    for (const id of ['d1', 'd2', 'd3'])
      await stores.store.devices.addCode(makeCode(id, { expiresAt: after(999 * DAY_MS) }), after(0));
    await logIn('d1', 'd1', after(0));
    await logIn('d2', 'd2', after(DAY_MS));
    await logIn('d3', 'd3', after(181 * DAY_MS));
    expect((await stores.store.devices.list()).map(({ id }) => id)).toEqual(['d3', 'd2']);
  });

  test('a device that was removed is gone for every process', async () => {
    const other = await stores.open();
    await stores.store.devices.addCode(makeCode('code'), after(0));
    await logIn('code', 'd1');
    expect(await other.devices.remove('d1', after(9))).toBe(true);
    expect(await stores.store.devices.find('d1')).toBeNull();
    expect(await stores.store.devices.remove('d1', after(9))).toBe(false);
  });

  test('logging in and out writes nothing to the log', async () => {
    await stores.store.devices.addCode(makeCode('code'), after(0));
    await logIn('code', 'd1');
    await stores.store.devices.remove('d1', after(9));
    expect(await stores.store.lastSeq()).toBe(0);
  });
}
