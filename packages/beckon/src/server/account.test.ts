import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSocket, openStream, until, within } from '../testing/harness/server/clients.ts';
import {
  createTestApp,
  QUESTION,
  TEST_HOST,
  type TestApp,
  type TestReply,
  type TokenName,
} from '../testing/harness/server/test-app.ts';

const PAGE = { host: TEST_HOST, origin: `http://${TEST_HOST}` };

let server: TestApp;
beforeAll(async () => {
  server = await createTestApp({ times: { firstRefusalMs: 1, longestRefusalMs: 2 } });
});
afterAll(() => server.dispose());

async function createCode(body: object = {}): Promise<string> {
  const { status, body: link } = await server.send('admin', 'POST', '/v1/login-links', body);
  expect(status).toBe(201);
  return new URL(link.url).hash.slice(1);
}

function post(url: string, headers: Record<string, string>, payload: object = {}): Promise<TestReply> {
  return server.inject({ method: 'POST', url, headers, payload });
}

/** Logs a browser in, and gives the header with which it comes back. */
async function logIn(body: object = {}): Promise<{ cookie: string; id: string }> {
  const reply = await post('/v1/login', PAGE, { code: await createCode(body) });
  expect(reply.status).toBe(200);
  return { cookie: String(reply.headers['set-cookie']).split(';')[0] ?? '', id: reply.body.device };
}

const codeOf = ({ status, body }: TestReply): unknown => (status < 400 ? status : body.code);

describe('a login link', () => {
  test('has its code in the fragment, works for ten minutes, and is not to be stored', async () => {
    const { body, headers } = await server.send('admin', 'POST', '/v1/login-links', {});
    expect(body.url).toMatch(/^http:\/\/127\.0\.0\.1:8228\/login#[\w-]{32}$/);
    expect(Date.parse(body.expiresAt)).toBeGreaterThan(Date.now());
    expect(headers['cache-control']).toBe('no-store');
  });

  test('is for its maker, or for somebody else, who is a person that only answers unless it says more', async () => {
    const me = async (body: object): Promise<unknown> =>
      (await post('/v1/login', PAGE, { code: await createCode(body) })).body;
    const device = expect.stringMatching(/^[0-9a-f]{16}$/);
    expect(await me({})).toEqual({ who: 'root', role: 'admin', device });
    expect(await me({ who: 'root' })).toEqual({ who: 'root', role: 'person', device });
    const ada = { who: 'ada', role: 'person', device };
    expect(await me({ who: 'ada' })).toEqual({ ...ada, answerOnly: true });
    expect(await me({ who: 'ada', answerOnly: false })).toEqual(ada);
    expect(await me({ who: 'ada', role: 'admin' })).toEqual({ ...ada, role: 'admin' });
    expect(await me({ who: 'ada', chatId: 'team' })).toEqual({ ...ada, chatId: 'team', answerOnly: true });
  });

  test('for answering alone is for a person: an administrator could take every right', async () => {
    for (const body of [{ answerOnly: true }, { who: 'ada', role: 'admin', answerOnly: true }]) {
      const reply = await server.send('admin', 'POST', '/v1/login-links', body);
      expect([reply.status, reply.body.code]).toEqual([400, 'invalid_input']);
    }
  });

  test('is for nobody with the role of an agent, and made by nobody with a scope', async () => {
    expect((await server.send('admin', 'POST', '/v1/login-links', { role: 'agent' })).status).toBe(400);
    for (const as of ['teamAdmin', 'person', 'agent'] as const)
      expect((await server.send(as, 'POST', '/v1/login-links', {})).status).toBe(403);
  });

  test('works once', async () => {
    const code = await createCode();
    expect((await post('/v1/login', PAGE, { code })).status).toBe(200);
    const again = await post('/v1/login', PAGE, { code });
    expect([again.status, again.body.code, again.headers['set-cookie']]).toEqual([401, 'unauthorized', undefined]);
    expect(again.body.detail).toContain('beckon open');
  });

  test.each([{ code: '' }, { code: 'x'.repeat(201) }, { code: 1 }, {}, { code: 'x', who: 'root' }])(
    'body %j is refused, and not repeated',
    async (body) => {
      const reply = await post('/v1/login', PAGE, body);
      expect(reply.status).toBe(400);
      expect(reply.text).not.toContain('xxx');
    },
  );

  test('wrong codes are counted as wrong tokens are', async () => {
    const count = async (): Promise<number> =>
      Number(/^beckon_refused_tokens_total (\d+)$/m.exec((await server.send('admin', 'GET', '/metrics')).text)?.[1]);
    const before = await count();
    for (let index = 0; index < 3; index += 1) await post('/v1/login', PAGE, { code: `wrong${index}` });
    expect(await count()).toBe(before + 3);
  });
});

describe('the cookie', () => {
  test('is for this server and its page alone, and over TLS never without it', async () => {
    const plain = await post('/v1/login', PAGE, { code: await createCode() });
    expect(plain.headers['set-cookie']).toMatch(
      /^beckon_device_8228=bkd_[0-9a-f]{16}_[\w-]{43}; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const secure = await post('/v1/login', { ...PAGE, origin: `https://${TEST_HOST}` }, { code: await createCode() });
    expect(secure.headers['set-cookie']).toMatch(
      /^__Host-beckon_device_8228=bkd_\S+; Max-Age=15552000; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
  });

  test('lets its browser do what the role allows, under the name of the link', async () => {
    const { cookie, id } = await logIn({ who: 'ada' });
    const { id: asked } = await server.beckon.ask(QUESTION);
    const headers = { ...PAGE, cookie };
    expect((await server.inject({ url: '/v1/me', headers: { ...PAGE, cookie } })).body).toEqual({
      who: 'ada',
      role: 'person',
      answerOnly: true,
      device: id,
    });
    expect((await server.inject({ url: '/v1/interactions', headers })).status).toBe(200);
    const answered = await post(`/v1/interactions/${asked}/answer`, headers, { answer: { text: 'yes' }, via: 'inbox' });
    expect(answered.body.interaction.answeredBy).toEqual({ who: 'ada', via: 'inbox', kind: 'person' });
    expect(codeOf(await post('/v1/interactions', headers, QUESTION))).toBe('forbidden');
    expect(codeOf(await server.inject({ url: '/metrics', headers }))).toBe('forbidden');
  });

  test('is found among others, and only under its own name', async () => {
    const { cookie } = await logIn();
    const me = async (header: string): Promise<number> =>
      (await server.inject({ url: '/v1/me', headers: { cookie: header } })).status;
    expect(await me(`a=b; ${cookie}; c=d`)).toBe(200);
    expect(await me(`a=b;${cookie}`)).toBe(200);
    for (const wrong of [
      `x${cookie}`,
      `a=${cookie}`,
      cookie.toUpperCase(),
      `${cookie}x`,
      cookie.slice(0, -1),
      'beckon_device_8228=',
      `beckon_device=${cookie.split('=')[1]}`,
      `beckon_device_8229=${cookie.split('=')[1]}`,
    ])
      expect(await me(wrong)).toBe(401);
  });

  // Browsers keep cookies by host and send them to all of its ports.
  test('has the port of the address in its name, so that two servers on one host do not log each other out', async () => {
    const servers = [await createTestApp(), await createTestApp()];
    try {
      const jar = new Map<string, string>();
      const logged = servers.map(async (one) => {
        const url = await one.listen();
        const { code } = await one.devices.createCode({ name: 'ada', role: 'person' });
        const headers = { origin: url, 'content-type': 'application/json' };
        const reply = await fetch(`${url}/v1/login`, { method: 'POST', headers, body: JSON.stringify({ code }) });
        const [name = '', value = ''] = (reply.headers.getSetCookie()[0] ?? '').split(/[=;]/);
        expect(name).toBe(`beckon_device_${new URL(url).port}`);
        jar.set(name, value);
        return url;
      });
      const urls = await Promise.all(logged);
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      for (const url of urls) expect((await fetch(`${url}/v1/me`, { headers: { cookie } })).status).toBe(200);
      const headers = { cookie, origin: urls[0] ?? '', 'content-type': 'application/json' };
      const out = await fetch(`${urls[0]}/v1/logout`, { method: 'POST', headers, body: '{}' });
      expect(out.headers.getSetCookie()[0]).toMatch(new RegExp(`^beckon_device_${new URL(urls[0] ?? '').port}=;`));
      const statuses = urls.map(async (url) => (await fetch(`${url}/v1/me`, { headers: { cookie } })).status);
      expect(await Promise.all(statuses)).toEqual([401, 200]);
    } finally {
      await Promise.all(servers.map((one) => one.dispose()));
    }
  });

  test('does not come in beside a token, not even a wrong one', async () => {
    const { cookie } = await logIn();
    const both = { cookie, authorization: `Bearer ${server.tokens.agent}` };
    expect((await server.inject({ url: '/v1/me', headers: both })).body.who).toBe('builder');
    const wrong = { cookie, authorization: 'Bearer bkn_wrong' };
    expect((await server.inject({ url: '/v1/me', headers: wrong })).status).toBe(401);
  });

  test('with a scope sees its chat alone', async () => {
    const { cookie } = await logIn({ who: 'ada', chatId: 'team' });
    const { id } = await server.beckon.ask({ ...QUESTION, chatId: 'elsewhere' });
    const headers = { cookie };
    expect(codeOf(await server.inject({ url: `/v1/interactions/${id}`, headers }))).toBe('interaction_not_found');
    expect(codeOf(await server.inject({ url: `/v1/interactions/${id}/log`, headers }))).toBe('interaction_not_found');
    expect(codeOf(await server.inject({ url: '/v1/interactions?chatId=elsewhere', headers }))).toBe('forbidden');
  });
});

describe('a page of another site', () => {
  const unsafe = [
    '/v1/interactions/x/answer',
    '/v1/chats/team/say',
    '/v1/interactions/x/cancel',
    '/v1/logout',
    '/v1/login-links',
  ];

  test.each([
    ['without an Origin', { host: PAGE.host }],
    ['of another host', { host: PAGE.host, origin: 'https://evil.example' }],
    ['of another port', { host: PAGE.host, origin: 'http://localhost:3000' }],
    ['without a name', { host: PAGE.host, origin: 'null' }],
    ['of the same site', { ...PAGE, 'sec-fetch-site': 'same-site' }],
    ['of another site, by its own words', { ...PAGE, 'sec-fetch-site': 'cross-site' }],
  ])('does nothing with the cookie: %s', async (_, headers) => {
    const { cookie, id } = await logIn();
    for (const url of unsafe) expect(codeOf(await post(url, { ...headers, cookie }))).toBe('origin_refused');
    const revoke = await server.inject({ method: 'DELETE', url: `/v1/devices/${id}`, headers: { ...headers, cookie } });
    expect(codeOf(revoke)).toBe('origin_refused');
    expect((await server.inject({ url: '/v1/me', headers: { cookie } })).status).toBe(200);
  });

  test.each(['same-site', 'cross-site', 'something-new'])('reads nothing with the cookie: %s', async (site) => {
    const { cookie } = await logIn();
    for (const url of ['/v1/me', '/v1/interactions', '/v1/events', '/v1/devices', '/v1/sessions'])
      expect(codeOf(await server.inject({ url, headers: { cookie, 'sec-fetch-site': site } }))).toBe('origin_refused');
  });

  test.each(['same-origin', 'none'])('is told from Beckon’s own page: %s', async (site) => {
    const { cookie } = await logIn();
    expect((await server.inject({ url: '/v1/me', headers: { cookie, 'sec-fetch-site': site } })).status).toBe(200);
  });

  test('does not log the browser in as somebody else', async () => {
    const code = await createCode();
    for (const headers of [
      { ...PAGE, 'sec-fetch-site': 'cross-site' },
      { ...PAGE, origin: 'https://evil.example' },
    ])
      expect(codeOf(await post('/v1/login', headers, { code }))).toBe('origin_refused');
    expect((await post('/v1/login', { ...PAGE, 'sec-fetch-site': 'same-origin' }, { code })).status).toBe(200);
  });

  test('opens no WebSocket: without an Origin the cookie is not taken', async () => {
    const url = await server.listen();
    const cookie = (await logIn()).cookie.replace('_8228=', `_${new URL(url).port}=`);
    await expect(openSocket(url, { cookie })).rejects.toThrow('The socket was refused');
    await expect(openSocket(url, { cookie, origin: 'https://evil.example' })).rejects.toThrow('The socket was refused');
    const { socket, closed } = await openSocket(url, { cookie, origin: url });
    socket.close();
    await within('the end', closed);
  });
});

describe('whoever shows nothing', () => {
  test('is told so at once, and is not counted as one who guesses', async () => {
    const slow = await createTestApp({ times: { firstRefusalMs: 60_000, longestRefusalMs: 60_000 } });
    expect((await slow.inject({ url: '/v1/me' })).status).toBe(401);
    expect((await slow.send('admin', 'GET', '/metrics')).text).toContain('beckon_refused_tokens_total 0');
    await slow.dispose();
  });
});

describe('devices', () => {
  test('are listed to their owner, and all of them to an administrator of everything', async () => {
    const mine = await logIn({ who: 'lin' });
    const scoped = await logIn({ who: 'lin', chatId: 'team' });
    const list = async (headers: Record<string, string>): Promise<{ id: string; isCurrent: boolean }[]> =>
      (await server.inject({ url: '/v1/devices', headers })).body.items;
    expect(await list({ cookie: mine.cookie })).toEqual([
      {
        id: mine.id,
        who: 'lin',
        role: 'person',
        answerOnly: true,
        label: 'Unknown browser',
        createdAt: expect.any(String),
        lastSeenAt: expect.any(String),
        isCurrent: true,
      },
    ]);
    expect((await list({ cookie: scoped.cookie })).map(({ id }) => id)).toEqual([scoped.id]);
    const ids = (await list({ authorization: `Bearer ${server.tokens.admin}` })).map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining([mine.id, scoped.id]));
    expect((await list({ authorization: `Bearer ${server.tokens.person}` })).map(({ id }) => id)).toEqual([]);
    expect(JSON.stringify(await server.send('admin', 'GET', '/v1/devices'))).not.toContain('hash');
  });

  test('are revoked by their owner and by an administrator; to others they are not there', async () => {
    const device = await logIn({ who: 'lin' });
    const other = await logIn({ who: 'mia' });
    const revoke = async (headers: Record<string, string>, id: string): Promise<unknown> =>
      (await server.inject({ method: 'DELETE', url: `/v1/devices/${id}`, headers: { ...PAGE, ...headers } })).body;
    expect(await revoke({ cookie: other.cookie }, device.id)).toEqual({ revoked: false });
    expect(await revoke({ authorization: `Bearer ${server.tokens.teamAdmin}` }, device.id)).toEqual({ revoked: false });
    expect(await revoke({ cookie: device.cookie }, device.id)).toEqual({ revoked: true });
    expect(await revoke({ authorization: `Bearer ${server.tokens.admin}` }, other.id)).toEqual({ revoked: true });
    for (const { cookie } of [device, other])
      expect((await server.inject({ url: '/v1/me', headers: { cookie } })).status).toBe(401);
  });

  test('are logged out by logging out, which takes the cookie away; a token has nothing to log out', async () => {
    const { cookie } = await logIn();
    const reply = await post('/v1/logout', { ...PAGE, cookie });
    expect(reply.body).toEqual({ loggedOut: true });
    expect(reply.headers['set-cookie']).toMatch(/^beckon_device_8228=; Max-Age=0; Path=\//);
    expect((await server.inject({ url: '/v1/me', headers: { cookie } })).status).toBe(401);
    expect((await server.send('person', 'POST', '/v1/logout', {})).body).toEqual({ loggedOut: false });
  });
});

describe('what a device holds open', () => {
  test('shows it the log, and ends at once when it is logged out here', async () => {
    const other = await createTestApp({ times: { heartbeatMs: 3_600_000 } });
    try {
      const url = await other.listen();
      const { code } = await other.devices.createCode({ name: 'ada', role: 'person' });
      const found = await other.devices.logIn(code, 'x');
      const cookie = `beckon_device_${new URL(url).port}=${found?.cookie}`;
      const stream = await openStream(url, { cookie });
      const socket = await openSocket(url, { cookie, origin: url });
      const { id } = await other.beckon.ask(QUESTION);
      expect((await stream.next()).event).toMatchObject({ interactionId: id });
      expect(await socket.next('event')).toMatchObject({ event: { interactionId: id } });
      socket.send({ type: 'answer', ref: '1', id, answer: { text: 'yes' }, via: 'inbox' });
      expect(await socket.next('reply')).toMatchObject({ interaction: { answeredBy: { who: 'ada', via: 'inbox' } } });
      await other.devices.revoke(found?.caller.device ?? '');
      await within('the end of the stream', stream.ended);
      expect(await within('the end of the socket', socket.closed)).toMatchObject({ code: 4401 });
    } finally {
      await other.dispose();
    }
  });

  test('ends with the next sign of life when it is logged out elsewhere', async () => {
    const other = await createTestApp({ times: { heartbeatMs: 20 } });
    try {
      const url = await other.listen();
      const { code } = await other.devices.createCode({ name: 'ada', role: 'person' });
      const found = await other.devices.logIn(code, 'x');
      const cookie = `beckon_device_${new URL(url).port}=${found?.cookie}`;
      const stream = await openStream(url, { cookie });
      expect(await stream.nextComment()).toContain(': still here');
      await other.store.devices.remove(found?.caller.device ?? '', '2026-01-01T00:00:00.000Z');
      await within('the end of the stream', stream.ended);
    } finally {
      await other.dispose();
    }
  });
});

test('no code and no cookie is in a log line', async () => {
  const code = await createCode({ who: 'ada' });
  const reply = await post('/v1/login', PAGE, { code });
  const cookie = String(reply.headers['set-cookie']).split(';')[0] ?? '';
  await post('/v1/login', PAGE, { code });
  for (const url of ['/v1/me', '/v1/interactions/%ff', '/nowhere', '/v1/interactions?limit=x'])
    await server.inject({ url, headers: { cookie } });
  await until('the lines', () => server.logs.some((line) => line.includes('/nowhere')));
  const lines = server.logs.join('\n');
  for (const secret of [code, cookie, cookie.slice(-43)]) expect(lines).not.toContain(secret);
});

test.each<[TokenName, object]>([
  ['agent', { who: 'builder', role: 'agent' }],
  ['teamPerson', { who: 'team-ana', role: 'person', chatId: 'team' }],
])('with a token, /v1/me says whose it is: %s', async (as, me) => {
  expect((await server.send(as, 'GET', '/v1/me')).body).toEqual(me);
});
