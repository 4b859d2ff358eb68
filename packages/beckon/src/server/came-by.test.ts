import type { InjectOptions } from 'fastify';
import { afterEach, describe, expect, test } from 'vitest';
import { createCallbackUrls } from '../callback/callback-urls.ts';
import { openSocket, openStream } from '../testing/harness/server/clients.ts';
import { createTestApp, type TestApp, type TestReply } from '../testing/harness/server/test-app.ts';
import type { WayInOptions } from './came-by.ts';

const PUBLIC = 'https://beckon.example';
const BELOW = 'https://apps.example/team/beckon';
const PROXY = '10.0.0.5';
const STRANGER = '192.0.2.9';
const HERE = '127.0.0.1:8228';

let server: TestApp;
afterEach(() => server.dispose());

async function start(wayIn: WayInOptions, hosts: string[] = []): Promise<void> {
  const callbackUrls = createCallbackUrls({ secret: 'one', isExpiring: false });
  server = await createTestApp({ wayIn, hosts, callbackUrls, times: { firstRefusalMs: 1, longestRefusalMs: 1 } });
}

/** Makes an invitation through a proxy at `from`, and gives the address of its link. */
async function invite(
  headers: Record<string, string>,
  { from = PROXY, url = '/v1/login-links' } = {},
): Promise<string> {
  const reply = await server.inject({
    method: 'POST',
    url,
    remoteAddress: from,
    headers: { authorization: `Bearer ${server.tokens.admin}`, ...headers },
    payload: {},
  });
  return reply.status === 201 ? reply.body.url.replace(/\/login#[\w-]{32}$/, '') : `${reply.status} ${reply.body.code}`;
}

describe('the address of links', () => {
  const forwarded = {
    host: HERE,
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'beckon.example',
    'x-forwarded-prefix': '/team',
  };

  test('is the public one, wherever the request came from', async () => {
    await start({ publicUrl: PUBLIC });
    expect(await invite({ host: HERE }, { from: '127.0.0.1' })).toBe(PUBLIC);
    expect(await invite({ host: 'beckon.example' }, { from: STRANGER })).toBe(PUBLIC);
    expect(await invite({ host: HERE, 'x-forwarded-host': 'evil.example' }, { from: STRANGER })).toBe(PUBLIC);
  });

  test.each<[title: string, wayIn: WayInOptions, headers: Record<string, string>, from: string, expected: string]>([
    ['without a proxy', {}, { host: HERE }, '127.0.0.1', `http://${HERE}`],
    ['in capitals', {}, { host: 'LOCALHOST:8228' }, '127.0.0.1', 'http://localhost:8228'],
    ['of another name', {}, { host: 'box.lan:8228' }, STRANGER, 'http://box.lan:8228'],
    ['of IPv6', {}, { host: '[::1]:8228' }, '::1', 'http://[::1]:8228'],
    ['through nobody that is trusted', {}, forwarded, PROXY, `http://${HERE}`],
    ['through a stranger', { trustedProxies: ['10.0.0.4'] }, forwarded, PROXY, `http://${HERE}`],
    ['through a proxy', { trustedProxies: [PROXY] }, forwarded, PROXY, 'https://beckon.example/team'],
    ['through one of a range', { trustedProxies: ['10.0.0.0/8'] }, forwarded, PROXY, 'https://beckon.example/team'],
    ['as IPv6 has it', { trustedProxies: [PROXY] }, forwarded, `::ffff:${PROXY}`, 'https://beckon.example/team'],
    ['through this machine', { trustedProxies: ['loopback'] }, forwarded, '127.0.0.1', 'https://beckon.example/team'],
    [
      'through a proxy that says less',
      { trustedProxies: [PROXY] },
      { host: 'beckon.example', 'x-forwarded-proto': 'https' },
      PROXY,
      'https://beckon.example',
    ],
    [
      'through two proxies: the one that is trusted speaks last',
      { trustedProxies: [PROXY] },
      { host: HERE, 'x-forwarded-proto': 'http, https', 'x-forwarded-host': 'evil.example, beckon.example' },
      PROXY,
      'https://beckon.example',
    ],
    [
      'through a proxy that says nonsense',
      { trustedProxies: [PROXY] },
      { host: 'beckon.example', 'x-forwarded-proto': 'javascript', 'x-forwarded-prefix': '/"><script>' },
      PROXY,
      'http://beckon.example',
    ],
    ['with an empty path', { trustedProxies: [PROXY] }, { ...forwarded, 'x-forwarded-prefix': '/' }, PROXY, PUBLIC],
  ])('is the one that the request came by: %s', async (_, wayIn, headers, from, expected) => {
    await start(wayIn, ['beckon.example', 'box.lan']);
    expect(await invite(headers, { from })).toBe(expected);
  });

  test('is refused if a trusted proxy forwards a host that is not allowed', async () => {
    await start({ trustedProxies: [PROXY] });
    expect(await invite(forwarded)).toBe('421 host_refused');
    expect(await invite({ ...forwarded, 'x-forwarded-host': 'localhost' })).toBe('https://localhost/team');
    // The host header itself must be allowed too: a page could add the other one.
    expect(await invite({ ...forwarded, host: 'evil.example', 'x-forwarded-host': 'localhost' })).toBe(
      '421 host_refused',
    );
  });

  test('is the same for callback URLs, which then expire', async () => {
    await start({ publicUrl: BELOW });
    const component = { kind: 'component', request: { components: [{ type: 'card', title: 'Sales' }] } };
    const one = await server.send('agent', 'POST', '/v1/interactions', component);
    expect(one.body.callback_url).toMatch(/^https:\/\/apps\.example\/team\/beckon\/callback\/int_\S+expires=\d+/);
    const group = await server.send('agent', 'POST', '/v1/groups', { asks: [component, component] });
    for (const { callback_url: url } of group.body.items) expect(url).toMatch(new RegExp(`^${BELOW}/callback/`));
    const { pathname, search } = new URL(one.body.callback_url);
    const payload = { action: 'click', data: {} };
    // Whether the proxy takes the path away or not, and from a page of any site.
    for (const [path, result] of [
      [pathname, 'accepted'],
      [pathname.slice('/team/beckon'.length), 'repeated'],
    ]) {
      const headers = { host: 'apps.example', origin: 'https://app.example' };
      const reply = await server.inject({ method: 'POST', url: `${path}${search}`, headers, payload });
      expect(reply).toMatchObject({ status: 200, body: { result } });
    }
  });
});

describe('who is asked to slow down', () => {
  /** The address that wrong tokens and codes are counted for. */
  async function countedFor(wayIn: WayInOptions, from: string, forwardedFor: string): Promise<string> {
    server = await createTestApp({ wayIn }, (app) => {
      app.get('/v1/ip', { config: { action: 'open' } }, async ({ ip }) => ({ ip }));
    });
    const headers = { 'x-forwarded-for': forwardedFor };
    return (await server.inject({ url: '/v1/ip', remoteAddress: from, headers })).body.ip;
  }

  test.each<[wayIn: WayInOptions, from: string, forwardedFor: string, expected: string]>([
    [{}, PROXY, STRANGER, PROXY],
    [{ trustedProxies: ['loopback'] }, PROXY, STRANGER, PROXY],
    [{ trustedProxies: [PROXY] }, PROXY, STRANGER, STRANGER],
    [{ trustedProxies: [PROXY] }, PROXY, `127.0.0.1, ${STRANGER}`, STRANGER],
    [{ trustedProxies: [PROXY, '10.0.0.6'] }, PROXY, `1.2.3.4, ${STRANGER}, 10.0.0.6`, STRANGER],
    [{ trustedProxies: [PROXY] }, STRANGER, '1.2.3.4', STRANGER],
  ])('%j: from %s, for %s, is %s', async (wayIn, from, forwardedFor, expected) => {
    expect(await countedFor(wayIn, from, forwardedFor)).toBe(expected);
  });
});

describe('the page and the API below a path', () => {
  const at = { host: 'apps.example' };
  const admin = (): Record<string, string> => ({ ...at, authorization: `Bearer ${server.tokens.admin}` });

  test.each<[title: string, wayIn: WayInOptions, request: { url: string; headers: Record<string, string> }]>([
    ['the public path is in the request', { publicUrl: BELOW }, { url: '/team/beckon', headers: {} }],
    ['the proxy took the public path away', { publicUrl: BELOW }, { url: '', headers: {} }],
    [
      'the proxy says which path it took away',
      { trustedProxies: [PROXY] },
      { url: '', headers: { 'x-forwarded-prefix': '/team/beckon' } },
    ],
    [
      'the proxy says which path it left',
      { trustedProxies: [PROXY] },
      { url: '/team/beckon', headers: { 'x-forwarded-prefix': '/team/beckon/' } },
    ],
  ])('work where %s', async (_, wayIn, { url: base, headers }) => {
    await start(wayIn, ['apps.example']);
    const send = (path: string, more: InjectOptions = {}): Promise<TestReply> =>
      server.inject({
        ...more,
        url: `${base}${path}`,
        remoteAddress: PROXY,
        headers: { ...admin(), ...headers, ...more.headers },
      });
    expect((await send('/v1/me')).body.who).toBe('root');
    expect((await send('/v1/interactions?limit=1')).status).toBe(200);
    expect((await send('/healthz')).status).toBe(200);
    expect((await send('/openapi.json')).body.servers).toEqual([{ url: '/team/beckon' }]);
    expect((await send('/v1/nothing')).body.code).toBe('route_not_found');
    expect((await send('/nowhere')).body.code).toBe('route_not_found');
    const link = await send('/v1/login-links', { method: 'POST', payload: {} });
    const expected = wayIn.publicUrl ?? 'http://apps.example/team/beckon';
    expect(link.body.url).toMatch(new RegExp(`^${expected}/login#`));
  });

  test('are not where the path only begins alike, or belongs to another', async () => {
    await start({ publicUrl: BELOW });
    for (const url of ['/team/beckon2/v1/me', '/team/v1/me', '/team/beckon/team/beckon/v1/me', '/beckon/v1/me'])
      expect({ url, ...(await server.inject({ url, headers: admin() })) }).toMatchObject({ url, status: 404 });
    expect((await server.inject({ url: '/v1/me', headers: { ...admin(), host: HERE } })).status).toBe(200);
  });

  test('a path that is one of Beckon’s own is refused', async () => {
    await start({});
    for (const path of ['/v1', '/hooks/x', '/login', '/assets', '/i'])
      await expect(createTestApp({ wayIn: { publicUrl: `https://apps.example${path}` } })).rejects.toThrow(
        `The path ${path} of the public URL is one of Beckon's own`,
      );
  });

  test('the log is followed by events and WebSocket there', async () => {
    await start({ publicUrl: BELOW });
    const url = `${await server.listen()}/team/beckon`;
    const headers = { authorization: `Bearer ${server.tokens.admin}` };
    const stream = await openStream(url, headers);
    const socket = await openSocket(url, headers);
    const { id } = await server.beckon.ask({ kind: 'question', request: { question: 'q' } });
    expect((await stream.next()).event).toMatchObject({ interactionId: id });
    expect(await socket.next('event')).toMatchObject({ event: { interactionId: id } });
    socket.socket.close();
    stream.close();
  });
});

describe('the cookie and the origin of the page', () => {
  async function logIn(headers: Record<string, string>, from = PROXY, base = ''): Promise<TestReply> {
    const { code } = await server.devices.createCode({ name: 'ada', role: 'person' });
    const payload = { code };
    return server.inject({ method: 'POST', url: `${base}/v1/login`, remoteAddress: from, headers, payload });
  }
  const nameOf = (reply: TestReply): string =>
    `${String(reply.headers['set-cookie']).split('=')[0]} ${/Path=(\S+);/.exec(String(reply.headers['set-cookie']))?.[1]} ${String(reply.headers['set-cookie']).includes('Secure')}`;

  test.each<[title: string, wayIn: WayInOptions, headers: Record<string, string>, expected: string]>([
    ['plain', {}, { host: HERE, origin: `http://${HERE}` }, 'beckon_device_8228 / false'],
    [
      'the public address',
      { publicUrl: PUBLIC },
      { host: 'beckon.example', origin: PUBLIC },
      '__Host-beckon_device / true',
    ],
    [
      'a proxy that says so',
      { trustedProxies: [PROXY] },
      { host: 'beckon.example', 'x-forwarded-proto': 'https', origin: PUBLIC },
      '__Host-beckon_device / true',
    ],
    ['only the page says so', {}, { host: 'beckon.example', origin: PUBLIC }, '__Host-beckon_device / true'],
    [
      'a proxy that hides the host',
      { publicUrl: PUBLIC },
      { host: HERE, origin: PUBLIC },
      '__Host-beckon_device_8228 / true',
    ],
    [
      'a path',
      { publicUrl: BELOW },
      { host: 'apps.example', origin: 'https://apps.example' },
      '__Secure-beckon_device_team_beckon /team/beckon true',
    ],
  ])('is named after the address and safe over TLS: %s', async (_, wayIn, headers, expected) => {
    await start(wayIn, ['beckon.example']);
    const reply = await logIn(headers);
    expect(reply.status).toBe(200);
    expect(nameOf(reply)).toBe(expected);
    const cookie = String(reply.headers['set-cookie']).split(';')[0] ?? '';
    const { origin: _origin, ...others } = headers;
    const me = await server.inject({ url: '/v1/me', remoteAddress: PROXY, headers: { ...others, cookie } });
    expect(me.body.who).toBe('ada');
  });

  test('over TLS, a cookie that another host of the domain could have set is not taken', async () => {
    await start({ publicUrl: PUBLIC });
    const reply = await logIn({ host: 'beckon.example', origin: PUBLIC });
    const value = String(reply.headers['set-cookie']).split(/[=;]/)[1];
    const me = async (cookie: string): Promise<number> =>
      (await server.inject({ url: '/v1/me', headers: { host: 'beckon.example', cookie } })).status;
    expect(await me(`beckon_device=${value}`)).toBe(401);
    expect(await me(`__Host-beckon_device=${value}`)).toBe(200);
  });

  test.each<[wayIn: WayInOptions, headers: Record<string, string>, status: number]>([
    [{ publicUrl: PUBLIC }, { host: HERE, origin: PUBLIC }, 200],
    [{ publicUrl: PUBLIC }, { host: 'beckon.example', origin: 'http://beckon.example' }, 403],
    [{ publicUrl: PUBLIC }, { host: HERE, origin: 'https://evil.example' }, 403],
    [{ publicUrl: PUBLIC }, { host: HERE, origin: 'https://beckon.example.evil.example' }, 403],
    [{ publicUrl: PUBLIC }, { host: HERE, origin: 'https://beckon.example:8443' }, 403],
    [{ publicUrl: BELOW }, { host: 'apps.example', origin: 'https://apps.example' }, 200],
    [{ trustedProxies: [PROXY] }, { host: HERE, 'x-forwarded-host': 'beckon.example', origin: PUBLIC }, 200],
    [
      { trustedProxies: [PROXY] },
      {
        host: HERE,
        'x-forwarded-host': 'beckon.example',
        'x-forwarded-proto': 'https',
        origin: 'http://beckon.example',
      },
      403,
    ],
    [{}, { host: HERE, 'x-forwarded-host': 'beckon.example', origin: PUBLIC }, 403],
    [{ trustedProxies: [PROXY] }, { host: HERE, 'x-forwarded-host': 'beckon.example', origin: `http://${HERE}` }, 403],
  ])('%j: %j gets %i', async (wayIn, headers, status) => {
    await start(wayIn, ['beckon.example']);
    expect((await logIn(headers)).status).toBe(status);
  });
});

describe('browsers are told to use TLS alone', () => {
  test.each<[wayIn: WayInOptions, headers: Record<string, string>, expected: string | undefined]>([
    [{ publicUrl: PUBLIC }, { host: 'beckon.example' }, 'max-age=31536000'],
    [{ publicUrl: PUBLIC }, { host: HERE }, undefined],
    [{}, { host: 'beckon.example' }, undefined],
    [{ publicUrl: 'http://beckon.example' }, { host: 'beckon.example' }, undefined],
    // The same host may have other servers on other ports and paths.
    [{ publicUrl: 'https://beckon.example:8443' }, { host: 'beckon.example:8443' }, undefined],
    [{ publicUrl: BELOW }, { host: 'apps.example' }, undefined],
    [{ publicUrl: 'https://localhost' }, { host: 'localhost' }, undefined],
    [{ publicUrl: 'https://192.0.2.1' }, { host: '192.0.2.1' }, undefined],
    [{ publicUrl: 'https://[2001:db8::1]' }, { host: '[2001:db8::1]' }, undefined],
    [{ trustedProxies: [PROXY] }, { host: 'beckon.example', 'x-forwarded-proto': 'https' }, undefined],
  ])('%j, %j: %s', async (wayIn, headers, expected) => {
    await start(wayIn, ['beckon.example']);
    const reply = await server.inject({ url: '/healthz', remoteAddress: PROXY, headers });
    expect(reply.status).toBe(200);
    expect(reply.headers['strict-transport-security']).toBe(expected);
  });
});
