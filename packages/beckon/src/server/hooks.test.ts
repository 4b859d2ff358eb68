import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createSigner } from '../bridge/signature.ts';
import { createTestApp, type TestApp, type TestReply } from '../testing/harness/server/test-app.ts';

const SECRET = Buffer.from('a secret of thirty-two bytes, no').toString('base64');

let server: TestApp;
beforeEach(async () => {
  server = await createTestApp({ times: { firstRefusalMs: 1 } });
});
afterEach(() => server.dispose());

const EVENT = {
  session_id: 'ses_1',
  interaction_id: 'int_1',
  event_type: 'Stop',
  event_data: { hook_event_name: 'Stop', __proto_: 1, text: 'ü\u0000' },
  timestamp: '2026-11-15T20:00:00.000Z',
};

function forward(event: unknown, headers: Record<string, string> = {}): Promise<TestReply> {
  return server.inject({
    method: 'POST',
    url: '/api/sessions/ses_1/events',
    headers: {
      authorization: `Bearer ${server.tokens.agent}`,
      'content-type': 'application/json',
      ...headers,
    },
    payload: typeof event === 'string' ? event : JSON.stringify(event),
  });
}

describe('an event that another bridge forwards', () => {
  test('is kept, on the log, and can be read', async () => {
    expect(await forward(EVENT, { 'idempotency-key': 'hook_1' })).toMatchObject({
      status: 200,
      body: { success: true, duplicate: false },
    });
    expect(await server.store.readLog({ after: 0, limit: 9 })).toEqual([
      { seq: 1, type: 'hook.received', hookId: 'hook_1', sessionId: 'ses_1', eventType: 'Stop', at: EVENT.timestamp },
    ]);
    const read = await server.send('person', 'GET', '/v1/hooks/hook_1');
    expect(read.body).toEqual({ id: 'hook_1', ...EVENT });
    // What came from elsewhere is not sent on: two daemons that name each other would never stop.
    expect(await server.store.outbox.backends()).toEqual([]);
  });

  test('counts once for its key, however often it comes', async () => {
    const replies = await Promise.all([1, 2, 3].map(() => forward(EVENT, { 'idempotency-key': 'hook_1' })));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(replies.filter(({ body }) => body.duplicate)).toHaveLength(2);
    expect(await server.store.lastSeq()).toBe(1);
  });

  test('without a key counts each time', async () => {
    for (const duplicate of [false, false]) expect((await forward(EVENT)).body).toEqual({ success: true, duplicate });
    expect(await server.store.lastSeq()).toBe(2);
  });

  test('with the key of another hook is refused, not dropped', async () => {
    await server.store.hooks.keep({
      hook: { id: '1', sessionId: 'ses_2', commandId: 'i', eventType: 'x', at: EVENT.timestamp, data: '{}' },
    });
    expect(await forward(EVENT, { 'idempotency-key': '1' })).toMatchObject({
      status: 409,
      body: { code: 'key_reused', detail: expect.stringContaining('another hook') },
    });
  });

  test('of a start keeps the conversation, of an end closes the session', async () => {
    await forward({ ...EVENT, event_type: 'SessionStart', event_data: { session_id: 'conv_1' } });
    await forward({ ...EVENT, event_type: 'SessionEnd', event_data: { reason: 'other' } });
    expect(await server.store.readLog({ after: 0, limit: 9 })).toMatchObject([
      { type: 'hook.received', eventType: 'SessionStart' },
      { type: 'session.started', sessionId: 'ses_1', conversationId: 'conv_1' },
      { type: 'hook.received', eventType: 'SessionEnd' },
      { type: 'session.ended', sessionId: 'ses_1' },
    ]);
  });

  test.each([
    ['of another session', { ...EVENT, session_id: 'ses_2' }, 'expected "ses_1" as in the address'],
    ['without data', { ...EVENT, event_data: undefined }, 'event_data: expected an object'],
    ['with a list for data', { ...EVENT, event_data: [] }, 'event_data: expected an object'],
    ['without a type', { ...EVENT, event_type: '' }, 'event_type: expected 1 to 200 characters'],
    ['with a time that is none', { ...EVENT, timestamp: 'yesterday' }, 'timestamp: expected a time'],
    ['that is no JSON', '{', 'The body is not JSON.'],
  ])('%s is refused', async (_, event, detail) => {
    expect(await forward(event)).toMatchObject({ status: 400, body: { detail: expect.stringContaining(detail) } });
    expect(await server.store.lastSeq()).toBe(0);
  });

  test('larger than a hook may be is refused', async () => {
    const text = 'x'.repeat(4_300_000);
    expect(await forward({ ...EVENT, event_data: { text } })).toMatchObject({ status: 413 });
    const allowed = 'x'.repeat(4_100_000);
    expect(await forward({ ...EVENT, event_data: { text: allowed } })).toMatchObject({ status: 200 });
  });

  test('needs a token that may report', async () => {
    const send = (as: 'agent' | 'person' | 'admin') => server.send(as, 'POST', '/api/sessions/ses_1/events', EVENT);
    expect([(await send('agent')).status, (await send('person')).status, (await send('admin')).status]).toEqual([
      200, 403, 200,
    ]);
    const anybody = await server.inject({ method: 'POST', url: '/api/sessions/ses_1/events', payload: EVENT });
    expect(anybody.status).toBe(401);
  });
});

describe('where a secret is configured, an event', () => {
  beforeEach(async () => {
    await server.dispose();
    server = await createTestApp({ bridge: { verify: createSigner(SECRET).verify } });
  });

  const body = JSON.stringify(EVENT);

  test('that is signed is taken', async () => {
    expect(await forward(body, createSigner(SECRET).sign('hook_1', new Date(), body))).toMatchObject({ status: 200 });
  });

  test.each([
    ['is not signed', {}],
    [
      'is signed with another secret',
      createSigner(Buffer.from('another').toString('base64')).sign('h', new Date(), body),
    ],
    ['was changed', createSigner(SECRET).sign('hook_1', new Date(), `${body} `)],
    ['was signed long ago', createSigner(SECRET).sign('hook_1', new Date(Date.now() - 600_000), body)],
  ])('that %s is refused', async (_, headers) => {
    expect(await forward(body, headers)).toMatchObject({ status: 403, body: { code: 'signature_refused' } });
  });
});

describe('a hook of this machine', () => {
  test('is kept to the letter, and waits for the backend', async () => {
    const reply = await server.send('agent', 'POST', '/command-complete/int_7', {
      session_id: 'ses_1',
      hook_event_name: 'SessionEnd',
    });
    expect(reply).toMatchObject({ status: 200, body: { success: true } });
    const { items } = await server.store.outbox.list({});
    expect(items).toMatchObject([{ sessionId: 'ses_1', interactionId: 'int_7', eventType: 'SessionEnd' }]);
  });

  test('of Claude Code, which names no command, belongs to its session', async () => {
    const stop = { session_id: 'ses_1', hook_event_name: 'Stop' };
    expect(await server.send('agent', 'POST', '/hooks/claude', stop)).toMatchObject({ status: 200 });
    expect((await server.store.outbox.list({})).items).toMatchObject([{ sessionId: 'ses_1', interactionId: 'ses_1' }]);
  });

  test('may have its session in the address', async () => {
    const reply = await server.send('admin', 'POST', '/command-complete/int_7?session=ses_9', { status: 'complete' });
    expect(reply.status).toBe(200);
    expect((await server.store.outbox.list({})).items).toMatchObject([
      { sessionId: 'ses_9', eventType: 'claude_hook' },
    ]);
  });

  test.each([
    ['without a session', '/command-complete/int_7', {}, 400],
    ['that is no object', '/command-complete/int_7?session=s', [], 400],
  ])('%s is refused', async (_, url, payload, status) => {
    expect(await server.send('agent', 'POST', url, payload)).toMatchObject({ status });
  });

  test('needs a token that may report', async () => {
    expect(await server.send('person', 'POST', '/command-complete/i?session=s', {})).toMatchObject({ status: 403 });
    expect(await server.inject({ method: 'POST', url: '/command-complete/i?session=s', payload: {} })).toMatchObject({
      status: 401,
    });
  });
});

test('a hook is read by people without a chat of their own, and by nobody else', async () => {
  await forward(EVENT, { 'idempotency-key': 'hook_1' });
  const read = async (as: 'agent' | 'person' | 'teamPerson' | 'admin') =>
    (await server.send(as, 'GET', '/v1/hooks/hook_1')).status;
  expect([await read('agent'), await read('person'), await read('teamPerson'), await read('admin')]).toEqual([
    403, 200, 404, 200,
  ]);
  expect(await server.send('admin', 'GET', '/v1/hooks/hook_2')).toMatchObject({
    status: 404,
    body: { code: 'hook_not_found' },
  });
});
