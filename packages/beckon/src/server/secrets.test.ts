import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { until } from '../testing/harness/server/clients.ts';
import { createTestApp, QUESTION, type TestApp } from '../testing/harness/server/test-app.ts';

async function withServer(run: (server: TestApp) => Promise<void>, options = {}): Promise<void> {
  const server = await createTestApp(options, (app) => {
    app.get('/boom', { config: { action: 'describe' } }, async ({ headers }) => {
      throw Object.assign(new Error('boom'), { config: { retries: headers['x-retries'] } });
    });
  });
  try {
    await run(server);
  } finally {
    await server.dispose();
  }
}

function countRefused(metrics: string): number {
  return Number(/^beckon_refused_tokens_total (\d+)$/m.exec(metrics)?.[1]);
}

const wrong = { authorization: `Bearer bkn_0123456789abcdef_${'A'.repeat(43)}` };

describe('tokens', () => {
  test('are nowhere in the database, not even in part', () =>
    withServer(async (server) => {
      await server.send('agent', 'POST', '/v1/interactions', QUESTION);
      const bytes = Buffer.concat([await readFile(server.databasePath), await readFile(`${server.databasePath}-wal`)]);
      for (const token of Object.values(server.tokens)) {
        const [, id = '', secret = ''] = /^bkn_([0-9a-f]{16})_(.+)$/.exec(token) ?? [];
        expect(bytes.includes(id)).toBe(true);
        expect(bytes.includes(secret)).toBe(false);
        expect(bytes.includes(secret.slice(0, 20))).toBe(false);
      }
    }));

  test('that are revoked are refused within about a second', () =>
    withServer(async (server) => {
      expect((await server.send('person', 'GET', '/v1/interactions')).status).toBe(200);
      await server.store.tokens.remove('ana', '2026-01-01T00:00:00.000Z');
      await until('the refusal', async () => (await server.send('person', 'GET', '/v1/interactions')).status === 401);
      expect((await server.send('admin', 'GET', '/v1/interactions')).status).toBe(200);
    }));

  test('and their secrets are in no log line and no reply, whatever goes wrong', () =>
    withServer(async (server) => {
      const replies: string[] = [];
      const authorization = `Bearer ${server.tokens.admin}`;
      const almost = `${server.tokens.admin.slice(0, -3)}AAA`;
      const requests = [
        { url: '/v1/interactions/int_none' },
        { url: '/boom' },
        { url: '/nowhere' },
        { url: '/v1/interactions/%ff' },
        { url: '/v1/interactions?limit=x' },
        { method: 'POST' as const, url: '/v1/interactions', payload: 'x' },
        { method: 'POST' as const, url: '/v1/interactions', payload: { ...QUESTION, x: 1 } },
      ];
      for (const request of requests) {
        for (const header of [authorization, `Bearer ${almost}`]) {
          replies.push((await server.inject({ ...request, headers: { authorization: header } })).text);
        }
      }
      replies.push((await server.inject({ url: '/metrics', headers: { authorization } })).text);
      expect(server.logs.some((line) => line.includes('"reqId"') && line.includes('boom'))).toBe(true);
      const all = [...server.logs, ...replies].join('\n');
      for (const secret of [server.tokens.admin.slice(21), almost.slice(21), 'Bearer bkn'])
        expect(all).not.toContain(secret);
    }));

  test('and login codes in a path are in no log line and no reply', () =>
    withServer(
      async (server) => {
        const [, secret = ''] = /^bkn_[0-9a-f]{16}_(.+)$/.exec(server.tokens.admin) ?? [];
        const { code } = await server.devices.createCode({ name: 'ana', role: 'person' });
        const { cookie = '' } = (await server.devices.logIn(code, 'a browser')) ?? {};
        const encode = (text: string) => Buffer.from(text).toString('hex').replaceAll(/../g, '%$&');
        const token = server.tokens.admin;
        const replies: string[] = [];
        for (const path of [
          `/${token}`,
          `/v1/${token}/list`,
          `/v1/token=${token};x`,
          `/x/${token.slice(0, -5)}`,
          `/${encode(token)}`,
          `/bkn%5F${token.slice(4)}`,
          `/${encode(encode(token))}`,
          `/%2562kn_${token.slice(4)}`,
          `/${'x'.repeat(150)}/${token}`,
          `/${cookie}`,
          `/login/${code}`,
          `/login/${encode(code)}`,
          `/%ff/${token}`,
          `//${token}@localhost`,
        ])
          replies.push(
            (await server.inject({ url: path })).text,
            (await server.inject({ method: 'POST', url: path })).text,
          );
        const all = [...server.logs, ...replies].join('\n');
        expect(server.logs.filter((line) => line.includes('"path"')).length).toBeGreaterThan(10);
        const secrets = [secret, cookie.slice(21), code];
        for (const hidden of [...secrets, ...secrets.map(encode)])
          for (const part of [hidden.slice(0, 12), hidden.slice(-24, -12)]) expect(all).not.toContain(part);
        expect(all).toContain('No route GET /v1/bkn_(hidden)/list.');
      },
      { level: 'debug' },
    ));

  test('hiding them leaves other paths as they are', () =>
    withServer(async (server) => {
      for (const path of [
        '/v1/nowhere',
        '/v1/int_0199c0de-0000-7000-8000-123456789abc/x',
        '/a%20b',
        `/${'0123456789abcdef'.repeat(2)}`,
      ])
        expect((await server.inject({ url: path })).body.detail).toBe(`No route GET ${path}. See /openapi.json.`);
    }));

  test('that are wrong are counted, and held longer each time', () =>
    withServer(
      async (server) => {
        const took: number[] = [];
        for (let attempt = 0; attempt < 5; attempt += 1) {
          const began = performance.now();
          expect((await server.inject({ url: '/v1/me', headers: wrong })).status).toBe(401);
          took.push(performance.now() - began);
        }
        // 20, 40, 80, 160 and at most 200 ms: these are the least that each was held, whatever else the machine did.
        for (const [index, leastMs] of [19, 39, 79, 159, 199].entries()) expect(took[index]).toBeGreaterThan(leastMs);
        expect(countRefused((await server.send('admin', 'GET', '/metrics')).text)).toBe(5);
      },
      { times: { firstRefusalMs: 20, longestRefusalMs: 200 } },
    ));

  test('that are right are not held because others are wrong', () =>
    withServer(
      async (server) => {
        const guess = server.inject({ url: '/v1/me', headers: wrong });
        let isOver = false;
        void guess.then(() => {
          isOver = true;
        });
        expect((await server.send('agent', 'GET', '/v1/me')).status).toBe(200);
        expect(isOver).toBe(false);
        await guess;
      },
      { times: { firstRefusalMs: 1500 } },
    ));

  test('that are wrong and too many at once are turned away with a time to come back', () =>
    withServer(
      async (server) => {
        const replies = await Promise.all(
          Array.from({ length: 250 }, () => server.inject({ url: '/v1/me', headers: wrong })),
        );
        const refused = replies.filter(({ status }) => status === 429);
        expect(refused).toHaveLength(50);
        expect(refused[0]).toMatchObject({ body: { code: 'too_many_requests' }, headers: { 'retry-after': '1' } });
        expect(replies.filter(({ status }) => status === 401)).toHaveLength(200);
        expect((await server.send('agent', 'GET', '/v1/me')).status).toBe(200);
      },
      { times: { firstRefusalMs: 300, longestRefusalMs: 300 } },
    ));

  test('a refusal names the scheme, and nothing else', () =>
    withServer(async (server) => {
      const { headers, body } = await server.inject({ url: '/v1/interactions' });
      expect(headers['www-authenticate']).toBe('Bearer realm="beckon"');
      expect(body).toMatchObject({ code: 'unauthorized', status: 401 });
    }));
});
