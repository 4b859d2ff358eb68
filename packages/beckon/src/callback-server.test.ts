import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  CallbackServer,
  type CallbackServerOptions,
  cleanupCallbackServer,
  getCallbackServer,
} from './callback-server.ts';
import { openStore } from './open-store.ts';
import { answerWith, startBackend, type TestBackend } from './testing/harness/test-backend.ts';
import { until } from './testing/suites/until.ts';

let folder: string;
let backend: TestBackend;
let warnings: string[];
let options: CallbackServerOptions;
const servers: CallbackServer[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'beckon-bridge-'));
  backend = await startBackend();
  warnings = [];
  options = { store: `sqlite:${join(folder, 'beckon.db')}`, onWarning: (message) => warnings.push(message) };
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(servers.splice(0).map((server) => server.stop()));
  await backend.close();
  rmSync(folder, { recursive: true });
});

async function startServer(sessionId = 'ses_1'): Promise<CallbackServer> {
  const server = new CallbackServer(sessionId, backend.url, 'token', options);
  servers.push(server);
  await server.start();
  return server;
}

async function post(url: string, body: string, init: RequestInit = {}): Promise<{ status: number; body: unknown }> {
  const reply = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body, ...init });
  return { status: reply.status, body: await reply.json() };
}

describe('a hook', () => {
  test('completes the command that waits for it, is answered, and reaches the backend', async () => {
    const server = await startServer();
    const completed = new Promise((resolve) => server.onCommandComplete('int_1', resolve));
    const url = server.getCallbackUrl('int_1');
    expect(url).toMatch(/^http:\/\/localhost:\d+\/command-complete\/int_1$/);
    const hook = { status: 'complete', timestamp: '2026-01-01T00:00:00Z' };
    expect(await post(url, JSON.stringify(hook))).toEqual({ status: 200, body: { success: true } });
    expect(await completed).toEqual(hook);
    await until(() => expect(backend.received).toHaveLength(1));
    expect(backend.received[0]).toMatchObject({
      path: '/api/sessions/ses_1/events',
      headers: { authorization: 'Bearer token' },
      body: { session_id: 'ses_1', interaction_id: 'int_1', event_type: 'claude_hook', event_data: hook },
    });
  });

  test.each([
    ['up', () => answerWith(200)],
    ['failing', () => answerWith(500)],
    ['silent', () => () => undefined],
  ])('is answered and kept while the backend is %s', async (_, reply) => {
    backend.reply = reply();
    const server = await startServer();
    const completed = new Promise((resolve) => server.onCommandComplete('int_1', resolve));
    expect(await post(server.getCallbackUrl('int_1'), '{}')).toMatchObject({ status: 200 });
    await completed;
    const store = await openStore(options.store!);
    const log = await store.readLog({ after: 0, limit: 1 });
    await store.close();
    expect(log).toMatchObject([{ type: 'hook.received', sessionId: 'ses_1' }]);
  });

  test.each(['SessionStart', 'Stop', 'PreToolUse', ''])('named %j does not complete the command', async (name) => {
    const server = await startServer();
    const handler = vi.fn<(data: unknown) => void>();
    server.onCommandComplete('int_1', handler);
    const url = server.getCallbackUrl('int_1');
    expect(await post(url, JSON.stringify({ hook_event_name: name }))).toMatchObject({ status: 200 });
    expect(handler).not.toHaveBeenCalled();
    expect(await post(url, '{"hook_event_name":"SessionEnd"}')).toMatchObject({ status: 200 });
    expect(handler).toHaveBeenCalledExactlyOnceWith({ hook_event_name: 'SessionEnd' });
  });

  test('completes a command once; the next one has no handler', async () => {
    const server = await startServer();
    const handler = vi.fn<(data: unknown) => void>();
    server.onCommandComplete('int_1', handler);
    const url = server.getCallbackUrl('int_1');
    await post(url, '{"turn":1}');
    expect((await post(url, '{"turn":2}')).status).toBe(404);
    expect(handler).toHaveBeenCalledOnce();
  });

  test('without a handler is answered with 404, warned of, kept and forwarded', async () => {
    const server = await startServer();
    expect(await post(server.getCallbackUrl('int_9'), '{"turn":1}')).toEqual({
      status: 404,
      body: { error: 'No handler registered for this interaction' },
    });
    expect(warnings).toEqual([expect.stringContaining('"int_9"')]);
    await until(() => expect(backend.received).toHaveLength(1));
  });

  test('is kept and completed even if the handler throws', async () => {
    const server = await startServer();
    server.onCommandComplete('int_1', () => {
      throw new Error('broken');
    });
    expect(await post(server.getCallbackUrl('int_1'), '{}')).toMatchObject({ status: 200 });
    expect(warnings).toEqual([expect.stringContaining('broken')]);
  });

  test('stays to the letter, whatever JSON it is', async () => {
    const server = await startServer();
    const text = `{ "big": 12345678901234567890, "__proto__": {"a": 1}, "deep": ${'['.repeat(3000)}${']'.repeat(3000)}, "t": "ü\\u0000" }`;
    await post(server.getCallbackUrl('int_1'), text);
    await until(() => expect(backend.received).toHaveLength(1));
    expect(backend.received[0]?.text).toContain(`"event_data":${text},`);
  });

  test('of commands that run at once each completes its own', async () => {
    const server = await startServer();
    const done: string[] = [];
    const ids = Array.from({ length: 50 }, (_, index) => `int_${index}`);
    for (const id of ids) server.onCommandComplete(id, ({ id: sent }: { id: string }) => done.push(`${id}=${sent}`));
    await Promise.all(ids.map((id) => post(server.getCallbackUrl(id), JSON.stringify({ id }))));
    expect(done.toSorted()).toEqual(ids.map((id) => `${id}=${id}`).toSorted());
  });

  test('for an interaction with an unusual name finds its handler', async () => {
    const server = await startServer();
    const completed = new Promise((resolve) => server.onCommandComplete('a/b c?d', resolve));
    expect(await post(server.getCallbackUrl('a/b c?d'), '{"x":1}')).toMatchObject({ status: 200 });
    await completed;
  });
});

describe('what is no hook', () => {
  test.each([
    ['no JSON', '{', 400, 'The body is not JSON'],
    ['nothing', '', 400, 'The body is not JSON'],
    ['an array', '[]', 400, 'The body is not a JSON object'],
    ['null', 'null', 400, 'The body is not a JSON object'],
    ['too much', JSON.stringify({ text: 'x'.repeat(4_194_304) }), 413, 'A hook may have 4194304 bytes at most'],
  ])('%s is refused as JSON', async (_, body, status, error) => {
    const server = await startServer();
    const handler = vi.fn<(data: unknown) => void>();
    server.onCommandComplete('int_1', handler);
    expect(await post(server.getCallbackUrl('int_1'), body)).toEqual({ status, body: { error } });
    expect(handler).not.toHaveBeenCalled();
  });

  test('another route or method is refused as JSON', async () => {
    const server = await startServer();
    const url = server.getCallbackUrl('int_1');
    for (const path of [
      '/',
      '/command-complete/',
      '/command-complete/%E0%A4%A',
      `/command-complete/${'x'.repeat(201)}`,
    ]) {
      expect(await post(new URL(path, url).href, '{}')).toMatchObject({ body: { error: expect.any(String) } });
    }
    const reply = await fetch(url);
    expect([reply.status, await reply.json()]).toMatchObject([404, { error: expect.any(String) }]);
  });

  test('a page of another site, and another name for this machine, are refused', async () => {
    const server = await startServer();
    const url = new URL(server.getCallbackUrl('int_1'));
    expect(await post(url.href, '{}', { headers: { origin: 'https://evil.example' } })).toMatchObject({ status: 403 });
    const outgoing = request(url, { method: 'POST', headers: { host: 'evil.example' } }).end('{}');
    const [message] = (await once(outgoing, 'response')) as [IncomingMessage];
    const reply = { status: message.statusCode, text: await readText(message) };
    expect(reply).toEqual({ status: 403, text: expect.stringContaining('"error"') });
    expect(backend.received).toEqual([]);
  });

  test('bytes that are no HTTP are answered as JSON', async () => {
    const server = await startServer();
    const socket = connect(Number(new URL(server.getCallbackUrl('x')).port), '127.0.0.1');
    socket.end('nonsense\r\n\r\n');
    expect(await readText(socket)).toMatch(/^HTTP\/1\.1 400 .*\{"error":/s);
  });

  test('a database that cannot be written is said, and the command does not go on', async () => {
    const server = await startServer();
    const handler = vi.fn<(data: unknown) => void>();
    server.onCommandComplete('int_1', handler);
    const url = server.getCallbackUrl('int_1');
    const store = await openStore(options.store!);
    await store.close();
    const { DatabaseSync } = await import('node:sqlite');
    const other = new DatabaseSync(join(folder, 'beckon.db'));
    other.exec('drop table hooks');
    other.close();
    expect(await post(url, '{}')).toEqual({
      status: 500,
      body: { error: 'The hook could not be kept. Send it again.' },
    });
    expect(handler).not.toHaveBeenCalled();
  });
});

describe('a server', () => {
  test('has no URL before it was started, and none after it was stopped', async () => {
    const server = new CallbackServer('ses_1', backend.url, 'token', options);
    expect(() => server.getCallbackUrl('int_1')).toThrow('Server not started');
    await server.start();
    await server.start();
    const url = server.getCallbackUrl('int_1');
    await server.stop();
    await server.stop();
    expect(() => server.getCallbackUrl('int_1')).toThrow('Server not started');
    await expect(fetch(url, { method: 'POST' })).rejects.toThrow('fetch failed');
  });

  test.each([
    ['', '', /apiUrl \(BECKON_API_URL\), apiToken \(BECKON_API_TOKEN\)/],
    ['http://127.0.0.1:1', '', /credentials: apiToken \(BECKON_API_TOKEN\)\./],
    ['', 'token', /credentials: apiUrl \(BECKON_API_URL\)\./],
    ['http://u:p@host', 'token', /must have no user/],
  ])('without what it needs (%j, %j) does not start', async (apiUrl, apiToken, message) => {
    await expect(new CallbackServer('ses_1', apiUrl, apiToken, options).start()).rejects.toThrow(message);
    await expect(new CallbackServer('', 'http://127.0.0.1:1', 'token', options).start()).rejects.toThrow('sessionId');
  });

  test('listens on loopback alone', async () => {
    const server = await startServer();
    const { port } = new URL(server.getCallbackUrl('x'));
    const refused = await new Promise((resolve) => {
      connect(Number(port), '127.0.0.2')
        .on('connect', () => resolve(false))
        .on('error', () => resolve(true));
    });
    expect(refused).toBe(true);
  });

  test('that stops sends what it has; what is left is sent by the next one', async () => {
    const first = await startServer();
    await post(first.getCallbackUrl('int_1'), '{"turn":1}');
    await first.stop();
    expect(backend.received).toHaveLength(1);
    backend.reply = answerWith(503);
    const second = await startServer();
    await post(second.getCallbackUrl('int_1'), '{"turn":2}');
    await second.stop();
    backend.reply = answerWith(200);
    await startServer('ses_2');
    await until(() => {
      const { headers, body } = backend.received.at(-1)!;
      expect(body).toMatchObject({ session_id: 'ses_1', event_data: { turn: 2 } });
      expect(headers['idempotency-key']).toBe(backend.received[1]?.headers['idempotency-key']);
    });
  });

  test('keeps its files for this user alone', async () => {
    vi.stubEnv('BECKON_HOME', join(folder, 'home'));
    const server = new CallbackServer('ses_1', backend.url, 'token');
    servers.push(server);
    await server.start();
    expect(statSync(join(folder, 'home')).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'home', 'beckon.db')).mode & 0o777).toBe(0o600);
  });

  test('of two sessions with tokens of their own, each is sent with its own', async () => {
    const [one, two] = ['one', 'two'].map((name) => new CallbackServer(`ses_${name}`, backend.url, name, options));
    servers.push(one!, two!);
    await Promise.all([one!.start(), two!.start()]);
    await post(one!.getCallbackUrl('x'), '{}');
    await post(two!.getCallbackUrl('x'), '{}');
    await until(() => expect(backend.received).toHaveLength(2));
    const sent = backend.received.map(({ body, headers }) => `${body.session_id} ${headers.authorization}`);
    expect(sent.toSorted()).toEqual(['ses_one Bearer one', 'ses_two Bearer two']);
  });

  test('forwards on when another one of its session stops', async () => {
    const [first, second] = [await startServer(), await startServer()];
    await first.stop();
    await post(second.getCallbackUrl('int_1'), '{}');
    await until(() => expect(backend.received).toHaveLength(1));
  });

  test('does not start with another secret than the others have for the backend', async () => {
    await startServer();
    const apiSecret = 'c2VjcmV0IG9mIHRoZSBiYWNrZW5k';
    const server = new CallbackServer('ses_2', backend.url, 'token', { ...options, apiSecret });
    await expect(server.start()).rejects.toThrow('another secret');
  });
});

describe('getCallbackServer', () => {
  test('gives one server per session, even to concurrent calls', async () => {
    const given = { ...options, apiUrl: backend.url, apiToken: 'token' };
    const [first, second, other] = await Promise.all([
      getCallbackServer('ses_1', given),
      getCallbackServer('ses_1', given),
      getCallbackServer('ses_2', given),
    ]);
    expect(second).toBe(first);
    expect(other).not.toBe(first);
    expect(await getCallbackServer('ses_1', given)).toBe(first);
    await cleanupCallbackServer('ses_1');
    expect(() => first!.getCallbackUrl('x')).toThrow('Server not started');
    const next = await getCallbackServer('ses_1', given);
    expect(next).not.toBe(first);
    await Promise.all(['ses_1', 'ses_2', 'nobody'].map(cleanupCallbackServer));
  });

  test('gives a server that forwards, even while the one before it stops', async () => {
    const given = { ...options, apiUrl: backend.url, apiToken: 'token' };
    await getCallbackServer('ses_1', given);
    const cleaned = cleanupCallbackServer('ses_1');
    const server = await getCallbackServer('ses_1', given);
    await cleaned;
    await post(server.getCallbackUrl('x'), '{}');
    await until(() => expect(backend.received).toHaveLength(1));
    await cleanupCallbackServer('ses_1');
  });

  test('takes what is not given from the environment, and tries again after a failure', async () => {
    vi.stubEnv('BECKON_API_URL', '');
    vi.stubEnv('BECKON_API_TOKEN', '');
    await expect(getCallbackServer('ses_1', options)).rejects.toThrow('BECKON_API_URL');
    vi.stubEnv('BECKON_API_URL', backend.url);
    vi.stubEnv('BECKON_API_TOKEN', 'from-env');
    const server = await getCallbackServer('ses_1', options);
    await post(server.getCallbackUrl('x'), '{}');
    await cleanupCallbackServer('ses_1');
    expect(backend.received[0]?.headers.authorization).toBe('Bearer from-env');
  });
});

test('a thousand servers, started, used and stopped, leave nothing behind', async () => {
  const use = async (turn: number): Promise<void> => {
    const server = new CallbackServer(`ses_${turn}`, backend.url, 'token', options);
    await server.start();
    const completed = new Promise((resolve) => server.onCommandComplete('int_1', resolve));
    await post(server.getCallbackUrl('int_1'), '{}', { headers: { connection: 'close' } });
    await completed;
    await server.stop();
  };
  const useMany = async (from: number, to: number): Promise<void> => {
    for (let turn = from; turn < to; turn += 10) {
      await Promise.all(Array.from({ length: 10 }, (_, index) => use(turn + index)));
    }
    expect(backend.received.splice(0)).toHaveLength(to - from);
  };
  await useMany(0, 200);
  const [openBefore, bytesBefore] = [countOpen(), measureHeap()];
  await useMany(200, 1000);
  await until(() => expect(countOpen()).toBeLessThanOrEqual(openBefore + 2));
  // A server that stays behind has some 100 KB: 800 of them would be plain to see.
  expect(measureHeap() - bytesBefore).toBeLessThan(8_000_000);
}, 180_000);

function measureHeap(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

/** Handles that keep something open: sockets, servers, timers. */
function countOpen(): number {
  return process.getActiveResourcesInfo().filter((name) => !/^(?:Pipe|TTY|Immediate|MessagePort)/.test(name)).length;
}
