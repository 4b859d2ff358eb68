import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ERROR_CATALOGUE, type ErrorCode } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import { createTestApp, QUESTION, type TestApp, type TestReply } from '../testing/harness/server/test-app.ts';

let server: TestApp;
let formId: string;
let componentId: string;
beforeAll(async () => {
  server = await createTestApp();
  const ask = async (body: object) => (await server.send('agent', 'POST', '/v1/interactions', body)).body.id;
  formId = await ask({ kind: 'form', request: { message: 'm', schema: {} } });
  componentId = await ask({ kind: 'component', request: { components: [] } });
});
afterAll(() => server.dispose());

function post(url: string, payload: string | Buffer, headers: Record<string, string> = {}): Promise<TestReply> {
  const authorization = `Bearer ${server.tokens.admin}`;
  return server.inject({
    method: 'POST',
    url,
    payload,
    headers: { authorization, 'content-type': 'application/json', ...headers },
  });
}

/** Every error has the shape of RFC 9457 and a code of the catalogue. */
function problem(code: ErrorCode): object {
  const { status, title } = ERROR_CATALOGUE[code];
  return {
    status,
    type: expect.stringMatching(/^application\/problem\+json/),
    body: expect.objectContaining({
      type: `urn:beckon:error:${code}`,
      title,
      status,
      code,
      detail: expect.any(String),
    }),
  };
}

function shapeOf({ status, headers, body }: TestReply): object {
  return { status, type: headers['content-type'], body };
}

describe('JSON of 100,000 levels', () => {
  const arrays = '['.repeat(100_000) + ']'.repeat(100_000);
  const objects = '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000);
  const places = (deep: string): [string, () => string, string][] => [
    ['components', () => '/v1/interactions', `{"kind":"component","request":{"components":${deep}}}`],
    ['metadata', () => '/v1/interactions', `{"kind":"question","request":{"question":"q"},"metadata":{"a":${deep}}}`],
    ['a tool input', () => '/v1/interactions', `{"kind":"approval","request":{"tool":"t","input":{"a":${deep}}}}`],
    ['a plan', () => '/v1/interactions', `{"kind":"plan_review","request":{"plan":"p","toolInput":{"a":${deep}}}}`],
    ['a form', () => '/v1/interactions', `{"kind":"form","request":{"message":"m","schema":{"a":${deep}}}}`],
    [
      'suggestions',
      () => '/v1/interactions',
      `{"kind":"approval","request":{"tool":"t","suggestions":[{"a":${deep}}]}}`,
    ],
    ['an unknown field', () => '/v1/interactions', `{"kind":"question","request":{"question":"q"},"x":${deep}}`],
    ['a question', () => '/v1/interactions', `{"kind":"question","request":{"question":${deep}}}`],
    ['the kind', () => '/v1/interactions', `{"kind":${deep}}`],
    ['the body', () => '/v1/interactions', deep],
    ['the values of an answer', () => `/v1/interactions/${formId}/answer`, `{"answer":{"values":${deep}}}`],
    [
      'the data of an answer',
      () => `/v1/interactions/${componentId}/answer`,
      `{"answer":{"action":"a","data":${deep}}}`,
    ],
    ['a reason', () => `/v1/interactions/${formId}/cancel`, `{"reason":${deep}}`],
    ['a text', () => '/v1/chats/c/say', `{"text":${deep}}`],
  ];

  test.each(places(arrays))('of arrays in %s is 400', async (_, url, body) => {
    expect(shapeOf(await post(url(), body))).toEqual(problem('invalid_input'));
  });

  test.each(places(objects))('of objects in %s is 400', async (_, url, body) => {
    expect(shapeOf(await post(url(), body))).toEqual(problem('invalid_input'));
  });
});

describe('a body', () => {
  test.each([
    ['{"kind":"question","request":{"question":"q"},"__proto__":{}}'],
    ['{"kind":"question","request":{"question":"q"},"metadata":{"a":[{"__proto__":{"isAdmin":true}}]}}'],
    ['{"kind":"question","request":{"question":"q"},"metadata":{"constructor":{"prototype":{}}}}'],
    ['{"kind":"question","request":{"question":"q"},"\\u005f_proto__":{}}'],
  ])('that reaches for prototypes is 400: %s', async (body) => {
    expect(shapeOf(await post('/v1/interactions', body))).toEqual(problem('invalid_input'));
  });

  test.each(['', '{', '{"a":}', 'null', '"text"', '[1]', '\u0000', '{"a":1}}', '\uFEFF{}', "{'a':1}"])(
    'that is no JSON object is 400: %j',
    async (body) => {
      expect(shapeOf(await post('/v1/interactions', body))).toEqual(problem('invalid_input'));
    },
  );

  test('in broken UTF-8 is read with a sign in place of each broken byte', async () => {
    const body = Buffer.from('{"kind":"question","request":{"question":"a\xffb"}}', 'latin1');
    const reply = await post('/v1/interactions', body);
    expect([reply.status, reply.body.request.question]).toEqual([201, 'a\uFFFDb']);
  });

  test('of 1 MiB is read, and one byte more is 413', async () => {
    const frame = JSON.stringify({ kind: 'plan_review', request: { plan: '' } }).length;
    const make = (bytes: number) =>
      JSON.stringify({ kind: 'plan_review', request: { plan: 'a'.repeat(bytes - frame) } });
    expect((await post('/v1/interactions', make(LIMITS.requestBytes))).status).toBe(201);
    expect(shapeOf(await post('/v1/interactions', make(LIMITS.requestBytes + 1)))).toEqual(problem('too_large'));
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'x',
  ])('of the type %s is 415', async (type) => {
    expect(shapeOf(await post('/v1/interactions', JSON.stringify(QUESTION), { 'content-type': type }))).toEqual(
      problem('unsupported_media_type'),
    );
  });

  test('of JSON is known by any spelling of its type', async () => {
    for (const type of ['application/json; charset=utf-8', 'Application/JSON']) {
      expect((await post('/v1/interactions', JSON.stringify(QUESTION), { 'content-type': type })).status).toBe(201);
    }
  });

  test('with a hundred thousand unknown fields gets a short answer', async () => {
    const fields = Array.from({ length: 100_000 }, (_, index) => `"${index.toString(36)}":1`).join(',');
    const reply = await post('/v1/interactions', `{"kind":"question","request":{"question":"q"},${fields}}`);
    expect(shapeOf(reply)).toEqual(problem('invalid_input'));
    expect(reply.text.length).toBeLessThan(20_000);
  });
});

describe('an address', () => {
  test.each(['/v1', '/v2/interactions', '/v1/interactions/a/b', '/V1/interactions', '/%2e%2e/x'])(
    '%s is 404',
    async (url) => {
      expect(shapeOf(await server.send('admin', 'GET', url))).toEqual(problem('route_not_found'));
    },
  );

  test.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'TRACE'])('%s is a method of no route', async (method) => {
    const reply = await server.send('admin', method, '/v1/interactions');
    expect(reply.status).toBe(404);
  });

  test.each([
    '/v1/interactions/%',
    '/v1/interactions/%ff',
    '/v1/interactions/%E0%A4%A',
    `/v1/interactions/${'a'.repeat(1001)}`,
  ])('%s that cannot be read is 400', async (url) => {
    expect(shapeOf(await server.send('admin', 'GET', url))).toEqual(problem('invalid_input'));
  });
});

test('health and readiness need no token, and say what runs here', async () => {
  expect(await server.inject({ url: '/healthz' })).toMatchObject({
    status: 200,
    body: { status: 'ok', name: 'beckon', version: '1.2.3', pid: process.pid },
  });
  expect(await server.inject({ url: '/readyz' })).toMatchObject({ status: 200, body: { status: 'ready' } });
});

test('a WebSocket route without an upgrade is 400', async () => {
  expect(shapeOf(await server.send('admin', 'GET', '/v1/ws'))).toEqual(problem('invalid_input'));
});

test('a store that is gone is 503 with a time to come back', async () => {
  const broken = await createTestApp();
  await broken.send('agent', 'GET', '/v1/me'); // The token is known from here on.
  await broken.beckon.close();
  const reply = await broken.send('agent', 'POST', '/v1/interactions', QUESTION);
  expect(reply.status).toBe(503);
  expect(reply.headers['retry-after']).toBe('1');
  expect(await broken.inject({ url: '/readyz' })).toMatchObject({
    status: 503,
    body: {
      status: 'not ready',
      problems: ['Reading fails: Beckon was closed (closed)', 'Writing fails: Beckon was closed (closed)'],
    },
  });
  await broken.dispose();
});
