import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCallbackUrls } from '../callback/callback-urls.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { openSocket } from '../testing/harness/server/clients.ts';
import { createTestApp, type TestApp, type TestReply } from '../testing/harness/server/test-app.ts';

const callbackUrls = createCallbackUrls({ secret: 'one', isExpiring: false });
let server: TestApp;
let approval: string;
beforeAll(async () => {
  server = await createTestApp({ callbackUrls });
  const ask = { kind: 'approval', request: { tool: 'Bash', input: { command: 'rm -rf /' } } };
  approval = (await server.send('agent', 'POST', '/v1/interactions', ask)).body.id;
});
afterAll(() => server.dispose());

function post(url: string, payload: string, type = 'application/json'): Promise<TestReply> {
  const authorization = `Bearer ${server.tokens.admin}`;
  return server.inject({ method: 'POST', url, payload, headers: { authorization, 'content-type': type } });
}

const isPending = async (): Promise<boolean> => (await server.beckon.get(approval))?.status === 'pending';

test.each([
  ['plainly', '{"answer":{"decision":"deny","decision":"allow"}}'],
  ['the other way round', '{"answer":{"decision":"allow","decision":"deny"}}'],
  ['with an escape', String.raw`{"answer":{"decision":"deny","d\u0065cision":"allow"}}`],
  ['with the same value', '{"answer":{"decision":"allow","decision":"allow"}}'],
])('an answer that decides twice, %s, decides nothing', async (_, body) => {
  for (const type of ['application/json', 'application/json; charset=utf-8']) {
    expect(await post(`/v1/interactions/${approval}/answer`, body, type)).toMatchObject({
      status: 400,
      body: { code: 'invalid_input', detail: 'The JSON has the field "decision" twice in one object. Send it once.' },
    });
  }
  expect(await isPending()).toBe(true);
});

test('every route that takes JSON refuses a name twice', async () => {
  const { paths } = (await server.send('admin', 'GET', '/openapi.json')).body as {
    paths: Record<string, Record<string, { requestBody?: object }>>;
  };
  const before = await server.store.lastSeq();
  const interaction = (await server.beckon.get(approval)) as Interaction;
  const callbackUrl = callbackUrls.toUrl('http://127.0.0.1', interaction).slice('http://127.0.0.1'.length);
  const urls = Object.entries(paths)
    .filter(([, methods]) => methods['post']?.requestBody !== undefined)
    .map(([path]) => path.replaceAll(/\{\w+\}/g, approval))
    .map((path) => (path === `/callback/${approval}` ? callbackUrl : path));
  expect(urls.length).toBeGreaterThan(10);
  for (const url of urls) {
    const { status, body } = await post(url, '{"deep":[{"twice":1,"twice":2}]}');
    expect({ url, status, detail: body.detail }).toEqual({
      url,
      status: 400,
      detail: 'The JSON has the field "twice" twice in one object. Send it once.',
    });
  }
  expect(await server.store.lastSeq()).toBe(before);
});

test.each([
  ['after a byte order mark', '\ufeff{"answer":{"decision":"deny","decision":"allow"}}'],
  [
    'with a thousand names in between',
    `{"answer":{"decision":"deny",${Array.from({ length: 1000 }, (_, at) => `"x${at}":1,`).join('')}"decision":"allow"}}`,
  ],
  [
    'around a text that looks like the end',
    String.raw`{"answer":{"decision":"deny","reason":"\\\"}}","decision":"allow"}}`,
  ],
])('a decision twice %s decides nothing', async (_, body) => {
  const { status, body: problem } = await post(`/v1/interactions/${approval}/answer`, body);
  expect({ status, detail: problem.detail }).toEqual({
    status: 400,
    detail: 'The JSON has the field "decision" twice in one object. Send it once.',
  });
  expect(await isPending()).toBe(true);
});

test('a parameter of the address that is there twice is refused', async () => {
  for (const query of ['status=pending&status=answered', 'chatId=a&chatId=b', 'limit=1&limit=2', 'text=a&text=b']) {
    const { status, body } = await server.send('admin', 'GET', `/v1/interactions?${query}`);
    expect({ query, status, code: body.code }).toEqual({ query, status: 400, code: 'invalid_input' });
  }
});

test('a hook with a name twice is neither asked nor kept', async () => {
  const before = await server.store.lastSeq();
  const hook =
    '{"hook_event_name":"PermissionRequest","session_id":"s","tool_name":"Bash","tool_input":{"command":"ls","command":"rm -rf /"}}';
  for (const url of ['/hooks/claude', '/command-complete/s']) {
    const { status, body } = await post(url, hook);
    expect({ url, status, detail: body.detail }).toMatchObject({
      status: 400,
      detail: expect.stringContaining('"command" twice'),
    });
  }
  expect(await server.store.lastSeq()).toBe(before);
});

test('a command over the WebSocket with a name twice does nothing, and the connection goes on', async () => {
  const client = await openSocket(await server.listen(), server.tokens.admin);
  client.socket.send(`{"type":"answer","ref":"a","id":"${approval}","answer":{"decision":"deny","decision":"allow"}}`);
  expect(await client.next('reply')).toMatchObject({
    error: { code: 'invalid_input', detail: expect.stringContaining('"decision" twice') },
  });
  expect(await isPending()).toBe(true);
  client.send({ type: 'answer', ref: 'b', id: approval, answer: { decision: 'deny' } });
  expect(await client.next('reply')).toMatchObject({ ref: 'b', result: 'accepted' });
  client.socket.close();
});

test.each([
  ['no JSON', '{"kind":', 'The body is not JSON, or has a field "__proto__" or "constructor.prototype".'],
  [
    '__proto__',
    '{"__proto__":{"a":1}}',
    'The body is not JSON, or has a field "__proto__" or "constructor.prototype".',
  ],
  [
    '__proto__ twice',
    '{"__proto__":1,"__proto__":2}',
    'The body is not JSON, or has a field "__proto__" or "constructor.prototype".',
  ],
])('a body with %s keeps its own refusal', async (_, body, detail) => {
  expect(await post('/v1/interactions', body)).toMatchObject({ status: 400, body: { code: 'invalid_input', detail } });
});
