import { Pool } from 'undici';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startBackend, type TestBackend } from '../testing/harness/test-backend.ts';
import { until } from '../testing/suites/until.ts';
import { exchange, type Reply } from './exchange.ts';

let backend: TestBackend;
let pool: Pool;

beforeEach(async () => {
  backend = await startBackend();
  pool = new Pool(backend.url, { connections: 1 });
});
afterEach(async () => {
  await pool.destroy();
  await backend.close();
});

/** Nothing here takes a second, unless it is to run out. */
function send(options: { timeoutMs?: number; path?: string } = {}): Promise<Reply> {
  const request = { method: 'POST', path: options.path ?? '/', body: '{}' } as const;
  return exchange(pool, request, { timeoutMs: options.timeoutMs ?? 10_000, replyBytes: 1000 });
}

test('a reply has its status, headers and text, and leaves the connection for the next', async () => {
  backend.reply = (_, response) => response.writeHead(503, { 'retry-after': '7' }).end('später');
  for (let turn = 0; turn < 3; turn += 1) {
    expect(await send()).toMatchObject({ status: 503, headers: { 'retry-after': '7' }, text: 'später' });
  }
  expect(backend.connections).toBe(1);
});

test('what comes before the reply is not the reply', async () => {
  backend.reply = (_, response) => {
    response.writeEarlyHints({ link: '</style.css>; rel=preload' });
    setTimeout(() => response.writeHead(201).end('made'), 20);
  };
  expect(await send()).toMatchObject({ status: 201, text: 'made' });
});

describe('a reply that does not end', () => {
  test('because the connection is cut, counts with what came of it', async () => {
    backend.reply = (_, response) => {
      response.writeHead(200).write('half', () => response.destroy());
    };
    expect(await send()).toMatchObject({ status: 200 });
  });

  test('in time, counts with what came of it', async () => {
    backend.reply = (_, response) => void response.writeHead(200).write('half');
    expect(await send({ timeoutMs: 300 })).toMatchObject({ status: 200, text: 'half' });
  });

  test('because it is long, is cut off', async () => {
    let isCut = false;
    backend.reply = (_, response) => {
      response.on('close', () => {
        isCut = true;
      });
      response.writeHead(500).write('x'.repeat(5000));
    };
    const { status, text } = await send();
    expect([status, text.length > 0]).toEqual([500, true]);
    await until(() => expect(isCut).toBe(true));
  });
});

describe('no reply', () => {
  test('in time fails, and cuts the connection', async () => {
    let isCut = false;
    backend.reply = (_, response) =>
      void response.on('close', () => {
        isCut = true;
      });
    await expect(send({ timeoutMs: 300 })).rejects.toThrow('no reply within 0.3 s');
    await until(() => expect(isCut).toBe(true));
  });

  test('fails where nobody listens, and after the end', async () => {
    await backend.close();
    await expect(send()).rejects.toThrow('ECONNREFUSED');
    await pool.destroy();
    await expect(send()).rejects.toThrow('destroyed');
    backend = await startBackend();
  });

  test('for lack of a connection fails, and is not sent later', async () => {
    let release = (): void => undefined;
    backend.reply = (_, response) => {
      release = () => response.end();
    };
    const first = send({ path: '/first' });
    await until(() => expect(backend.received).toHaveLength(1));
    await expect(send({ timeoutMs: 100, path: '/second' })).rejects.toThrow('no reply within');
    release();
    await first;
    const third = send({ path: '/third' });
    await until(() => expect(backend.received).toHaveLength(2));
    release();
    await third;
    expect(backend.received.map(({ path }) => path)).toEqual(['/first', '/third']);
  });
});
