import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, TEST_HOST, type TestApp, type TestReply } from '../testing/harness/server/test-app.ts';
import type { WayInOptions } from './came-by.ts';

const PAGE = { host: TEST_HOST, origin: `http://${TEST_HOST}` };

let server: TestApp;
beforeAll(async () => {
  server = await createTestApp({ times: { firstRefusalMs: 1, longestRefusalMs: 2 } });
});
afterAll(() => server.dispose());

function post(url: string, headers: Record<string, string>, payload: object = {}, on = server): Promise<TestReply> {
  return on.inject({ method: 'POST', url, headers, payload });
}

/** Logs a browser in by a link that an admin made. */
async function invite(body: object, on = server): Promise<{ cookie: string; id: string }> {
  const { url } = (await on.send('admin', 'POST', '/v1/login-links', body)).body;
  return enter(new URL(url).hash.slice(1), on);
}

async function enter(code: string, on = server): Promise<{ cookie: string; id: string }> {
  const reply = await post('/v1/login', PAGE, { code }, on);
  expect(reply.status).toBe(200);
  return { cookie: String(reply.headers['set-cookie']).split(';')[0] ?? '', id: reply.body.device };
}

async function makeCode(cookie: string): Promise<string> {
  const { status, body } = await post('/v1/me/login-link', { ...PAGE, cookie });
  expect(status).toBe(201);
  return new URL(body.url).hash.slice(1);
}

const meOf = async (cookie: string): Promise<unknown> =>
  (await server.inject({ url: '/v1/me', headers: { cookie } })).body;

describe('a link for one more browser of one’s own', () => {
  test.each([
    ['an admin', { who: 'ada', role: 'admin' }, { who: 'ada', role: 'admin' }],
    ['a person', { who: 'bo', answerOnly: false }, { who: 'bo', role: 'person' }],
    ['who only answers', { who: 'cy' }, { who: 'cy', role: 'person', answerOnly: true }],
    [
      'who is limited to a chat',
      { who: 'di', chatId: 'team' },
      { who: 'di', role: 'person', chatId: 'team', answerOnly: true },
    ],
  ])('gives exactly the rights of its maker: %s', async (_, invited, expected) => {
    const { cookie } = await invite(invited);
    const phone = await enter(await makeCode(cookie));
    expect(await meOf(phone.cookie)).toEqual({ ...expected, device: phone.id });
  });

  test('takes no wishes', async () => {
    const { cookie } = await invite({ who: 'eve' });
    for (const body of [{ role: 'admin' }, { who: 'ada' }, { answerOnly: false }, { chatId: 'team' }]) {
      expect((await post('/v1/me/login-link', { ...PAGE, cookie }, body)).status).toBe(400);
    }
  });

  test('works once, and is not to be stored', async () => {
    const { cookie } = await invite({ who: 'fay' });
    const made = await post('/v1/me/login-link', { ...PAGE, cookie });
    expect(made.headers['cache-control']).toBe('no-store');
    expect(Date.parse(made.body.expiresAt)).toBeGreaterThan(Date.now());
    const code = new URL(made.body.url).hash.slice(1);
    await enter(code);
    expect((await post('/v1/login', PAGE, { code })).status).toBe(401);
  });

  test('ends with the login that made it, and cannot be passed off as another’s', async () => {
    const lost = await invite({ who: 'gil' });
    const kept = await invite({ who: 'gil' });
    const code = await makeCode(lost.cookie);
    await server.send('admin', 'DELETE', `/v1/devices/${lost.id}`);
    for (const tried of [code, code.slice(0, 32), `${code.slice(0, 32)}${kept.id}`]) {
      expect((await post('/v1/login', PAGE, { code: tried })).status).toBe(401);
    }
    await enter(await makeCode(kept.cookie));
  });

  test('is made by a browser alone: no token, nobody, and no page of another site', async () => {
    for (const as of ['admin', 'teamAdmin', 'person', 'agent'] as const) {
      expect((await server.send(as, 'POST', '/v1/me/login-link', {})).body.code).toBe('forbidden');
    }
    expect((await post('/v1/me/login-link', PAGE)).status).toBe(401);
    const { cookie } = await invite({ who: 'hal' });
    const elsewhere = { host: TEST_HOST, origin: 'https://evil.example', cookie };
    expect((await post('/v1/me/login-link', elsewhere)).body.code).toBe('origin_refused');
  });

  test('is refused to somebody who makes too many, and to nobody else', async () => {
    const hasty = await invite({ who: 'ida' });
    const statuses = new Set<number>();
    for (let count = 0; count < 31; count += 1) {
      statuses.add((await post('/v1/me/login-link', { ...PAGE, cookie: hasty.cookie })).status);
    }
    expect([...statuses]).toEqual([201, 429]);
    await makeCode((await invite({ who: 'jo' })).cookie);
  });

  test.each<[title: string, wayIn: WayInOptions, host: string, base: string]>([
    ['nothing but loopback', {}, TEST_HOST, `http://${TEST_HOST}`],
    ['an address for other machines', { networkUrl: () => 'http://10.0.0.7:8228' }, TEST_HOST, 'http://10.0.0.7:8228'],
    [
      'a name that the browser used',
      { networkUrl: () => 'http://10.0.0.7:8228' },
      'beckon.example',
      'http://beckon.example',
    ],
    ['a public address', { publicUrl: 'https://b.example/team' }, TEST_HOST, 'https://b.example/team'],
  ])('leads to where a phone gets in: %s', async (_, wayIn, host, base) => {
    const other = await createTestApp({ wayIn, hosts: ['beckon.example'] });
    try {
      const { code } = await other.devices.createCode({ name: 'ada', role: 'person' });
      const login = await post('/v1/login', { host, origin: `http://${host}` }, { code }, other);
      const cookie = String(login.headers['set-cookie']).split(';')[0] ?? '';
      const made = await post('/v1/me/login-link', { host, origin: `http://${host}`, cookie }, {}, other);
      expect(made.body.url.split('/login#')[0]).toBe(base);
    } finally {
      await other.dispose();
    }
  });
});
