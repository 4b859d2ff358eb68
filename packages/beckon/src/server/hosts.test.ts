import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../testing/harness/server/test-app.ts';

let server: TestApp;
let port: number;
beforeAll(async () => {
  server = await createTestApp({ hosts: ['Beckon.Example', 'fd00::1'] });
  port = Number(new URL(await server.listen()).port);
});
afterAll(() => server.dispose());

async function codeOf(headers: Record<string, string>): Promise<string> {
  const { status, body } = await server.inject({ url: '/healthz', headers });
  return status === 200 ? 'ok' : `${status} ${body.code}`;
}

/** Sends bytes as they are and gives the status line and everything after it. */
function sendRaw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let reply = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.setTimeout(5000, () => socket.destroy(new Error('no reply')));
    socket.on('data', (chunk) => {
      reply += String(chunk);
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(reply));
  });
}

describe('the host of a request', () => {
  test.each([
    'localhost',
    'localhost:8228',
    'LOCALHOST:1',
    '127.0.0.1',
    '127.0.0.1:8228',
    '[::1]',
    '[::1]:8228',
    'beckon.example',
    'BECKON.example:443',
    '[fd00::1]:8228',
    '[FD00::1]',
  ])('may be %s', async (host) => {
    expect(await codeOf({ host })).toBe('ok');
  });

  test.each([
    'evil.example',
    'evil.example:8228',
    'localhost.evil.example',
    'evil.localhost',
    'localhost.',
    '127.0.0.1.evil.example',
    '127.0.0.1.nip.io',
    '127.0.0.2',
    '0.0.0.0',
    '0',
    '2130706433',
    '[::ffff:127.0.0.1]',
    '::1',
    '[::2]',
    'localhost:80:80',
    'localhost@evil.example',
    'evil.example@localhost',
    'user@localhost',
    'localhost/x',
    'localhost evil.example',
    'localhost,evil.example',
    'xn--lcalhost-cyd',
    ':',
    ':8228',
    'undefined',
    '__proto__',
  ])('may not be %j', async (host) => {
    expect(await codeOf({ host })).toBe('421 host_refused');
  });

  test('is checked before the token, on every route, also on those that do not exist', async () => {
    for (const url of ['/healthz', '/v1/interactions', '/metrics', '/nowhere', '/v1/ws']) {
      const headers = { host: 'evil.example', authorization: `Bearer ${server.tokens.admin}` };
      expect({ url, status: (await server.inject({ url, headers })).status }).toEqual({ url, status: 421 });
    }
  });

  test('that is missing or empty is refused, in HTTP/1.0 and HTTP/1.1', async () => {
    expect(await sendRaw('GET /healthz HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 421 /);
    expect(await sendRaw('GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 421 /);
    expect(await sendRaw('GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('is the header, not the address of the request', async () => {
    expect(await sendRaw('GET http://localhost/healthz HTTP/1.1\r\nHost: evil\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 4\d\d /,
    );
    expect(await sendRaw('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 200 /,
    );
  });

  test('cannot be overruled by the headers of a proxy', async () => {
    const forwarded = { 'x-forwarded-host': 'localhost', forwarded: 'host=localhost', 'x-host': 'localhost' };
    expect(await codeOf({ host: 'evil.example', ...forwarded })).toBe('421 host_refused');
  });
});

describe('the origin of a request', () => {
  const host = 'localhost:8228';

  test.each([`http://${host}`, `https://${host}`, 'HTTP://LOCALHOST:8228'])('may be %s', async (origin) => {
    expect(await codeOf({ host, origin })).toBe('ok');
  });

  test('may be missing: programs send none', async () => {
    expect(await codeOf({ host })).toBe('ok');
  });

  test.each([
    'null',
    '',
    'https://evil.example',
    'http://localhost',
    'http://localhost:3000',
    'http://127.0.0.1:8228',
    `http://${host}.evil.example`,
    `http://evil.example#${host}`,
    `http://evil.example/http://${host}`,
    `http://evil@${host}`,
    `http://${host}/`,
    `http://${host}, https://evil.example`,
    `file://${host}`,
    `chrome-extension://${host}`,
    host,
  ])('may not be %j', async (origin) => {
    expect(await codeOf({ host, origin })).toBe('403 origin_refused');
  });

  test('that is foreign is refused even with a valid token, and nothing is asked', async () => {
    const { status, headers } = await server.inject({
      method: 'POST',
      url: '/v1/interactions',
      headers: { host, origin: 'https://evil.example', authorization: `Bearer ${server.tokens.admin}` },
      payload: { kind: 'question', request: { question: 'q' } },
    });
    expect(status).toBe(403);
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect((await server.beckon.list()).items).toEqual([]);
  });
});
