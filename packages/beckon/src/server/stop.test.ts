import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Daemon, startDaemon } from '../daemon/daemon.ts';
import { openStore } from '../open-store.ts';
import { get, openSocket, openStream, until, within } from '../testing/harness/server/clients.ts';
import { QUESTION } from '../testing/harness/server/test-app.ts';

let folder: string;
let store: string;
let daemons: Daemon[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'beckon-daemon-'));
  store = `sqlite:${join(folder, 'beckon.db')}`;
  daemons = [];
});
afterEach(async () => {
  await Promise.all(daemons.map((daemon) => daemon.stop()));
  await rm(folder, { recursive: true, force: true });
});

async function start(fields: { host?: string; port?: number } = {}): Promise<Daemon> {
  const daemon = await startDaemon({
    store,
    host: '127.0.0.1',
    port: 0,
    timeoutMs: 300_000,
    allowedHosts: [],
    version: '1.2.3',
    logger: pino({ level: 'silent' }),
    ...fields,
  });
  daemons.push(daemon);
  return daemon;
}

async function ask(url: string, token: string, key?: string): Promise<Response> {
  return fetch(`${url}/v1/interactions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...QUESTION, ...(key !== undefined && { idempotencyKey: key }) }),
  });
}

describe('a daemon that stops', () => {
  test('is gone within five seconds, whatever clients hold open', async () => {
    const daemon = await start();
    const token = await daemon.tokens.create({ name: 'root', role: 'admin' });
    const asked = (await (await ask(daemon.url, token)).json()) as { id: string };
    const agent = new Agent({ keepAlive: true });
    const kept = request(`${daemon.url}/healthz`, { agent }).end();
    const [reply] = await once(kept, 'response');
    reply.resume();
    const silent = connect(Number(new URL(daemon.url).port), '127.0.0.1');
    silent.on('error', () => undefined);
    await once(silent, 'connect');
    const waiting = get(`${daemon.url}/v1/interactions/${asked.id}?wait=60`, token);
    const stream = await openStream(daemon.url, token);
    const socket = await openSocket(daemon.url, token);
    await within('the stop', daemon.stop(), 5000);
    expect((await waiting).status).toBe(503);
    await stream.ended;
    expect((await socket.closed).code).toBe(1012);
    await expect(fetch(`${daemon.url}/healthz`)).rejects.toThrow('fetch failed');
    silent.destroy();
    agent.destroy();
  });

  test('is not held up by clients that keep their connections', async () => {
    const daemon = await start();
    const agent = new Agent({ keepAlive: true });
    for (let index = 0; index < 20; index += 1) {
      const [reply] = await once(request(`${daemon.url}/healthz`, { agent }).end(), 'response');
      for await (const _ of reply) continue;
    }
    await within('the stop', daemon.stop(), 3500);
    await expect(fetch(`${daemon.url}/healthz`)).rejects.toThrow('fetch failed');
    agent.destroy();
  });

  test('may be told twice', async () => {
    const daemon = await start();
    await Promise.all([daemon.stop(), daemon.stop()]);
    await daemon.stop();
    await expect(fetch(`${daemon.url}/healthz`)).rejects.toThrow('fetch failed');
  });

  test('has on disk everything that it acknowledged, and refuses the rest', async () => {
    const daemon = await start();
    const token = await daemon.tokens.create({ name: 'root', role: 'admin' });
    const acknowledged: string[] = [];
    const others: (number | string)[] = [];
    let isStopping = false;
    const asking = Array.from({ length: 20 }, async (_, client) => {
      for (let index = 0; !isStopping || index === 0; index += 1) {
        const key = `${client}-${index}`;
        try {
          const reply = await ask(daemon.url, token, key);
          await reply.arrayBuffer();
          if (reply.status === 201) acknowledged.push(key);
          else others.push(reply.status);
        } catch {
          others.push('refused');
          return;
        }
      }
    });
    await within(
      'some asks',
      until('asks to be acknowledged', () => acknowledged.length > 200),
    );
    const stopping = daemon.stop();
    await within('the stop', stopping, 5000);
    isStopping = true;
    await Promise.all(asking);
    expect(new Set(others)).toSatisfy((seen: Set<unknown>) =>
      [...seen].every((how) => how === 503 || how === 'refused'),
    );
    const reopened = await openStore(store);
    const kept = new Set<string | undefined>();
    let after: string | undefined;
    do {
      const page = await reopened.list({ limit: 200, after });
      for (const { idempotencyKey } of page.items) kept.add(idempotencyKey);
      after = page.next;
    } while (after !== undefined);
    await reopened.close();
    expect(acknowledged.filter((key) => !kept.has(key))).toEqual([]);
  });

  test('refuses an ask that arrives during the stop with 503 and a time to come back', async () => {
    const daemon = await start();
    const token = await daemon.tokens.create({ name: 'root', role: 'admin' });
    const socket = connect(Number(new URL(daemon.url).port), '127.0.0.1');
    const replied = once(socket, 'data');
    const body = JSON.stringify(QUESTION);
    // The connection is busy with a request when the stop begins, so it is not cut.
    socket.write(`POST /v1/interactions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n`);
    expect((await fetch(`${daemon.url}/healthz`)).status).toBe(200);
    const stopping = daemon.stop();
    await until('the stop to begin', async () => {
      const isRefused = await fetch(`${daemon.url}/healthz`).then(
        () => false,
        () => true,
      );
      return isRefused;
    });
    socket.write(`Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    const [data] = await within('the reply', replied);
    expect(String(data)).toMatch(/^HTTP\/1\.1 503 /);
    expect(String(data).toLowerCase()).toContain('retry-after: 1');
    expect(String(data)).toContain('"code":"closed"');
    await within('the stop', stopping, 5000);
    const reopened = await openStore(store);
    expect((await reopened.list({})).items).toEqual([]);
    await reopened.close();
    socket.destroy();
  });
});

describe('where a daemon listens', () => {
  const outside = Object.values(networkInterfaces())
    .flat()
    .find((address) => address?.family === 'IPv4' && !address.internal)?.address;

  test('is where it was told', async () => {
    const daemon = await start();
    expect(daemon.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await fetch(`${daemon.url}/healthz`)).status).toBe(200);
  });

  test.runIf(outside !== undefined)('is loopback alone unless more was asked for', async () => {
    const loopback = await start();
    const beside = loopback.url.replace('127.0.0.1', outside ?? '');
    await expect(fetch(beside, { signal: AbortSignal.timeout(3000) })).rejects.toThrow(/fetch failed|timeout/);
  });

  test.runIf(outside !== undefined)('is beyond loopback where that was asked for, and as closed there', async () => {
    const daemon = await start({ host: outside ?? '' });
    expect((await fetch(`${daemon.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${daemon.url}/v1/interactions`)).status).toBe(401);
  });

  test('a port that is taken is named, and nothing stays open', async () => {
    const port = Number(new URL((await start()).url).port);
    await expect(start({ port })).rejects.toMatchObject({
      code: 'address_in_use',
      message: expect.stringContaining(String(port)),
    });
  });
});
