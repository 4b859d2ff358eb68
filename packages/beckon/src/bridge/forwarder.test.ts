import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openStore } from '../open-store.ts';
import { newHookId } from '../runtime/new-id.ts';
import { systemClock } from '../runtime/system-clock.ts';
import type { SqlStore } from '../store/sql-store.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { answerWith, startBackend, type TestBackend } from '../testing/harness/test-backend.ts';
import { until } from '../testing/suites/until.ts';
import type { BackendOptions } from './backend.ts';
import { Forwarder, type ForwarderOptions } from './forwarder.ts';
import { createHookSink } from './hook-sink.ts';

const TOKEN = 'secret-token-of-the-laptop';

let folder: string;
let store: SqlStore;
let backend: TestBackend;
let lines: string[];
const forwarders: Forwarder[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'beckon-forwarder-'));
  store = await openStore(`sqlite:${join(folder, 'beckon.db')}`);
  backend = await startBackend();
  lines = [];
});
afterEach(async () => {
  await Promise.all(forwarders.splice(0).map((forwarder) => forwarder.stop()));
  await store.close();
  await backend.close();
  rmSync(folder, { recursive: true });
});

function createForwarder(options: Partial<BackendOptions> = {}, more: Partial<ForwarderOptions> = {}): Forwarder {
  const forwarder = new Forwarder({
    outbox: store.outbox,
    backend: { url: backend.url, token: TOKEN, ...options },
    clock: systemClock,
    newId: newHookId,
    log: (_, message) => void lines.push(message),
    ...more,
  });
  forwarders.push(forwarder);
  return forwarder;
}

function receive(sessionId: string, hook: { [key: string]: string | number }, id?: string): Promise<void> {
  const sink = createHookSink({ hooks: store.hooks, clock: systemClock, newId: newHookId, destination: backend.url });
  return sink.receive({ sessionId, commandId: 'int_1', hook, ...(id !== undefined && { id }) });
}

async function readTypes(): Promise<string[]> {
  return (await store.readLog({ after: 0, limit: 1000 })).map(({ type }) => type);
}

describe('a hook', () => {
  test('arrives as the wrapped event, with token and key', async () => {
    await receive('ses_1', { hook_event_name: 'Stop', tool: 'Bash' }, 'hook_1');
    await createForwarder().tick();
    const [request] = backend.received;
    expect(request?.path).toBe('/api/sessions/ses_1/events');
    expect(request?.headers).toMatchObject({
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'application/json',
      'idempotency-key': 'hook_1',
    });
    expect(request?.headers).not.toHaveProperty('webhook-id');
    expect(request?.body).toEqual({
      session_id: 'ses_1',
      interaction_id: 'int_1',
      event_type: 'Stop',
      event_data: { hook_event_name: 'Stop', tool: 'Bash' },
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(await readTypes()).toEqual(['hook.received', 'hook.forwarded']);
    expect(await store.outbox.backends()).toEqual([]);
  });

  test('is signed as Standard Webhooks says where there is a secret', async () => {
    const secret = `whsec_${Buffer.from('a secret of thirty-two bytes, no').toString('base64')}`;
    await receive('ses_1', { text: 'ünï 👋' }, 'hook_1');
    await createForwarder({ secret }).tick();
    const { text, headers } = backend.received[0]!;
    expect(headers['webhook-id']).toBe('hook_1');
    expect(new Webhook(secret).verify(text, headers as Record<string, string>)).toMatchObject({ session_id: 'ses_1' });
  });

  test('goes below the path of the backend, with the session as one part of it', async () => {
    await store.hooks.keep({
      hook: {
        id: 'h',
        sessionId: 'a@b+c',
        commandId: 'i',
        eventType: 'x',
        at: '2026-01-01T00:00:00.000Z',
        data: '{}',
      },
      destination: `${backend.url}/prefix`,
    });
    await createForwarder({ url: `${backend.url}/prefix/` }).tick();
    expect(backend.received[0]?.path).toBe('/prefix/api/sessions/a%40b%2Bc/events');
  });

  test('is sent soon after it came, without a tick', async () => {
    const forwarder = createForwarder();
    await forwarder.start();
    store.onCommit(() => forwarder.wake());
    await receive('ses_1', { turn: 1 });
    await until(() => expect(backend.received).toHaveLength(1));
    await receive('ses_1', { turn: 2 });
    await until(() => expect(backend.received).toHaveLength(2));
  });
});

describe('order', () => {
  test('within a session nothing overtakes, and sessions go side by side on kept connections', async () => {
    let underWay = 0;
    let most = 0;
    const open = new Set<string>();
    backend.reply = ({ body }, response) => {
      expect(open.has(body.session_id)).toBe(false);
      open.add(body.session_id);
      underWay += 1;
      most = Math.max(most, underWay);
      setTimeout(() => {
        underWay -= 1;
        open.delete(body.session_id);
        response.end('{}');
      }, Math.random() * 5);
    };
    for (let turn = 0; turn < 10; turn += 1) {
      await Promise.all(Array.from({ length: 20 }, (_, session) => receive(`ses_${session}`, { turn })));
    }
    await createForwarder().tick();
    for (let session = 0; session < 20; session += 1) {
      const turns = backend.received.filter(({ body }) => body.session_id === `ses_${session}`);
      expect(turns.map(({ body }) => body.event_data.turn)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    }
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(16);
    expect(backend.connections).toBeLessThanOrEqual(16);
  });

  test('within a session nothing overtakes, even if the machine slept while a hook was sent', async () => {
    for (const turn of [0, 1, 2]) await receive('ses_1', { turn });
    let release = (): void => undefined;
    backend.reply = (_, response) => {
      backend.reply = answerWith(200);
      release = () => response.end();
    };
    const forwarder = createForwarder();
    await forwarder.start();
    await until(() => expect(backend.received).toHaveLength(1));
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
    try {
      const again = forwarder.tick();
      release();
      await again;
    } finally {
      vi.useRealTimers();
    }
    // The lease ran out in the sleep, so the first is sent once more.
    expect(backend.received.map(({ body }) => body.event_data.turn)).toEqual([0, 0, 1, 2]);
    expect(await store.outbox.backends()).toEqual([]);
  });

  test('a session that fails waits with everything behind it; the others go on', async () => {
    backend.reply = ({ body }, response) => response.writeHead(body.session_id === 'bad' ? 503 : 200).end();
    await receive('bad', { turn: 1 });
    await receive('bad', { turn: 2 });
    await receive('good', { turn: 1 });
    await createForwarder().tick();
    expect(backend.received.map(({ body }) => `${body.session_id}${body.event_data.turn}`).toSorted()).toEqual([
      'bad1',
      'good1',
    ]);
    expect((await store.outbox.list({})).items).toMatchObject([
      { sessionId: 'bad', attempts: 1, error: 'HTTP 503' },
      { sessionId: 'bad', attempts: 0 },
    ]);
  });
});

describe('many hooks of a session', () => {
  const NOON = '2026-11-15T12:00:00.000Z';
  beforeEach(async () => {
    await Promise.all(Array.from({ length: 150 }, (_, turn) => receive('ses_1', { turn })));
  });
  const useClock = () => {
    const clock = new FakeClock(NOON);
    const forwarder = createForwarder({}, { clock });
    // As if another one came with each that is sent.
    backend.reply = (_, response) => {
      forwarder.wake();
      response.end();
    };
    return { clock, forwarder };
  };

  test('are sent without a rest when no other comes', async () => {
    const clock = new FakeClock(NOON);
    await createForwarder({}, { clock }).start();
    await until(() => expect(backend.received).toHaveLength(150));
  });

  test('are sent with a rest after each batch while others come, so that those are answered first', async () => {
    const { clock, forwarder } = useClock();
    const untilWaiting = (waiting: number) =>
      until(async () => expect(await store.outbox.backends()).toMatchObject([{ waiting }]));
    await forwarder.start();
    await untilWaiting(86);
    clock.moveTo('2026-11-15T12:00:00.049Z');
    expect(clock.planned).toEqual(['2026-11-15T12:00:00.050Z']);
    clock.moveTo('2026-11-15T12:00:00.050Z');
    await untilWaiting(22);
    clock.moveTo('2026-11-15T12:00:00.100Z');
    await until(() => expect(backend.received).toHaveLength(150));
  });

  test('are sent even after the clock was set back during a rest', async () => {
    const { clock, forwarder } = useClock();
    await forwarder.start();
    await until(async () => expect(await store.outbox.backends()).toMatchObject([{ waiting: 86 }]));
    clock.moveTo('2026-11-15T11:00:00.000Z');
    forwarder.wake();
    clock.moveTo('2026-11-15T11:00:00.020Z');
    await until(() => expect(backend.received.length).toBeGreaterThan(64));
  });

  test('are sent without a rest by a forwarder that ends', async () => {
    const { forwarder } = useClock();
    await forwarder.tick();
    expect(backend.received).toHaveLength(150);
  });
});

describe('a backend that does not take it', () => {
  test.each([408, 425, 429, 500, 502, 503, 504])('now (%i) gets it again', async (status) => {
    backend.reply = answerWith(status, 'not now');
    await receive('ses_1', {}, 'hook_1');
    const forwarder = createForwarder();
    await forwarder.tick();
    expect(await store.outbox.find('hook_1')).toMatchObject({
      status: 'waiting',
      attempts: 1,
      error: `HTTP ${status}: not now`,
    });
    backend.reply = answerWith(204);
    await store.outbox.retry({ target: { id: 'hook_1' } });
    await forwarder.tick();
    expect(backend.received.map(({ headers }) => headers['idempotency-key'])).toEqual(['hook_1', 'hook_1']);
    expect(await readTypes()).toEqual(['hook.received', 'hook.forwarded']);
    expect(lines).toEqual([expect.stringContaining('do not reach'), expect.stringContaining('again.')]);
  });

  test('comes again by itself after its pause', async () => {
    let times = 0;
    backend.reply = (_, response) => {
      times += 1;
      response.writeHead(times < 3 ? 500 : 200).end();
    };
    await receive('ses_1', {});
    await createForwarder().start();
    await until(() => expect(times).toBe(3));
  });

  test('is left alone for as long as it asks', async () => {
    backend.reply = answerWith(429, '', { 'retry-after': '120' });
    await receive('ses_1', {});
    await createForwarder().tick();
    const { nextInMs } = await store.outbox.claim({
      destination: backend.url,
      lanes: 1,
      entries: 1,
      leaseMs: 1,
      claim: 'test',
    });
    expect(nextInMs).toBeGreaterThan(110_000);
  });

  test('because nobody listens, gets it again', async () => {
    await receive('ses_1', {}, 'hook_1');
    const { url } = backend;
    await backend.close();
    await createForwarder({ url }).tick();
    expect(await store.outbox.find('hook_1')).toMatchObject({
      attempts: 1,
      error: expect.stringMatching(/ECONNREFUSED/),
    });
    backend = await startBackend();
  });

  test('and cuts the connection, gets it again', async () => {
    backend.reply = (_, response) => response.destroy();
    await receive('ses_1', {}, 'hook_1');
    await createForwarder().tick();
    expect(await store.outbox.find('hook_1')).toMatchObject({ status: 'waiting', attempts: 1 });
  });

  test.each([400, 404, 409, 413, 422, 301, 307])(
    'ever (%i) leaves a dead letter, and the next goes on',
    async (status) => {
      backend.reply = ({ body }, response) =>
        response.writeHead(body.event_data.turn === 1 ? status : 200, { location: '/elsewhere' }).end('why');
      await receive('ses_1', { turn: 1 }, 'hook_1');
      await receive('ses_1', { turn: 2 });
      await createForwarder().tick();
      expect(backend.received).toHaveLength(2);
      expect(await store.outbox.find('hook_1')).toMatchObject({ status: 'dead', error: `HTTP ${status}: why` });
      expect(await readTypes()).toEqual(['hook.received', 'hook.received', 'hook.dead', 'hook.forwarded']);
    },
  );

  test.each([401, 403])('with this token (%i) is paused until the token changes', async (status) => {
    backend.reply = answerWith(status, `no entry for Bearer ${TOKEN}`);
    await receive('ses_1', {}, 'hook_1');
    await receive('ses_2', {});
    const first = createForwarder();
    await first.tick();
    await first.tick();
    const seen = backend.received.length;
    expect(seen).toBeLessThanOrEqual(2);
    const [destination] = await store.outbox.backends();
    expect(destination).toMatchObject({
      waiting: 2,
      dead: 0,
      paused: { reason: expect.stringContaining(`${status}`) },
    });
    expect(lines.join('\n')).toContain('beckon outbox resume');
    expect(JSON.stringify([lines, destination])).not.toContain(TOKEN);

    const same = createForwarder();
    await same.start();
    await same.tick();
    expect(backend.received).toHaveLength(seen);

    backend.reply = answerWith(200);
    const other = createForwarder({ token: 'another' });
    await other.start();
    await store.outbox.retry({ target: { id: 'hook_1' } });
    await other.tick();
    expect(backend.received.at(-1)?.headers.authorization).toBe('Bearer another');
    expect((await store.outbox.backends())[0]?.paused).toBeUndefined();
  });

  test('is resumed by hand', async () => {
    backend.reply = answerWith(401);
    await receive('ses_1', {}, 'hook_1');
    const forwarder = createForwarder();
    await forwarder.tick();
    backend.reply = answerWith(200);
    expect(await store.outbox.resume(backend.url)).toBe(true);
    await store.outbox.retry({ target: { id: 'hook_1' } });
    await forwarder.tick();
    expect(await store.outbox.backends()).toEqual([]);
  });
});

describe('an end', () => {
  test('a stop does not wait for a backend that says nothing, and nothing is lost', async () => {
    backend.reply = () => undefined;
    await receive('ses_1', {}, 'hook_1');
    const forwarder = createForwarder();
    void forwarder.tick();
    await until(() => expect(backend.received).toHaveLength(1));
    await forwarder.stop();
    expect(await store.outbox.find('hook_1')).toMatchObject({ status: 'waiting', attempts: 0 });
    backend.reply = answerWith(200);
    await createForwarder().tick();
    expect(backend.received).toHaveLength(2);
  });

  test('a reply that is endless does not hold the next one up', async () => {
    backend.reply = (_, response) => {
      response.writeHead(200);
      const write = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        if (!response.destroyed) response.once('drain', write);
      };
      write();
    };
    for (const turn of [1, 2, 3]) await receive('ses_1', { turn });
    await createForwarder().tick();
    expect(backend.received).toHaveLength(3);
  });

  test('two forwarders share the work, and each hook arrives', async () => {
    for (let turn = 0; turn < 30; turn += 1) await receive(`ses_${turn % 6}`, { turn });
    const other = await openStore(`sqlite:${join(folder, 'beckon.db')}`);
    await Promise.all([createForwarder().tick(), createForwarder({}, { outbox: other.outbox }).tick()]);
    await other.close();
    expect(backend.received.map(({ body }) => body.event_data.turn).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 30 }, (_, turn) => turn),
    );
  });
});

test.each([
  ['ftp://host', 'must be http or https'],
  ['http://user:pw@host', 'must have no user'],
  ['http://host/?q=1', 'must have no user, password, query'],
  ['nonsense', 'is not a URL'],
])('the address %s is refused', (url, message) => {
  expect(() => createForwarder({ url })).toThrow(message);
});

test('a secret that is not base64 is refused, and not repeated', () => {
  expect(() => createForwarder({ secret: '!!not base64!!' })).toThrow('must be base64');
  expect(() => createForwarder({ secret: '!!not base64!!' })).not.toThrow('!!not');
});
