import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeMachineLogin } from '../testing/harness/machine-login.ts';
import { get, until, within } from '../testing/harness/server/clients.ts';
import { createMachineCalls } from '../testing/harness/server/machines.ts';
import { createTestApp, type TestApp, type TestReply, type TokenName } from '../testing/harness/server/test-app.ts';

const QUICK = { firstRefusalMs: 1, longestRefusalMs: 2 };

let server: TestApp;
beforeEach(async () => {
  server = await createTestApp({ times: QUICK });
});
afterEach(() => server.dispose());

const codeOf = ({ status, body }: TestReply): unknown => (status < 400 ? status : body.code);

const { start, find, approve, asMachine, status } = createMachineCalls(() => server);

describe('a machine', () => {
  test('comes in with a token that it made itself, for the person who let it in', async () => {
    const login = await start();
    expect(login.verifyUrl).toBe(`http://127.0.0.1:8228/connect#${login.userCode}`);
    expect(Date.parse(login.expiresAt)).toBeGreaterThan(Date.now());
    expect((await status(login.token)).body).toEqual({ status: 'pending', expiresAt: login.expiresAt });
    expect(codeOf(await asMachine(login.token, 'GET', '/v1/me'))).toBe('unauthorized');
    const decided = await approve('person', login);
    expect(decided.body).toEqual({ status: 'approved', name: 'ada@laptop' });
    expect((await status(login.token)).body).toMatchObject({ status: 'approved', name: 'ada@laptop', by: 'ana' });
    expect((await asMachine(login.token, 'GET', '/v1/me')).body).toEqual({ who: 'ada@laptop', role: 'agent' });
    expect(codeOf(await asMachine(login.token, 'GET', '/v1/interactions'))).toBe('forbidden');
  });

  test('is shown with everything that it said, and where it came from', async () => {
    const login = await start({ machine: 'Büro', user: 'Ada L.', agents: ['Claude Code', 'Codex'] });
    const { body, headers } = await find('person', login.userCode);
    expect(body).toEqual({
      id: login.id,
      userCode: login.userCode,
      machine: 'Büro',
      user: 'Ada L.',
      agents: ['Claude Code', 'Codex'],
      address: '192.0.2.7',
      yourAddress: '127.0.0.1',
      startedAt: expect.any(String),
      expiresAt: login.expiresAt,
      name: 'ada-l@buro',
      wantedName: 'ada-l@buro',
    });
    expect(headers['cache-control']).toBe('no-store');
  });

  test('that is refused hears who refused it', async () => {
    const login = await start();
    const reply = await server.send('admin', 'POST', `/v1/machine-logins/${login.userCode}/refuse`, { id: login.id });
    expect(reply.body).toEqual({ status: 'refused' });
    expect((await status(login.token)).body).toMatchObject({ status: 'refused', by: 'root' });
    expect(codeOf(await asMachine(login.token, 'GET', '/v1/me'))).toBe('unauthorized');
  });

  test('does not choose the id of its token: a revoked agent’s requests stay hidden from it', async () => {
    const id = server.tokens.agent.slice(4, 20);
    const { body } = makeMachineLogin();
    const reply = await server.inject({ method: 'POST', url: '/v1/machine-logins', payload: { ...body, id } });
    expect(codeOf(reply)).toBe('invalid_input');
    expect((await start()).id).not.toBe(id);
  });

  test('finds its login again after a lost reply, and waits for its decision over and over', async () => {
    const { secret, body } = makeMachineLogin();
    const post = () => server.inject({ method: 'POST', url: '/v1/machine-logins', payload: body });
    const [first, second] = [await post(), await post()];
    expect(second.body).toEqual(first.body);
    const token = `bkn_${first.body.id}_${secret}`;
    await approve('person', { ...first.body, secret, token });
    for (let time = 0; time < 3; time += 1) expect((await status(token)).body.status).toBe('approved');
  });

  test('is told its decision while it waits', async () => {
    const url = await server.listen();
    const login = await start();
    const waiting = get(`${url}/v1/machine-logins/status?wait=60`, login.token);
    await until('the wait', async () =>
      (await server.send('admin', 'GET', '/metrics')).text.includes('\nbeckon_waits_held 1'),
    );
    await approve('person', login);
    expect((await within('the decision', waiting)).body).toMatchObject({ status: 'approved' });
  });

  test('withdraws a login that waits, and revokes the token that came of one', async () => {
    const [waiting, approved] = [await start(), await start()];
    await approve('person', approved);
    for (const { token, userCode } of [waiting, approved]) {
      expect((await asMachine(token, 'DELETE', '/v1/machines/self')).body).toEqual({ revoked: true });
      expect(codeOf(await asMachine(token, 'DELETE', '/v1/machines/self'))).toBe('unauthorized');
      expect(codeOf(await status(token))).toBe('unauthorized');
      expect(codeOf(await asMachine(token, 'GET', '/v1/me'))).toBe('unauthorized');
      expect(codeOf(await find('person', userCode))).toBe('machine_login_not_found');
    }
  });
});

describe('the routes of machines', () => {
  test.each([undefined, '', 'Bearer', `Bearer bkn_${'0'.repeat(16)}_${'A'.repeat(43)}`, 'Bearer x', 'Basic eDp5'])(
    'are 401 with the header %j',
    async (authorization) => {
      const headers = authorization === undefined ? {} : { authorization };
      for (const [method, url] of [
        ['GET', '/v1/machine-logins/status'],
        ['GET', '/v1/machine-logins/status?wait=60'],
        ['DELETE', '/v1/machines/self'],
      ] as const) {
        expect(codeOf(await server.inject({ method, url, headers }))).toBe('unauthorized');
      }
    },
  );

  test('are 401 with the id of a login and another secret, and with a token that no login made', async () => {
    const login = await start();
    for (const token of [`bkn_${login.id}_${'A'.repeat(43)}`, server.tokens.agent, server.tokens.admin]) {
      expect(codeOf(await status(token))).toBe('unauthorized');
      expect(codeOf(await asMachine(token, 'DELETE', '/v1/machines/self'))).toBe('unauthorized');
    }
    expect((await status(login.token)).body.status).toBe('pending');
    expect((await server.send('agent', 'GET', '/v1/me')).status).toBe(200);
  });

  test('read no more than a few kilobytes of somebody whom nobody knows', async () => {
    const payload = { ...makeMachineLogin().body, user: 'x'.repeat(9000) };
    const reply = await server.inject({ method: 'POST', url: '/v1/machine-logins', payload });
    expect(codeOf(reply)).toBe('too_large');
  });

  test('are not for pages of other sites', async () => {
    const { body: payload } = makeMachineLogin();
    const headers = { origin: 'https://evil.example' };
    const reply = await server.inject({ method: 'POST', url: '/v1/machine-logins', payload, headers });
    expect(codeOf(reply)).toBe('origin_refused');
  });
});

describe('who lets a machine in', () => {
  test.each<[TokenName, object]>([
    ['person', { who: 'ada@laptop', role: 'agent' }],
    ['admin', { who: 'ada@laptop', role: 'agent' }],
    ['teamPerson', { who: 'ada@laptop', role: 'agent', chatId: 'team' }],
    ['teamAdmin', { who: 'ada@laptop', role: 'agent', chatId: 'team' }],
  ])('%s: the machine is %o', async (as, me) => {
    const login = await start();
    expect((await approve(as, login)).status).toBe(200);
    expect((await asMachine(login.token, 'GET', '/v1/me')).body).toEqual(me);
  });

  test('is also somebody who may only answer: the machine is theirs, and gives them no right that they lack', async () => {
    const login = await start();
    const answers = await server.issuedTokens.create({ name: 'guest', role: 'person', answerOnly: true });
    const asGuest = (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) =>
      server.inject({ method, url, headers: { authorization: `Bearer ${answers}` }, ...(payload && { payload }) });
    const shown = await asGuest('GET', `/v1/machine-logins/${login.userCode}`);
    expect(shown.body).toMatchObject({ id: login.id, name: 'ada@laptop' });
    const approved = await asGuest('POST', `/v1/machine-logins/${login.userCode}/approve`, {
      id: login.id,
      name: 'ada@laptop',
    });
    expect(approved.body).toEqual({ status: 'approved', name: 'ada@laptop' });
    expect((await asMachine(login.token, 'GET', '/v1/me')).body).toEqual({ who: 'ada@laptop', role: 'agent' });
    expect((await status(login.token)).body).toMatchObject({ by: 'guest' });

    // Neither the machine nor its owner can change what runs, make rules, or answer for each other.
    const asked = await asMachine(login.token, 'POST', '/v1/interactions', {
      kind: 'approval',
      request: { tool: 'Bash', input: { command: 'ls' } },
    });
    expect(asked.status).toBe(201);
    const { id } = asked.body as { id: string };
    const answer = { decision: 'allow', updatedInput: { command: 'ls -a' } };
    expect(codeOf(await asGuest('POST', `/v1/interactions/${id}/answer`, { answer }))).toBe('forbidden');
    const rule = { effect: 'allow', tool: 'Bash', scope: { askedBy: 'ada@laptop' } };
    expect(codeOf(await asGuest('POST', '/v1/rules', rule))).toBe('forbidden');
    const allow = { answer: { decision: 'allow' } };
    expect(codeOf(await asMachine(login.token, 'POST', `/v1/interactions/${id}/answer`, allow))).toBe('forbidden');
    expect((await asGuest('POST', `/v1/interactions/${id}/answer`, allow)).body).toMatchObject({ result: 'accepted' });
    expect((await asGuest('DELETE', `/v1/machines/${login.id}`)).body).toEqual({ revoked: true });
  });

  test('is no agent', async () => {
    const login = await start();
    for (const [method, end, payload] of [
      ['GET', ''],
      ['POST', '/approve', { id: login.id, name: 'ada@laptop' }],
      ['POST', '/refuse', { id: login.id }],
    ] as const) {
      const url = `/v1/machine-logins/${login.userCode}${end}`;
      const headers = { authorization: `Bearer ${server.tokens.agent}` };
      const reply = await server.inject({ method, url, headers, ...(payload && { payload }) });
      expect(codeOf(reply)).toBe('forbidden');
      expect(reply.body.detail).toContain('the role "agent"');
    }
    expect((await status(login.token)).body.status).toBe('pending');
  });

  test('is no page of another site, even in a browser that is logged in', async () => {
    const login = await start();
    const { code } = await server.devices.createCode({ name: 'ana', role: 'person' });
    const page = { host: 'localhost:8228', origin: 'http://localhost:8228' };
    const logged = await server.inject({ method: 'POST', url: '/v1/login', headers: page, payload: { code } });
    const cookie = String(logged.headers['set-cookie']).split(';')[0] ?? '';
    const send = (headers: Record<string, string>) =>
      server.inject({
        method: 'POST',
        url: `/v1/machine-logins/${login.userCode}/approve`,
        headers: { ...headers, cookie },
        payload: { id: login.id, name: 'ada@laptop' },
      });
    expect(codeOf(await send({ host: page.host }))).toBe('origin_refused');
    expect(codeOf(await send({ host: page.host, origin: 'http://localhost:3000' }))).toBe('origin_refused');
    expect((await status(login.token)).body.status).toBe('pending');
    expect((await send(page)).status).toBe(200);
  });

  test('is one of two who do it at once; the other hears who it was', async () => {
    for (let round = 0; round < 5; round += 1) {
      const login = await start({ machine: `m${round}` });
      const replies = await Promise.all([approve('person', login), approve('admin', login)]);
      expect(replies.map((reply) => reply.status).toSorted((a, b) => a - b)).toEqual([200, 410]);
      const { by } = (await status(login.token)).body;
      const late = replies.find((reply) => reply.status === 410);
      expect(late?.body).toMatchObject({ code: 'machine_login_ended' });
      expect(late?.body.detail).toContain(`${by} has approved it already`);
    }
  });
});

describe('a code', () => {
  test('decides nothing by itself: the login that was shown must be named, and its name', async () => {
    const [one, two] = [await start(), await start({ machine: 'other' })];
    const send = (code: string, how: string, body: object) =>
      server.send('person', 'POST', `/v1/machine-logins/${code}/${how}`, body);
    expect(codeOf(await send(one.userCode, 'approve', {}))).toBe('invalid_input');
    expect(codeOf(await send(one.userCode, 'approve', { id: two.id, name: 'ada@laptop' }))).toBe(
      'machine_login_not_found',
    );
    expect(codeOf(await send(one.userCode, 'refuse', { id: two.id }))).toBe('machine_login_not_found');
    for (const name of ['root', 'ana', 'ada@laptop-2', 'ADA@laptop']) {
      expect(codeOf(await send(one.userCode, 'approve', { id: one.id, name }))).toBe('machine_login_changed');
    }
    for (const { token } of [one, two]) expect((await status(token)).body.status).toBe('pending');
  });

  test('works once', async () => {
    const login = await start();
    await approve('person', login);
    expect(codeOf(await find('person', login.userCode))).toBe('machine_login_not_found');
    const shown = { id: login.id, name: 'ada@laptop' };
    const again = (as: TokenName) => server.send(as, 'POST', `/v1/machine-logins/${login.userCode}/approve`, shown);
    // A page whose reply was lost sends it again.
    expect((await again('person')).body).toEqual({ status: 'approved', name: 'ada@laptop' });
    expect(codeOf(await again('admin'))).toBe('machine_login_ended');
    expect((await server.store.tokens.list()).filter(({ machine }) => machine !== undefined)).toHaveLength(1);
  });

  test.each(['bcdf-ghjk', 'BCDFGHJK', 'AEIO-UAEI', 'status2', '%00'])('cannot be %s', async (code) => {
    expect(codeOf(await find('person', code))).toBe('invalid_input');
  });

  test('is not found by guessing: of 10,000 at once ten are looked at, and then not even the right one is', async () => {
    const login = await start();
    const letters = 'BCDFGHJKLMNPQRSTVWXZ';
    const guesses = Array.from({ length: 10_000 }, (_, index) =>
      Array.from({ length: 4 }, (_, place) => letters[Math.floor(index / 20 ** place) % 20]).join(''),
    );
    const before = (await server.store.machineLogins.find(login.id))?.status;
    const replies = await Promise.all(guesses.map((guess) => find('person', `${guess}-ZZZZ`)));
    const codes = Map.groupBy(replies, (reply) => codeOf(reply));
    expect(codes.get('machine_login_not_found')).toHaveLength(10);
    expect(codes.get('too_many_requests')).toHaveLength(9990);
    const hasty = await find('person', login.userCode);
    expect(codeOf(hasty)).toBe('too_many_requests');
    expect(Number(hasty.headers['retry-after'])).toBeGreaterThan(500);
    for (const how of ['approve', 'refuse']) {
      const shown = { id: login.id, ...(how === 'approve' && { name: 'ada@laptop' }) };
      const reply = await server.send('person', 'POST', `/v1/machine-logins/${login.userCode}/${how}`, shown);
      expect(codeOf(reply)).toBe('too_many_requests');
    }
    expect((await server.store.machineLogins.find(login.id))?.status).toBe(before);
    // Others are not in their way.
    expect((await approve('admin', login)).status).toBe(200);
  });

  test('that is right costs no attempt', async () => {
    const login = await start();
    for (let time = 0; time < 30; time += 1) expect((await find('person', login.userCode)).status).toBe(200);
  });

  test('guessed by many people from one address is not found either', async () => {
    const login = await start();
    const people = await Promise.all(
      Array.from({ length: 12 }, (_, index) => server.issuedTokens.create({ name: `person${index}`, role: 'person' })),
    );
    const guess = (token: string, code: string) =>
      server.inject({ url: `/v1/machine-logins/${code}`, headers: { authorization: `Bearer ${token}` } });
    const replies = await Promise.all(
      people.flatMap((token) => Array.from({ length: 10 }, () => guess(token, 'ZZZZ-ZZZZ'))),
    );
    expect(replies.filter((reply) => reply.status === 404)).toHaveLength(100);
    expect(replies.filter((reply) => reply.status === 429)).toHaveLength(20);
    expect(codeOf(await find('admin', login.userCode))).toBe('too_many_requests');
  });
});

describe('logins that nobody asked for', () => {
  const post = (remoteAddress: string) =>
    server.inject({ method: 'POST', url: '/v1/machine-logins', payload: makeMachineLogin().body, remoteAddress });

  test('ten wait from one address, however they come', async () => {
    const replies = await Promise.all(Array.from({ length: 25 }, () => post('192.0.2.1')));
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(10);
    expect(replies.filter((reply) => codeOf(reply) === 'too_many_requests')).toHaveLength(15);
    expect((await post('192.0.2.2')).status).toBe(201);
  });

  test('one network of IPv6 is one address', async () => {
    const replies = await Promise.all(Array.from({ length: 12 }, (_, index) => post(`2001:db8::${index + 1}`)));
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(10);
    expect((await post('2001:db8:0:1::1')).status).toBe(201);
  });

  test('who starts and withdraws again and again is stopped before the store is', async () => {
    const codes: unknown[] = [];
    for (let time = 0; time < 32; time += 1) {
      const { secret, body: payload } = makeMachineLogin();
      const reply = await server.inject({ method: 'POST', url: '/v1/machine-logins', payload });
      codes.push(codeOf(reply));
      await asMachine(`bkn_${reply.body.id}_${secret}`, 'DELETE', '/v1/machines/self');
    }
    expect(codes).toEqual([...Array.from({ length: 30 }, () => 201), 'too_many_requests', 'too_many_requests']);
  });
});

test('neither code nor secret nor hash is in a log, and no secret is in the database', async () => {
  const login = await start();
  await find('person', login.userCode);
  await find('person', 'ZZZZ-ZZZZ');
  await approve('person', login);
  await status(login.token);
  const logged = server.logs.join('');
  const record = await server.store.tokens.find(login.id);
  for (const secret of [login.userCode, 'ZZZZ-ZZZZ', login.secret, record?.hash ?? '?']) {
    expect(logged).not.toContain(secret);
  }
  expect(logged).toContain('a machine was let in');
  const bytes = Buffer.concat([await readFile(server.databasePath), await readFile(`${server.databasePath}-wal`)]);
  expect(bytes.includes(login.id)).toBe(true);
  expect(bytes.includes(login.secret)).toBe(false);
});
