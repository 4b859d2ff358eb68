import { expect, test } from 'vitest';
import type { Store } from '../../core/store.ts';
import type { MachineDecision, NewMachineLogin } from '../../core/stored-logins.ts';
import { ASKED_AT, after, createApproval, createRule } from './samples.ts';
import { type CreateStoreDatabase, useStores } from './use-stores.ts';

const MINUTE_MS = 60_000;
const MOST = { here: 3, inAll: 5 };

/** Machines that want to come in, and what people decide about them. */
export function testStoreMachines(create: CreateStoreDatabase): void {
  const stores = useStores(create);
  let count = 0;

  /** A login with an id, a hash and a code of its own. */
  function makeLogin(changes: Partial<NewMachineLogin> = {}): NewMachineLogin {
    count += 1;
    return {
      id: `id${count}`,
      hash: `hash${count}`,
      code: `CODE-${count}`,
      machine: 'Laptop',
      user: 'ada',
      agents: ['Claude Code'],
      address: '192.0.2.1',
      addressGroup: '192.0.2.1',
      createdAt: after(0),
      expiresAt: after(10 * MINUTE_MS),
      ...changes,
    };
  }

  async function start(changes: Partial<NewMachineLogin> = {}): Promise<NewMachineLogin> {
    const login = makeLogin(changes);
    expect(await stores.store.machineLogins.start(login, MOST)).toMatchObject({ id: login.id });
    return login;
  }

  const addPeople = async (...names: string[]): Promise<void> => {
    for (const name of names) {
      const token = { id: `tok_${name}`, name, role: 'person', hash: 'a'.repeat(64), createdAt: ASKED_AT } as const;
      await stores.store.tokens.add(token);
    }
  };

  /** Lets it in under the name that it would get at first. */
  const approve = (
    { id, code }: NewMachineLogin,
    {
      by = 'ada',
      at = after(1000),
      name = 'ada@laptop',
      chatId,
      store = stores.store,
    }: { by?: string; at?: string; name?: string; chatId?: string; store?: Store } = {},
  ): Promise<MachineDecision> => store.machineLogins.approve({ id, code, name, by, chatId, at });
  const refuse = (
    { id, code }: NewMachineLogin,
    { by = 'ada', at = after(1000), store = stores.store }: { by?: string; at?: string; store?: Store } = {},
  ): Promise<MachineDecision> => store.machineLogins.refuse({ id, code, by, at });

  test('a login is found by its id and by its code, as it was started', async () => {
    const { addressGroup, ...login } = await start();
    const kept = { ...login, status: 'pending' };
    expect(await stores.store.machineLogins.find(login.id)).toEqual(kept);
    expect(await stores.store.machineLogins.findByCode(login.code)).toEqual(kept);
    expect(await stores.store.machineLogins.find(login.code)).toBeNull();
    expect(await stores.store.machineLogins.findByCode(addressGroup)).toBeNull();
    expect(await stores.store.machineLogins.findPending([login.id, 'other'])).toEqual(new Set([login.id]));
  });

  test('the same hash again finds the same login, even in another process; an id or a code is given once', async () => {
    const login = await start();
    const other = await stores.open();
    const again = await other.machineLogins.start({ ...makeLogin(), hash: login.hash }, MOST);
    expect(again).toMatchObject({ id: login.id, code: login.code });
    for (const taken of [{ id: login.id }, { code: login.code }]) {
      expect(await other.machineLogins.start(makeLogin(taken), MOST)).toBe('taken');
    }
    await addPeople('ada');
    expect(await other.machineLogins.start(makeLogin({ id: 'tok_ada' }), MOST)).toBe('taken');
  });

  test('an approval keeps the token of the machine, for the person who gave it', async () => {
    await addPeople('ada');
    const login = await start();
    expect(await approve(login, { chatId: 'team' })).toEqual({
      result: 'decided',
      login: expect.objectContaining({ id: login.id, status: 'approved', decidedBy: 'ada' }),
    });
    expect(await stores.store.tokens.find(login.id)).toEqual({
      id: login.id,
      name: 'ada@laptop',
      role: 'agent',
      chatId: 'team',
      hash: login.hash,
      createdAt: after(1000),
      owner: 'ada',
      machine: 'Laptop',
    });
    expect(await stores.store.machineLogins.findPending([login.id])).toEqual(new Set());
  });

  test('a refusal keeps no token', async () => {
    const login = await start();
    expect(await refuse(login)).toMatchObject({ result: 'decided', login: { status: 'refused', decidedBy: 'ada' } });
    expect(await stores.store.tokens.list()).toEqual([]);
  });

  test('the code alone decides nothing, and neither does the id alone', async () => {
    await addPeople('ada');
    const [one, two] = [await start(), await start()];
    for (const mixed of [
      { ...one, code: two.code },
      { ...one, id: 'none' },
    ]) {
      expect(await approve(mixed)).toEqual({ result: 'unknown' });
      expect(await refuse(mixed)).toEqual({ result: 'unknown' });
    }
    expect(await stores.store.machineLogins.findPending([one.id, two.id])).toEqual(new Set([one.id, two.id]));
  });

  test('a login is decided once: the same by the same person is a repeat, anything else hears who decided', async () => {
    await addPeople('ada', 'bo');
    const [approved, refused] = [await start(), await start()];
    await approve(approved);
    expect(await approve(approved)).toMatchObject({ result: 'repeated', login: { decidedBy: 'ada' } });
    expect(await approve(approved, { by: 'bo' })).toMatchObject({ result: 'ended', login: { decidedBy: 'ada' } });
    expect(await refuse(approved)).toMatchObject({ result: 'ended', login: { status: 'approved' } });
    await refuse(refused);
    expect(await refuse(refused)).toMatchObject({ result: 'repeated' });
    expect(await approve(refused, { name: 'ada@laptop-2' })).toMatchObject({
      result: 'ended',
      login: { status: 'refused' },
    });
    expect(await stores.store.tokens.find(refused.id)).toBeNull();
  });

  test('of many approvals and refusals at once, in two processes, one counts', async () => {
    const other = await stores.open();
    const names = Array.from({ length: 6 }, (_, index) => `person${index}`);
    await addPeople(...names);
    for (let round = 0; round < 5; round += 1) {
      const login = await start();
      const name = await stores.store.machineLogins.findName('ada@laptop');
      const decisions = await Promise.all(
        names.map((by, index) => {
          const store = index % 2 === 0 ? stores.store : other;
          return index % 3 === 0 ? refuse(login, { by, store }) : approve(login, { by, store, name });
        }),
      );
      const decided = decisions.flatMap((decision) => (decision.result === 'decided' ? [decision.login] : []));
      expect(decided).toHaveLength(1);
      const ended = decisions.flatMap((decision) => (decision.result === 'ended' ? [decision.login] : []));
      expect(ended).toEqual(Array.from({ length: names.length - 1 }, () => decided[0]));
      const token = await other.tokens.find(login.id);
      expect(token?.owner).toBe(decided[0]?.status === 'approved' ? decided[0].decidedBy : undefined);
    }
  });

  test('at its deadline a login is over, for every process', async () => {
    await addPeople('ada');
    const other = await stores.open();
    const login = await start();
    const [late, soon] = await Promise.all([
      approve(login, { at: login.expiresAt, store: other }),
      refuse(login, { at: login.expiresAt }),
    ]);
    expect(late).toMatchObject({ result: 'ended', login: { status: 'pending' } });
    expect(soon).toMatchObject({ result: 'ended', login: { status: 'pending' } });
    expect(await stores.store.tokens.find(login.id)).toBeNull();
    expect(await approve(login, { at: after(10 * MINUTE_MS - 1) })).toMatchObject({ result: 'decided' });
  });

  test('what is over stays known for an hour, and is then forgotten by the next login', async () => {
    const login = await start();
    await start({ createdAt: after(69 * MINUTE_MS), expiresAt: after(79 * MINUTE_MS) });
    expect(await stores.store.machineLogins.find(login.id)).not.toBeNull();
    await start({ createdAt: after(70 * MINUTE_MS), expiresAt: after(80 * MINUTE_MS) });
    expect(await stores.store.machineLogins.find(login.id)).toBeNull();
  });

  test('a few wait from one address, and a few more in all; those that are over do not count', async () => {
    await addPeople('ada');
    const first = await start();
    for (let index = 1; index < MOST.here; index += 1) await start();
    const add = (group: string, at = after(0)) =>
      stores.store.machineLogins.start(makeLogin({ addressGroup: group, createdAt: at }), MOST);
    expect(await add('192.0.2.1')).toBe('too_many_here');
    await refuse(first);
    expect(await add('192.0.2.1')).toMatchObject({ status: 'pending' });
    expect(await add('192.0.2.2')).toMatchObject({ status: 'pending' });
    expect(await add('192.0.2.3')).toMatchObject({ status: 'pending' });
    expect(await add('192.0.2.4')).toBe('too_many');
    expect(await add('192.0.2.4', after(10 * MINUTE_MS))).toMatchObject({ status: 'pending' });
  });

  test('of many that start at once, in two processes, no more get in than may', async () => {
    const other = await stores.open();
    const started = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        (index % 2 === 0 ? stores.store : other).machineLogins.start(makeLogin(), MOST),
      ),
    );
    expect(started.filter((login) => login === 'too_many_here')).toHaveLength(10 - MOST.here);
  });

  test('a name that anybody has is not given again, whatever its capitals', async () => {
    await addPeople('ada', 'Ada@Laptop');
    const { machineLogins, devices } = stores.store;
    expect(await machineLogins.findName('ada@laptop')).toBe('ada@laptop-2');
    await devices.addCode({ hash: 'c1', name: 'ada@laptop-2', role: 'person', expiresAt: after(9000) }, after(0));
    expect(await machineLogins.findName('ada@laptop')).toBe('ada@laptop-3');
    await devices.addCode({ hash: 'c2', name: 'ada@laptop-3', role: 'person', expiresAt: after(9000) }, after(0));
    await devices.logIn({ codeHash: 'c2', id: 'd', hash: 'h', label: 'Firefox', at: after(1) });
    expect(await machineLogins.findName('ada@laptop')).toBe('ada@laptop-4');
    expect(await machineLogins.findName('bo@laptop')).toBe('bo@laptop');
  });

  test('a machine gets no name but the one that was shown', async () => {
    await addPeople('ada');
    const [one, two] = [await start(), await start()];
    for (const name of ['ada', 'root', 'ada@laptop-2', 'ADA@LAPTOP']) {
      expect(await approve(one, { name })).toEqual({ result: 'changed' });
    }
    const other = await stores.open();
    const decisions = await Promise.all([approve(one), approve(two, { store: other })]);
    expect(decisions.map(({ result }) => result).toSorted()).toEqual(['changed', 'decided']);
    expect((await other.tokens.list()).map(({ name }) => name)).toEqual(['ada', 'ada@laptop']);
  });

  test('somebody who can no longer come in lets nobody in', async () => {
    await addPeople('ada');
    const login = await start();
    await stores.store.tokens.remove('ada', after(1));
    await expect(approve(login)).rejects.toMatchObject({ code: 'unauthorized' });
    expect(await stores.store.machineLogins.findPending([login.id])).toEqual(new Set([login.id]));
    expect(await stores.store.tokens.list()).toEqual([]);
  });

  test('a machine withdraws its login, or the token that came of it, by its secret alone', async () => {
    await addPeople('ada');
    const [waiting, approved] = [await start(), await start()];
    await approve(approved);
    const leave = ({ id, hash }: { id: string; hash: string }) =>
      stores.store.machineLogins.leave({ id, hash, at: after(2000) });
    expect(await leave({ id: waiting.id, hash: approved.hash })).toBe(false);
    expect(await leave({ id: 'tok_ada', hash: 'a'.repeat(64) })).toBe(false);
    for (const login of [waiting, approved]) {
      expect(await leave(login)).toBe(true);
      expect(await leave(login)).toBe(false);
      expect(await stores.store.machineLogins.find(login.id)).toBeNull();
    }
    expect((await stores.store.tokens.list()).map(({ name }) => name)).toEqual(['ada']);
  });

  test('of an approval and a withdrawal at once, in two processes, no token stays', async () => {
    await addPeople('ada');
    const other = await stores.open();
    for (let round = 0; round < 5; round += 1) {
      const login = await start();
      const leaving = other.machineLogins.leave({ id: login.id, hash: login.hash, at: after(1000) });
      await Promise.all([approve(login), leaving]);
      expect(await stores.store.tokens.find(login.id)).toBeNull();
      expect(await stores.store.machineLogins.find(login.id)).toBeNull();
    }
  });

  test('with its token a machine loses what rules allowed it, and its login says nothing any more', async () => {
    await addPeople('ada');
    const login = await start();
    await approve(login);
    const rule = createRule({ scope: { askedBy: 'ada@laptop' } });
    await stores.store.rules.add(rule);
    const ask = () => stores.store.ask(createApproval('npm test', { askedBy: 'ada@laptop' }));
    expect((await ask()).interaction.status).toBe('answered');
    expect(await stores.store.tokens.removeById('other', after(5))).toBe(false);
    expect(await stores.store.tokens.removeById(login.id, after(5))).toBe(true);
    expect((await ask()).interaction.status).toBe('pending');
    expect(await stores.store.machineLogins.find(login.id)).toBeNull();
  });

  test('what machines do to come in writes nothing to the log', async () => {
    await addPeople('ada');
    const [approved, refused] = [await start(), await start()];
    await approve(approved);
    await refuse(refused);
    await stores.store.machineLogins.leave({ id: approved.id, hash: approved.hash, at: after(9) });
    expect(await stores.store.lastSeq()).toBe(0);
  });
}
