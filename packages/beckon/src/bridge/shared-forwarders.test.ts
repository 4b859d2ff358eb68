import { mkdtempSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStore } from '../open-store.ts';
import { newHookId } from '../runtime/new-id.ts';
import { systemClock } from '../runtime/system-clock.ts';
import { answerWith, type Reply, startBackend, type TestBackend } from '../testing/harness/test-backend.ts';
import { until } from '../testing/suites/until.ts';
import { type Share, SharedForwarders } from './shared-forwarders.ts';

const SECRET = 'c2VjcmV0IG9mIHRoZSBiYWNrZW5k';

let folder: string;
let backend: TestBackend;
let forwarders: SharedForwarders;
let warnings: string[];
const shares = new Set<Share>();

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'beckon-shared-'));
  backend = await startBackend();
  forwarders = new SharedForwarders(openStore, { clock: systemClock, newId: newHookId });
  warnings = [];
});
afterEach(async () => {
  await Promise.all([...shares].map(release));
  await backend.close();
  rmSync(folder, { recursive: true });
});

async function acquire(sessionId: string, secret?: string): Promise<Share> {
  const share = await forwarders.acquire({
    store: `sqlite:${join(folder, 'beckon.db')}`,
    sessionId,
    backend: { url: backend.url, token: `token-of-${sessionId}`, secret },
    warn: (message) => warnings.push(`${sessionId}: ${message}`),
  });
  shares.add(share);
  return share;
}

async function release(share: Share): Promise<void> {
  shares.delete(share);
  await share.release();
}

function receive({ sink }: Share, sessionId: string): Promise<void> {
  return sink.receive({ sessionId, commandId: 'int_1', hook: {} });
}

function readSent(): string[] {
  return backend.received.map(({ body, headers }) => `${body.session_id} ${headers.authorization}`);
}

/** As a backend does that gives each session a token of its own. */
const refuseOthers: Reply = (request, response) => {
  const isOwn = request.headers.authorization === `Bearer token-of-${request.body.session_id}`;
  response.writeHead(isOwn ? 200 : 403).end();
};

describe('the hooks of a session that leaves', () => {
  test('are sent first, with its own token, and the others go on', async () => {
    backend.reply = refuseOthers;
    const [first, second] = [await acquire('A'), await acquire('B')];
    await receive(second, 'B');
    await release(second);
    expect(readSent()).toEqual(['B Bearer token-of-B']);
    await receive(first, 'A');
    await until(() => expect(readSent()).toEqual(['B Bearer token-of-B', 'A Bearer token-of-A']));
    expect(warnings).toEqual([]);
  });

  test('keep its own token when they are sent again later', async () => {
    backend.reply = answerWith(503);
    const second = (await Promise.all([acquire('A'), acquire('B')]))[1];
    await receive(second, 'B');
    await release(second);
    const attempts = backend.received.length;
    backend.reply = refuseOthers;
    await until(() => expect(backend.received.length).toBeGreaterThan(attempts));
    expect(new Set(readSent())).toEqual(new Set(['B Bearer token-of-B']));
  });

  test('are sent with the token of the first when they come later, from elsewhere', async () => {
    const [first, second] = [await acquire('A'), await acquire('B')];
    await release(second);
    await receive(first, 'B');
    await until(() => expect(readSent()).toEqual(['B Bearer token-of-A']));
  });

  test('do not take a session with them that comes meanwhile', async () => {
    const held: ServerResponse[] = [];
    backend.reply = (_, response) => held.push(response);
    const first = await acquire('A');
    await receive(first, 'A');
    const leaving = release(first);
    await until(() => expect(held).toHaveLength(1));
    const second = await acquire('B');
    await receive(second, 'B');
    backend.reply = refuseOthers;
    held[0]!.end();
    await leaving;
    await until(() => expect(readSent()).toEqual(['A Bearer token-of-A', 'B Bearer token-of-B']));
    await receive(second, 'B');
    await until(() => expect(backend.received).toHaveLength(3));
    expect(warnings).toEqual([]);
  });

  test('keep its token while another one of it stays', async () => {
    backend.reply = refuseOthers;
    const [first, second] = [await acquire('A'), await acquire('B')];
    const again = await acquire('B');
    await release(second);
    await release(first);
    await receive(again, 'B');
    await until(() => expect(readSent()).toEqual(['B Bearer token-of-B']));
  });
});

describe('forwarding that cannot start', () => {
  test('is said to everybody who waits for it, and is tried again by the next one', async () => {
    await release(await acquire('A'));
    const database = new DatabaseSync(join(folder, 'beckon.db'));
    database.exec('alter table outbox_lanes rename to away');
    const results = await Promise.allSettled([acquire('A'), acquire('B')]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    database.exec('alter table away rename to outbox_lanes');
    database.close();
    const share = await acquire('B');
    await receive(share, 'B');
    await until(() => expect(readSent()).toEqual(['B Bearer token-of-B']));
  });
});

describe('sessions with the same backend', () => {
  test('have one secret, in either form', async () => {
    const share = (await Promise.all([acquire('A', SECRET), acquire('B', `whsec_${SECRET}`)]))[1];
    await receive(share, 'B');
    await until(() => expect(backend.received).toHaveLength(1));
    const { text, headers } = backend.received[0]!;
    expect(new Webhook(SECRET).verify(text, headers as Record<string, string>)).toMatchObject({ session_id: 'B' });
  });

  test.each([['YW5vdGhlciBzZWNyZXQ='], [undefined]])('refuse another secret: %s', async (other) => {
    const first = await acquire('A', SECRET);
    const refused = acquire('B', other);
    await expect(refused).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(refused).rejects.not.toThrow(SECRET);
    await release(first);
    await receive(await acquire('B', other), 'B');
    await until(() => expect(backend.received).toHaveLength(1));
  });

  test('all hear what somebody should look at, as long as they are there', async () => {
    const [, second, third] = [await acquire('A'), await acquire('B'), await acquire('C')];
    await release(third);
    backend.reply = answerWith(503);
    await receive(second, 'B');
    await until(() => expect(warnings).toHaveLength(2));
    expect(warnings).toEqual([
      expect.stringMatching(/^A: Hooks do not reach/),
      expect.stringMatching(/^B: Hooks do not reach/),
    ]);
  });

  test('hear it once where they hear with the same ear', async () => {
    const heard: string[] = [];
    const input = { store: `sqlite:${join(folder, 'beckon.db')}`, warn: (message: string) => void heard.push(message) };
    const one = { ...input, backend: { url: backend.url, token: 'token' } };
    shares.add(await forwarders.acquire({ ...one, sessionId: 'A' }));
    const share = await forwarders.acquire({ ...one, sessionId: 'B' });
    shares.add(share);
    backend.reply = answerWith(400);
    await receive(share, 'B');
    await until(() => expect(heard).toHaveLength(1));
    await release(share);
    expect(heard).toHaveLength(1);
  });
});
