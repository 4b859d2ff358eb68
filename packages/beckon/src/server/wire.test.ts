import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../testing/harness/server/test-app.ts';

let server: TestApp;
let port: number;
beforeAll(async () => {
  server = await createTestApp({ level: 'trace' });
  port = Number(new URL(await server.listen()).port);
});
afterAll(() => server.dispose());

/** Sends bytes as they are, says that there is no more, and gives everything that comes back. */
function send(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let reply = '';
    const socket = connect(port, '127.0.0.1');
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      reply += String(chunk);
    });
    socket.on('close', () => resolve(reply));
    socket.end(text);
  });
}

const HEAD = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n';

describe('what is no HTTP', () => {
  test.each<[string, string, number, string]>([
    ['nonsense', 'hello\r\n\r\n', 400, 'invalid_input'],
    ['TLS', '\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n', 400, 'invalid_input'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'invalid_input'],
    ['a header without a colon', `${HEAD}nonsense\r\n\r\n`, 400, 'invalid_input'],
    ['two lengths', `${HEAD}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`, 400, 'invalid_input'],
    ['a length and chunks', `${HEAD}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`, 400, 'invalid_input'],
    ['headers of more than 16 KiB', `${HEAD}X-Large: ${'a'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
    ['an address of more than 16 KiB', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n\r\n`, 431, 'headers_too_large'],
  ])('%s is refused with problem details, and the connection ends', async (_, text, status, code) => {
    const reply = await send(text);
    expect(reply).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(reply).toContain('Content-Type: application/problem+json');
    expect(JSON.parse(reply.split('\r\n\r\n')[1] ?? '')).toMatchObject({ code, status });
  });

  test('a token in it is not logged, not even where everything is', async () => {
    await send(`${HEAD}Authorization: Bearer ${server.tokens.admin}\r\nnonsense\r\n\r\n`);
    const secret = server.tokens.admin.slice(21);
    expect(server.logs.join('')).not.toContain(secret);
    expect(server.logs.join('')).not.toContain(Buffer.from(secret).join(','));
  });
});

test('a request that is cut off is not acted upon', async () => {
  const body = '{"kind":"question","request":{"question":"q"}}';
  const reply = await send(
    `POST /v1/interactions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${server.tokens.agent}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length + 1}\r\n\r\n${body}`,
  );
  expect(reply).toMatch(/^HTTP\/1\.1 400 /);
  expect((await server.beckon.list()).items).toEqual([]);
});

test('two requests sent at once are answered in their order', async () => {
  const reply = await send(`${HEAD}\r\nGET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  expect(reply.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404']);
});
