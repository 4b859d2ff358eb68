import { request as httpRequest } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Interaction } from '../protocol/interaction.ts';
import { createTestApp, type TestApp } from '../testing/harness/server/test-app.ts';
import { until } from '../testing/suites/until.ts';

const HOOK = {
  session_id: 'ses-1',
  hook_event_name: 'PermissionRequest',
  tool_name: 'Bash',
  tool_input: { command: 'ls' },
};
const ALLOW = { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } } };
let server: TestApp;

beforeEach(async () => {
  server = await createTestApp();
});
afterEach(() => server.dispose());

test('the reply to a hook is held until a person has answered', async () => {
  const reply = server.send('agent', 'POST', '/hooks/claude?timeout=5m&user=dev@laptop', HOOK);
  const asked = await pending();
  expect(asked).toMatchObject({ askedBy: 'builder', sessionId: 'ses-1', chatId: 'default' });
  await server.send('person', 'POST', `/v1/interactions/${asked.id}/answer`, { answer: { decision: 'allow' } });
  expect(await reply).toMatchObject({ status: 200, body: ALLOW });
});

test.each(['/hooks/cursor', '/hooks/cursor/with-context'])(
  'a hook of an agent that Beckon does not know is refused, and nobody is asked: %s',
  async (path) => {
    const body = path.endsWith('context') ? { hook: JSON.stringify(HOOK) } : HOOK;
    const reply = await server.send('agent', 'POST', path, body);
    expect(reply).toMatchObject({ status: 404, body: { code: 'route_not_found' } });
    expect(JSON.stringify(reply.body)).toContain('claude, codex, copilot, qwen');
    expect((await server.beckon.list()).items).toEqual([]);
  },
);

describe('a hook with what surrounds it', () => {
  const TEXT = JSON.stringify(HOOK, null, 2);
  const CONTEXT = { project: 'webshop', branch: 'main', message: 'The password is in DB_PASSWORD=swordfish', mood: 7 };

  test('is asked with it, kept to the letter without it, and its reply names the request', async () => {
    const reply = send({ hook: TEXT, context: CONTEXT });
    const asked = await pending();
    const message = 'The password is in DB_PASSWORD=…(masked)';
    expect(asked.context).toEqual({ project: 'webshop', branch: 'main', message, hasMore: true });
    expect(await server.beckon.context(asked.id)).toEqual({
      project: 'webshop',
      branch: 'main',
      message,
      notes: ['context: left out the unknown field "mood"'],
    });
    await server.send('person', 'POST', `/v1/interactions/${asked.id}/answer`, { answer: { decision: 'allow' } });
    const { status, body, headers } = await reply;
    expect({ status, body }).toEqual({ status: 200, body: ALLOW });
    expect(headers['beckon-interaction']).toBe(asked.id);
    const kept = await server.send('admin', 'GET', '/v1/hooks/hook_7');
    expect(kept.text).toContain(TEXT);
    expect(kept.text).not.toContain('webshop');
  });

  test.each([
    [undefined, undefined],
    ['webshop', ['context: expected an object, got "webshop" (text)']],
    [{ branch: 7 }, ['branch: left out, got 7 (number)']],
  ])('is asked although its context is %j', async (context, notes) => {
    void send({ hook: TEXT, context });
    const { id } = await pending();
    expect((await server.beckon.context(id))?.notes).toEqual(notes);
  });

  test('may be as large as any other hook, with a context that is cut', async () => {
    const input = { command: '"'.repeat(1_000_000) };
    const hook = JSON.stringify({ ...HOOK, hook_event_name: 'PostToolUse', tool_use_id: 'x', tool_input: input });
    expect(await send({ hook, context: { message: 'm'.repeat(900_000) } })).toMatchObject({ status: 200, body: {} });
  });

  test.each([
    ['no hook', { hook: '[]', context: {} }, /hook/],
    ['no JSON', { hook: '{', context: {} }, /not JSON/],
    ['a name twice', { hook: '{"session_id":"a","session_id":"b"}', context: {} }, /session_id/],
    ['no text', { hook: HOOK, context: {} }, /hook/],
    ['more than that', { hook: TEXT, context: {}, more: 1 }, /more/],
  ])('is refused if it is %s', async (_, body, message) => {
    const reply = await send(body);
    expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_input' } });
    expect(reply.body.detail).toMatch(message);
  });

  function send(payload: object) {
    const headers = { authorization: `Bearer ${server.tokens.agent}`, 'idempotency-key': 'hook_7' };
    return server.inject({ method: 'POST', url: '/hooks/claude/with-context?timeout=5m', headers, payload });
  }
});

test('a hook that asks for nothing is answered at once', async () => {
  const hook = { session_id: 'ses-1', hook_event_name: 'Notification', message: 'x'.repeat(2_000_000) };
  expect(await server.send('agent', 'POST', '/hooks/claude', hook)).toMatchObject({ status: 200, body: {} });
});

test('every hook is on the log, to the letter, and waits for the backend; a repeat changes nothing', async () => {
  const payload = '{ "session_id": "ses-1",  "hook_event_name": "Stop" }';
  for (const _ of [1, 2]) {
    const headers = {
      authorization: `Bearer ${server.tokens.agent}`,
      'content-type': 'application/json',
      'idempotency-key': 'hook_1',
    };
    expect(await server.inject({ method: 'POST', url: '/hooks/claude', headers, payload })).toMatchObject({ body: {} });
  }
  const events = await server.store.readLog({ after: 0, limit: 10 });
  expect(events.filter(({ type }) => type === 'hook.received')).toMatchObject([
    { hookId: 'hook_1', eventType: 'Stop' },
  ]);
  expect((await server.send('admin', 'GET', '/v1/hooks/hook_1')).text).toContain(payload);
});

test('the log says when a session began and ended', async () => {
  for (const event of ['SessionStart', 'SessionEnd'])
    await server.send('agent', 'POST', '/hooks/claude', { session_id: 'ses-1', hook_event_name: event });
  expect(await server.store.readLog({ after: 0, limit: 10 })).toMatchObject([
    { type: 'hook.received', eventType: 'SessionStart' },
    { type: 'session.started', sessionId: 'ses-1', conversationId: 'ses-1' },
    { type: 'hook.received', eventType: 'SessionEnd' },
    { type: 'session.ended', sessionId: 'ses-1' },
  ]);
});

test('only who may ask sends hooks, and only to their own chat', async () => {
  expect((await server.send('person', 'POST', '/hooks/claude', HOOK)).status).toBe(403);
  expect((await server.inject({ method: 'POST', url: '/hooks/claude', payload: HOOK })).status).toBe(401);
  expect((await server.send('teamAgent', 'POST', '/hooks/claude?chatId=ops', HOOK)).status).toBe(403);
  const reply = server.send('teamAgent', 'POST', '/hooks/claude?timeout=1', HOOK);
  expect((await pending()).chatId).toBe('team');
  expect((await reply).body).toEqual({});
});

test('an agent cannot answer with a hook what it asked in another way', async () => {
  const ask = {
    kind: 'approval',
    request: { tool: 'Bash', input: HOOK.tool_input },
    sessionId: 'ses-1',
    metadata: { agent: 'claude-code' },
  };
  const asked = (await server.send('agent', 'POST', '/v1/interactions', { ...ask, idempotencyKey: 'k' })).body;
  const ran = { ...HOOK, hook_event_name: 'PostToolUse', tool_use_id: 'toolu_1' };
  await server.send('agent', 'POST', '/hooks/claude', ran);
  await server.send('agent', 'POST', '/hooks/claude', { session_id: 'ses-1', hook_event_name: 'SessionEnd' });
  expect((await server.beckon.get(asked.id))?.status).toBe('pending');
  const forged = await server.send('agent', 'POST', '/v1/interactions', { ...ask, idempotencyKey: 'hook_call_1:0' });
  expect(forged).toMatchObject({ status: 400, body: { code: 'invalid_input' } });
});

test('what is no hook is refused, with what is wrong', async () => {
  const reply = await server.send('agent', 'POST', '/hooks/claude', { hook_event_name: 'Stop' });
  expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_input' } });
  expect(reply.body.detail).toContain('session_id');
});

test('a client that leaves no longer needs an answer', async () => {
  const client = post(await server.listen());
  const asked = await pending();
  client.destroy();
  await until(async () => expect((await server.beckon.get(asked.id))?.status).toBe('superseded'));
});

test('a stop keeps the question; the hook that comes again gets the answer', async () => {
  const url = await server.listen();
  const client = post(url, 'call-1');
  const status = new Promise((resolve) => client.on('response', ({ statusCode }) => resolve(statusCode)));
  const asked = await pending();
  await server.stop();
  expect(await status).toBe(503);
  server = await createTestApp({ folder: server.folder });
  expect((await server.beckon.get(asked.id))?.status).toBe('pending');
  await server.beckon.answer(asked.id, { decision: 'allow' }, { who: 'ana', via: 'test' });
  const reply = await server.inject({
    method: 'POST',
    url: '/hooks/claude',
    headers: { authorization: `Bearer ${server.tokens.agent}`, 'idempotency-key': 'call-1' },
    payload: HOOK,
  });
  expect(reply.body).toEqual(ALLOW);
});

function post(url: string, key = 'call-0') {
  const client = httpRequest(`${url}/hooks/claude`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${server.tokens.agent}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
  });
  client.on('error', () => undefined);
  client.end(JSON.stringify(HOOK));
  return client;
}

function pending(): Promise<Interaction> {
  return until(async () => {
    const [item] = (await server.beckon.list({ status: 'pending' })).items;
    if (item === undefined) throw new Error('Nothing is pending');
    return item;
  });
}
