import { hash, randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Caller } from '../core/access.ts';
import { type MachineLoginBody, UserCode } from '../protocol/machine-login.ts';
import { parse } from '../protocol/parse.ts';
import type { SqlStore } from '../store/sql-store.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { ENGINES, type TestDatabase, useEngines } from '../testing/harness/database.ts';
import { LocalMachines } from './local-machines.ts';
import { Tokens } from './tokens.ts';

const HERE = { address: '192.0.2.1', addressGroup: '192.0.2.1' };
const ADA: Caller = { name: 'ada', role: 'person' };
const BO: Caller = { name: 'bo', role: 'person' };
const { signal } = new AbortController();

const createDatabase = useEngines();

describe.each(ENGINES)('machines on %s', (engine) => {
  let database: TestDatabase;
  let clock: FakeClock;
  let store: SqlStore;
  let tokens: Tokens;
  let machines: LocalMachines;

  /** The machines as a process on the database has them. */
  async function openNode(): Promise<{ store: SqlStore; tokens: Tokens; machines: LocalMachines }> {
    const opened = await database.open();
    const checks = new Tokens({ tokens: opened.tokens, clock });
    return { store: opened, tokens: checks, machines: new LocalMachines({ store: opened, tokens: checks, clock }) };
  }

  beforeEach(async () => {
    database = await createDatabase(engine);
    clock = new FakeClock();
    ({ store, tokens, machines } = await openNode());
    for (const { name, role } of [ADA, BO]) await tokens.create({ name, role });
  });
  afterEach(() => database.dispose());

  /** Starts as the command does: with a secret that stays here. */
  async function start(changes: Partial<MachineLoginBody> = {}, on = machines) {
    const secret = randomBytes(32).toString('base64url');
    const body = { hash: hash('sha256', secret), machine: 'laptop', user: 'ada', agents: [], ...changes };
    const started = await on.start(body, HERE);
    return { ...started, secret, body, token: `bkn_${started.id}_${secret}` };
  }

  const approve = async ({ userCode, id }: { userCode: string; id: string }, by = ADA, on = machines) =>
    on.approve(by, { id, userCode, name: (await on.find(by, userCode))?.name ?? '' });

  test('a machine is let in with the secret that it made, which nobody else ever had', async () => {
    const login = await start();
    expect(parse(UserCode, login.userCode, { what: 'code' })).toBe(login.userCode);
    expect(await machines.read(login.token)).toEqual({ status: 'pending', expiresAt: login.expiresAt });
    expect(await tokens.check(login.token)).toBeNull();
    expect(await approve(login)).toEqual({ status: 'approved', name: 'ada@laptop' });
    expect(await machines.read(login.token)).toEqual({
      status: 'approved',
      expiresAt: login.expiresAt,
      name: 'ada@laptop',
      by: 'ada',
    });
    expect(await tokens.check(login.token)).toEqual({ id: login.id, name: 'ada@laptop', role: 'agent' });
    expect(JSON.stringify(await database.query('select * from machine_logins'))).not.toContain(login.secret);
  });

  test('the same start again, after a lost reply, is the same login; after the end it is over', async () => {
    const login = await start();
    expect(await machines.start(login.body, HERE)).toMatchObject({ id: login.id, userCode: login.userCode });
    await approve(login);
    await expect(machines.start(login.body, HERE)).rejects.toMatchObject({ code: 'machine_login_ended' });
  });

  test('no two codes are alike, and every letter is as likely as another', async () => {
    const codes = new Set<string>();
    for (let time = 0; time < 60; time += 1) {
      const login = await start();
      codes.add(login.userCode);
      await machines.leave(login.token);
    }
    expect(codes.size).toBe(60);
    expect(new Set([...codes].join('')).size).toBe(21);
  });

  test('whoever is limited to a chat lets in what is limited to it', async () => {
    const login = await start();
    const limited: Caller = { ...ADA, chatId: 'team' };
    expect(await machines.find(limited, login.userCode)).toMatchObject({ chatId: 'team' });
    await approve(login, limited);
    expect(await tokens.check(login.token)).toMatchObject({ chatId: 'team' });
    expect(await machines.read(login.token)).toMatchObject({ chatId: 'team' });
  });

  test('a name that is taken is shown with its number, and a name that was taken meanwhile is not given', async () => {
    const [first, second, third] = [await start(), await start(), await start()];
    const shown = await machines.find(ADA, second.userCode);
    expect(shown).toMatchObject({ name: 'ada@laptop', wantedName: 'ada@laptop' });
    await approve(first);
    await expect(
      machines.approve(ADA, { id: second.id, userCode: second.userCode, name: 'ada@laptop' }),
    ).rejects.toMatchObject({ code: 'machine_login_changed' });
    expect(await machines.find(ADA, second.userCode)).toMatchObject({ name: 'ada@laptop-2', wantedName: 'ada@laptop' });
    expect(await approve(second)).toEqual({ status: 'approved', name: 'ada@laptop-2' });
    expect(await machines.find(ADA, third.userCode)).toMatchObject({ name: 'ada@laptop-3' });
  });

  test('a code is found until it was used, and no longer than ten minutes', async () => {
    const [used, old] = [await start(), await start()];
    await machines.refuse(ADA, { id: used.id, userCode: used.userCode });
    expect(await machines.find(ADA, used.userCode)).toBeNull();
    clock.skip(599_999);
    expect(await machines.find(ADA, old.userCode)).not.toBeNull();
    clock.skip(1);
    expect(await machines.find(ADA, old.userCode)).toBeNull();
    await expect(machines.refuse(ADA, { id: old.id, userCode: old.userCode })).rejects.toThrow('It has expired');
    expect(await machines.read(old.token)).toMatchObject({ status: 'expired' });
    expect(await machines.read(used.token)).toMatchObject({ status: 'refused', by: 'ada' });
  });

  test('who comes second hears who was first; who repeats is told the same', async () => {
    const login = await start();
    await approve(login);
    const shown = { id: login.id, userCode: login.userCode, name: 'ada@laptop' };
    expect(await machines.approve(ADA, shown)).toEqual({ status: 'approved', name: 'ada@laptop' });
    for (const late of [machines.approve(BO, shown), machines.refuse(ADA, shown), machines.refuse(BO, shown)]) {
      await expect(late).rejects.toThrow('ada has approved it already');
    }
    expect(await machines.approve(BO, { ...shown, id: 'f'.repeat(16) })).toBeNull();
  });

  test('a wrong secret learns nothing, and withdraws nothing', async () => {
    const [waiting, approved] = [await start(), await start()];
    await approve(approved);
    for (const { id, token } of [waiting, approved]) {
      const wrong = `bkn_${id}_${'A'.repeat(43)}`;
      expect(await machines.read(wrong)).toBeNull();
      expect(await machines.leave(wrong)).toBe(false);
      expect(await machines.read(token)).not.toBeNull();
    }
    expect(await machines.read('bkn_')).toBeNull();
    expect(await machines.leave('')).toBe(false);
  });

  test('a token that nobody let in is no machine, and does not leave', async () => {
    const token = await tokens.create({ name: 'ci', role: 'agent', owner: 'ada' });
    expect(await machines.read(token)).toBeNull();
    expect(await machines.leave(token)).toBe(false);
    expect(await machines.list({ name: 'root', role: 'admin' })).toEqual([]);
    expect(await machines.revoke({ name: 'root', role: 'admin' }, token.slice(4, 20))).toBe(false);
    expect(await tokens.check(token)).not.toBeNull();
  });

  test('a machine that leaves is out at once', async () => {
    const login = await start();
    await approve(login);
    expect(await tokens.check(login.token)).not.toBeNull();
    expect(await machines.leave(login.token)).toBe(true);
    expect(await tokens.check(login.token)).toBeNull();
    expect(await machines.read(login.token)).toBeNull();
  });

  test('people see and revoke their own machines, the newest first; the token is out at once', async () => {
    const mine = await start();
    await approve(mine);
    clock.skip(1000);
    const newer = await start({ machine: 'desktop' });
    await approve(newer);
    const others = await start({ user: 'bo' });
    await approve(others, BO);
    expect((await machines.list(ADA)).map(({ name }) => name)).toEqual(['ada@desktop', 'ada@laptop']);
    expect(await machines.list(BO)).toEqual([
      {
        id: others.id,
        name: 'bo@laptop',
        owner: 'bo',
        machine: 'laptop',
        createdAt: new Date(clock.now()).toISOString(),
      },
    ]);
    expect(await machines.list({ name: 'root', role: 'admin' })).toHaveLength(3);
    await tokens.check(mine.token);
    const left: string[] = [];
    machines.onRevoke(mine.id, () => left.push('left'));
    expect(await machines.revoke(BO, mine.id)).toBe(false);
    expect(await tokens.check(mine.token)).not.toBeNull();
    expect(await machines.revoke(ADA, mine.id)).toBe(true);
    expect(await tokens.check(mine.token)).toBeNull();
    expect(left).toEqual(['left']);
    expect(await machines.read(mine.token)).toBeNull();
  });

  test('a name that was revoked is free again, and its id is not', async () => {
    const first = await start();
    await approve(first);
    await machines.revoke(ADA, first.id);
    const second = await start();
    await approve(second);
    const found = await tokens.check(second.token);
    expect(found).toMatchObject({ name: 'ada@laptop' });
    expect(found?.id).not.toBe(first.id);
  });

  describe('a wait', () => {
    /** Begins to wait, and resolves once it does. */
    async function beginWait(token: string, ms: number): Promise<{ waited: ReturnType<LocalMachines['wait']> }> {
      const until = new Date(Math.min(clock.now() + ms, clock.now() + 600_000)).toISOString();
      const waited = machines.wait(token, { ms, signal });
      await expect.poll(() => clock.planned).toContain(until);
      return { waited };
    }

    test('ends with a decision of this process, at once', async () => {
      const login = await start();
      const { waited } = await beginWait(login.token, 60_000);
      await approve(login);
      expect(await waited).toMatchObject({ status: 'approved' });
    });

    test('ends with a decision of another process, within a second', async () => {
      const login = await start();
      const { waited } = await beginWait(login.token, 60_000);
      await approve(login, ADA, (await openNode()).machines);
      clock.advance(1000);
      expect(await waited).toMatchObject({ status: 'approved' });
    });

    test('goes on while the store cannot be read', async () => {
      const login = await start();
      const { waited } = await beginWait(login.token, 60_000);
      const { findPending } = store.machineLogins;
      store.machineLogins.findPending = () => {
        store.machineLogins.findPending = findPending;
        return Promise.reject(new Error('gone'));
      };
      await approve(login, ADA, (await openNode()).machines);
      clock.advance(1000);
      await expect.poll(() => clock.planned).toContain(new Date(clock.now() + 1000).toISOString());
      clock.advance(1000);
      expect(await waited).toMatchObject({ status: 'approved' });
    });

    test('ends with its time, and nothing is decided', async () => {
      const login = await start();
      expect(await machines.wait(login.token, { ms: 0, signal })).toMatchObject({ status: 'pending' });
      const { waited } = await beginWait(login.token, 5000);
      clock.advance(5000);
      expect(await waited).toMatchObject({ status: 'pending' });
      await expect.poll(() => clock.planned).toEqual([]);
    });

    test('ends when the login expires', async () => {
      const login = await start();
      const { waited } = await beginWait(login.token, 10_000_000);
      clock.advance(600_000);
      expect(await waited).toMatchObject({ status: 'expired' });
    });

    test('ends when the machine withdraws, and when a second one begins', async () => {
      const login = await start();
      const first = await beginWait(login.token, 60_000);
      const second = await beginWait(login.token, 30_000);
      expect(await first.waited).toMatchObject({ status: 'pending' });
      await machines.leave(login.token);
      expect(await second.waited).toBeNull();
    });

    test('ends with its signal', async () => {
      const login = await start();
      const leaving = new AbortController();
      const waited = machines.wait(login.token, { ms: 60_000, signal: leaving.signal });
      await expect.poll(() => clock.planned).not.toEqual([]);
      leaving.abort(new Error('enough'));
      await expect(waited).rejects.toThrow('enough');
    });
  });
});
