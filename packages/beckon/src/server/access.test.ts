import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROLES } from '../protocol/token.ts';
import { createTestApp, type TestApp } from '../testing/harness/server/test-app.ts';

/** Who may use which route. A route that is not in this table fails the test. */
const ALLOWED: Record<string, readonly string[] | 'open'> = {
  'POST /v1/interactions': ['agent', 'admin'],
  'GET /v1/interactions': ['person', 'admin'],
  'GET /v1/interactions/{id}': ['agent', 'person', 'admin'],
  'POST /v1/interactions/{id}/answer': ['person', 'admin'],
  'POST /v1/interactions/{id}/cancel': ['agent', 'admin'],
  'POST /v1/interactions/{id}/supersede': ['agent', 'admin'],
  'POST /v1/interactions/{id}/notes': ['agent', 'person', 'admin'],
  'POST /v1/chats/{chatId}/say': ['person', 'admin'],
  'POST /v1/chats/{chatId}/cancel': ['agent', 'admin'],
  'GET /v1/interactions/{id}/context': ['agent', 'person', 'admin'],
  'POST /v1/groups': ['agent', 'admin'],
  'POST /v1/groups/{groupId}/answer': ['person', 'admin'],
  'POST /v1/answers': ['person', 'admin'],
  'GET /v1/interactions/{id}/log': ['person', 'admin'],
  'GET /v1/sessions': ['person', 'admin'],
  'GET /v1/sessions/{id}/log': ['person', 'admin'],
  'GET /v1/sessions/titles': ['person', 'admin'],
  'PUT /v1/sessions/{id}': ['person', 'admin'],
  'GET /v1/snoozes': ['person', 'admin'],
  'PUT /v1/interactions/{id}/snooze': ['person', 'admin'],
  'DELETE /v1/interactions/{id}/snooze': ['person', 'admin'],
  'GET /v1/sessions/{id}/conversation': ['person', 'admin'],
  'GET /v1/history/export': ['person', 'admin'],
  'GET /v1/history/counts': ['person', 'admin'],
  'GET /v1/statistics': ['person', 'admin'],
  'GET /v1/rules': ['person', 'admin'],
  'POST /v1/rules': ['person', 'admin'],
  'GET /v1/rules/{id}': ['person', 'admin'],
  'PATCH /v1/rules/{id}': ['person', 'admin'],
  'DELETE /v1/rules/{id}': ['person', 'admin'],
  'POST /v1/rules/preview': ['person', 'admin'],
  'POST /v1/rules/test': ['person', 'admin'],
  'GET /v1/rules/suggestions': ['person', 'admin'],
  'POST /v1/rules/suggestions/dismiss': ['person', 'admin'],
  'GET /v1/interactions/{id}/rule-offers': ['person', 'admin'],
  'POST /v1/interactions/{id}/wrong': ['person', 'admin'],
  'GET /v1/time-policies': ['person', 'admin'],
  'PUT /v1/time-policies': ['person', 'admin'],
  'DELETE /v1/time-policies': ['person', 'admin'],
  'GET /v1/destinations': ['person', 'admin'],
  'POST /v1/destinations': ['person', 'admin'],
  'PATCH /v1/destinations/{id}': ['person', 'admin'],
  'DELETE /v1/destinations/{id}': ['person', 'admin'],
  'POST /v1/destinations/{id}/test': ['person', 'admin'],
  'POST /v1/destinations/{id}/prove': ['person', 'admin'],
  'POST /v1/destinations/{id}/secret': ['person', 'admin'],
  'GET /v1/destinations/{id}/deliveries': ['person', 'admin'],
  'POST /v1/destinations/{id}/replay': ['person', 'admin'],
  'GET /v1/push-key': ['person', 'admin'],
  'PUT /v1/presence': ['person', 'admin'],
  'GET /v1/me': ['agent', 'person', 'admin'],
  'POST /v1/login': 'open',
  'POST /v1/logout': ['person', 'admin'],
  'GET /v1/devices': ['person', 'admin'],
  'DELETE /v1/devices/{id}': ['person', 'admin'],
  'POST /v1/login-links': ['admin'],
  'POST /v1/me/login-link': ['person', 'admin'],
  'POST /v1/machine-logins': 'open',
  'GET /v1/machine-logins/status': 'open',
  'GET /v1/machine-logins/{code}': ['person', 'admin'],
  'POST /v1/machine-logins/{code}/approve': ['person', 'admin'],
  'POST /v1/machine-logins/{code}/refuse': ['person', 'admin'],
  'GET /v1/machines': ['person', 'admin'],
  'DELETE /v1/machines/{id}': ['person', 'admin'],
  'DELETE /v1/machines/self': 'open',
  'POST /command-complete/{interactionId}': ['agent', 'admin'],
  'POST /api/sessions/{id}/events': ['agent', 'admin'],
  'GET /v1/hooks/{id}': ['person', 'admin'],
  'GET /v1/outbox/entries': ['admin'],
  'GET /v1/outbox/entries/{id}': ['admin'],
  'GET /v1/outbox/destinations': ['admin'],
  'POST /v1/outbox/retry': ['admin'],
  'POST /v1/outbox/drop': ['admin'],
  'POST /v1/outbox/pause': ['admin'],
  'POST /v1/outbox/resume': ['admin'],
  'POST /hooks/{agent}': ['agent', 'admin'],
  'POST /hooks/{agent}/with-context': ['agent', 'admin'],
  'GET /mcp': ['agent', 'admin'],
  'POST /mcp': ['agent', 'admin'],
  'GET /v1/events': ['person', 'admin'],
  'GET /v1/ws': ['person', 'admin'],
  'POST /callback/{id}': 'open',
  'GET /healthz': 'open',
  'GET /readyz': 'open',
  'GET /metrics': ['admin'],
  'GET /openapi.json': 'open',
};

let server: TestApp;
let routes: string[];
let documented: string[];
beforeAll(async () => {
  server = await createTestApp({ times: { firstRefusalMs: 1, longestRefusalMs: 2 } });
  const { paths } = (await server.inject({ url: '/openapi.json' })).body;
  documented = Object.entries<object>(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  routes = documented.filter((route) => ALLOWED[route] !== 'open');
});
afterAll(() => server.dispose());

/** Sends the worst case: a body that nobody would accept, so that only access decides between 401, 403 and the rest. */
async function statusOf(route: string, authorization: string | undefined): Promise<{ status: number; code: string }> {
  const [method, path = ''] = route.split(' ');
  const url = path.replace(/\{\w+\}/, 'x');
  // An event stream that is let in does not end; one that resumes from nonsense is refused after access was granted.
  const isStream = path === '/v1/events';
  const { status, body } = await server.inject({
    method: method as 'GET',
    url,
    headers: {
      ...(authorization !== undefined && { authorization }),
      ...(isStream && { 'last-event-id': 'x' }),
    },
    ...(['POST', 'PUT', 'PATCH'].includes(method ?? '') && { payload: { nonsense: true } }),
  });
  return { status, code: body?.code };
}

test('the table has every route of the description, and no other', () => {
  expect(documented.sort()).toEqual(Object.keys(ALLOWED).sort());
});

describe('every closed route is 401', () => {
  test.each<[string, () => string | undefined]>([
    ['without a token', () => undefined],
    ['with an empty header', () => ''],
    ['with no more than the scheme', () => 'Bearer'],
    ['with an empty token', () => 'Bearer '],
    ['with a wrong token', () => `Bearer bkn_0123456789abcdef_${'A'.repeat(43)}`],
    ['with the wrong secret of a token that exists', () => `Bearer ${server.tokens.admin.slice(0, -1)}!`],
    ['with a token cut short', () => `Bearer ${server.tokens.admin.slice(0, -1)}`],
    ['with a token and more', () => `Bearer ${server.tokens.admin}A`],
    ['with two tokens', () => `Bearer ${server.tokens.admin} ${server.tokens.admin}`],
    ['with the name of a role', () => 'Bearer admin'],
    ['with a token of another scheme', () => `Basic ${Buffer.from(`:${server.tokens.admin}`).toString('base64')}`],
    ['with the token alone', () => server.tokens.admin],
    ['with a very long token', () => `Bearer ${'A'.repeat(10_000)}`],
    ['with a token in capitals', () => `Bearer ${server.tokens.admin.toUpperCase()}`],
    ['with nothing but control characters', () => 'Bearer \t\t'],
  ])('%s', async (_, authorization) => {
    for (const route of routes) {
      expect({ route, ...(await statusOf(route, authorization())) }).toEqual({
        route,
        status: 401,
        code: 'unauthorized',
      });
    }
  });

  test('with the token in the address', async () => {
    for (const route of routes) {
      const [method, path = ''] = route.split(' ');
      const query = `?token=${server.tokens.admin}&access_token=${server.tokens.admin}`;
      const { status } = await server.inject({ method: method as 'GET', url: path.replace(/\{\w+\}/, 'x') + query });
      expect({ route, status }).toEqual({ route, status: 401 });
    }
  });
});

describe.each(ROLES)('the role %s', (role) => {
  test('is let in where the table says so, and is 403 everywhere else', async () => {
    const letIn: string[] = [];
    for (const route of routes) {
      const { status, code } = await statusOf(route, `Bearer ${server.tokens[role]}`);
      if (status !== 401 && code !== 'forbidden') letIn.push(route);
    }
    expect(letIn).toEqual(routes.filter((route) => ALLOWED[route]?.includes(role)));
  });

  test('is let in by any spelling of the scheme', async () => {
    for (const scheme of ['bearer', 'BEARER']) {
      expect((await statusOf('GET /v1/me', `${scheme} ${server.tokens[role]}`)).status).toBe(200);
    }
  });
});

test('methods and paths that no route has are 404 and do nothing, with and without a token', async () => {
  for (const route of documented) {
    const [, path = ''] = route.split(' ');
    for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'TRACE']) {
      if (documented.includes(`${method} ${path}`)) continue;
      // A session or a rule may have the name of a route.
      if (documented.includes(`${method} ${path.replace(/\/(?:titles|preview|test|suggestions)$/, '/{id}')}`)) continue;
      for (const authorization of [undefined, `Bearer ${server.tokens.admin}`]) {
        const { status } = await statusOf(`${method} ${path}`, authorization);
        expect({ method, path, status }).toEqual({ method, path, status: 404 });
      }
    }
  }
  for (const path of [
    '/v1',
    '/admin',
    '/assets/none.js',
    '/metrics/',
    '/openapi.json/',
    '/v1/events/',
    '/documentation/json',
  ]) {
    expect({ path, status: (await statusOf(`GET ${path}`, undefined)).status }).toEqual({ path, status: 404 });
  }
});

test('a body is not read before the token is checked', async () => {
  const { status } = await server.inject({
    method: 'POST',
    url: '/v1/interactions',
    headers: { 'content-type': 'application/json' },
    payload: `{"a":"${'a'.repeat(2_000_000)}"}`,
  });
  expect(status).toBe(401);
});

test('a route without a declared action is closed to everybody', async () => {
  const other = await createTestApp({ times: { firstRefusalMs: 1, longestRefusalMs: 1 } }, (app) => {
    app.get('/forgotten', async () => 'secret');
  });
  expect((await other.inject({ url: '/forgotten' })).status).toBe(401);
  expect((await other.send('admin', 'GET', '/forgotten')).status).toBe(403);
  await other.dispose();
});
