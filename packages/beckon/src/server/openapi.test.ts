import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KINDS } from '../protocol/interaction.ts';
import { createTestApp, QUESTION, type TestApp } from '../testing/harness/server/test-app.ts';

type Node = Record<string, unknown>;

let server: TestApp;
let document: Node & { paths: Record<string, Record<string, Node>> };
beforeAll(async () => {
  server = await createTestApp();
  document = (await server.inject({ url: '/openapi.json' })).body;
});
afterAll(() => server.dispose());

/** Looks into the document: `at(document, 'paths', '/v1/ws', 'get')`. */
function at(node: unknown, ...path: readonly (string | number)[]): Node {
  return path.reduce<unknown>((inner, key) => (inner as Node | undefined)?.[key], node) as Node;
}

function bodyOf(path: string): Node {
  return resolve(at(document, 'paths', path, 'post', 'requestBody', 'content', 'application/json', 'schema'));
}

/** The named shape that a schema refers to. */
function resolve(schema: Node): Node {
  return at(document, ...String(schema['$ref']).slice(2).split('/'));
}

function replyOf(path: string, method: string, status: string): Node {
  return at(document, 'paths', path, method, 'responses', status, 'content', 'application/json', 'schema');
}

function listRoutes(): { path: string; method: string; route: Node }[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, route]) => ({ path, method, route })),
  );
}

describe('/openapi.json', () => {
  test('is a valid document of OpenAPI 3.1', async () => {
    const validator = new Validator();
    const result = await validator.validate(structuredClone(document));
    expect(result).toMatchObject({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  test('describes every route that there is, and no other', () => {
    const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(routes.sort()).toEqual(
      [
        'GET /v1/time-policies',
        'PUT /v1/time-policies',
        'DELETE /v1/time-policies',
        'POST /v1/interactions',
        'GET /v1/interactions',
        'GET /v1/interactions/{id}',
        'POST /v1/interactions/{id}/answer',
        'POST /v1/interactions/{id}/cancel',
        'POST /v1/interactions/{id}/supersede',
        'POST /v1/interactions/{id}/notes',
        'POST /v1/chats/{chatId}/say',
        'POST /v1/chats/{chatId}/cancel',
        'GET /v1/interactions/{id}/log',
        'GET /v1/sessions',
        'GET /v1/sessions/{id}/log',
        'GET /v1/interactions/{id}/context',
        'POST /v1/groups',
        'POST /v1/groups/{groupId}/answer',
        'POST /v1/answers',
        'GET /v1/sessions/titles',
        'PUT /v1/sessions/{id}',
        'GET /v1/snoozes',
        'PUT /v1/interactions/{id}/snooze',
        'DELETE /v1/interactions/{id}/snooze',
        'GET /v1/sessions/{id}/conversation',
        'GET /v1/history/counts',
        'GET /v1/history/export',
        'GET /v1/statistics',
        'GET /v1/rules',
        'POST /v1/rules',
        'GET /v1/rules/{id}',
        'PATCH /v1/rules/{id}',
        'DELETE /v1/rules/{id}',
        'POST /v1/rules/preview',
        'POST /v1/rules/test',
        'GET /v1/rules/suggestions',
        'POST /v1/rules/suggestions/dismiss',
        'GET /v1/interactions/{id}/rule-offers',
        'POST /v1/interactions/{id}/wrong',
        'GET /v1/destinations',
        'POST /v1/destinations',
        'PATCH /v1/destinations/{id}',
        'DELETE /v1/destinations/{id}',
        'POST /v1/destinations/{id}/test',
        'POST /v1/destinations/{id}/prove',
        'POST /v1/destinations/{id}/secret',
        'GET /v1/destinations/{id}/deliveries',
        'POST /v1/destinations/{id}/replay',
        'GET /v1/push-key',
        'PUT /v1/presence',
        'GET /v1/me',
        'POST /v1/login',
        'POST /v1/logout',
        'GET /v1/devices',
        'DELETE /v1/devices/{id}',
        'POST /v1/login-links',
        'POST /v1/me/login-link',
        'POST /v1/machine-logins',
        'GET /v1/machine-logins/status',
        'GET /v1/machine-logins/{code}',
        'POST /v1/machine-logins/{code}/approve',
        'POST /v1/machine-logins/{code}/refuse',
        'GET /v1/machines',
        'DELETE /v1/machines/{id}',
        'DELETE /v1/machines/self',
        'POST /command-complete/{interactionId}',
        'POST /api/sessions/{id}/events',
        'GET /v1/hooks/{id}',
        'GET /v1/outbox/entries',
        'GET /v1/outbox/entries/{id}',
        'GET /v1/outbox/destinations',
        'POST /v1/outbox/retry',
        'POST /v1/outbox/drop',
        'POST /v1/outbox/pause',
        'POST /v1/outbox/resume',
        'POST /hooks/{agent}',
        'POST /hooks/{agent}/with-context',
        'GET /mcp',
        'POST /mcp',
        'POST /callback/{id}',
        'GET /v1/events',
        'GET /v1/ws',
        'GET /healthz',
        'GET /readyz',
        'GET /metrics',
        'GET /openapi.json',
      ].sort(),
    );
    const printed = server.app.printRoutes({ commonPrefix: false });
    expect(printed.match(/\b(GET|POST|PUT|PATCH|DELETE|HEAD)\b/g)).toHaveLength(routes.length);
  });

  test('every route says what it does, what it takes and what it gives', () => {
    const incomplete = listRoutes().filter(({ path, method, route }) => {
      const parameters = (route['parameters'] ?? []) as Node[];
      const inPath = parameters.filter((parameter) => parameter['in'] === 'path').map(({ name }) => name);
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const hasBody = method !== 'post' || at(route, 'requestBody')?.['required'] === true;
      const hasReplies = Object.keys(at(route, 'responses')).length > 0;
      return typeof route['summary'] !== 'string' || !hasBody || !hasReplies || String(inPath) !== String(named);
    });
    expect(incomplete).toEqual([]);
  });

  test('is the same for everybody, and is refused only under the name of another host', async () => {
    const { text } = await server.inject({ url: '/openapi.json' });
    const wrong = { authorization: 'Bearer nonsense', cookie: 'beckon_device_8228=x' };
    expect(await server.inject({ url: '/openapi.json', headers: wrong })).toMatchObject({ status: 200, text });
    expect(await server.send('admin', 'GET', '/openapi.json')).toMatchObject({ status: 200, text });
    const elsewhere = await server.inject({ url: '/openapi.json', headers: { host: 'evil.example' } });
    expect(elsewhere).toMatchObject({ status: 421, body: { code: 'host_refused' } });
  });

  test('every operation has an id of its own: a verb and what it is about', () => {
    const ids = listRoutes().map(({ route }) => String(route['operationId']));
    expect(ids.filter((id) => !/^[a-z]+(?:[A-Z][a-z]+)+$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(['askInteraction', 'getInteraction', 'answerInteraction', 'askGroup']));
  });

  test('everything that is sent as JSON has a name, and every name is used', () => {
    const unnamed = listRoutes().flatMap(({ path, method, route }) => {
      const replies = Object.values((route['responses'] ?? {}) as Record<string, Node>);
      const contents = [at(route, 'requestBody', 'content'), ...replies.map((reply) => at(reply, 'content'))];
      return contents
        .flatMap((content) => Object.entries((content ?? {}) as Record<string, Node>))
        .filter(([type, content]) => /\bjson$/.test(type) && at(content, 'schema')['$ref'] === undefined)
        .map(([type]) => `${method} ${path} ${type}`);
    });
    expect(unnamed).toEqual([]);
    const names = Object.keys(at(document, 'components', 'schemas'));
    const used = new Set(
      [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name),
    );
    expect(names.filter((name) => !used.has(name))).toEqual([]);
    expect([...used].filter((name) => !names.includes(name ?? ''))).toEqual([]);
  });

  test('what has several forms names each of them, and the field that tells them apart', () => {
    const formsOf = (name: string): Node => at(document, 'components', 'schemas', name, 'discriminator');
    const ref = (name: string): string => `#/components/schemas/${name}`;
    expect(formsOf('Interaction')).toEqual({
      propertyName: 'kind',
      mapping: {
        question: ref('QuestionInteraction'),
        plan_review: ref('PlanReviewInteraction'),
        approval: ref('ApprovalInteraction'),
        form: ref('FormInteraction'),
        component: ref('ComponentInteraction'),
      },
    });
    expect(formsOf('AskBody')).toMatchObject({ propertyName: 'kind', mapping: { plan_review: ref('AskPlanReview') } });
    expect(formsOf('LogEvent')).toMatchObject({
      propertyName: 'type',
      mapping: { 'interaction.late_answer': ref('InteractionLateAnswerEvent'), 'rule.added': ref('RuleAddedEvent') },
    });
    const shapes = at(document, 'components', 'schemas');
    expect(at(shapes, 'PlanReviewInteraction', 'properties')).toMatchObject({
      request: { $ref: ref('AskedPlanReview') },
      answer: { $ref: ref('PlanReviewAnswer') },
      answeredBy: { $ref: ref('AnsweredBy') },
    });
    expect(at(shapes, 'GivenAnswer')['anyOf']).toEqual(
      ['Question', 'PlanReview', 'Approval', 'Form', 'Component'].map((kind) => ({ $ref: ref(`Given${kind}Answer`) })),
    );
  });

  test('a shape has a second name only where requests and replies differ', () => {
    const shapes = at(document, 'components', 'schemas');
    const second = Object.keys(shapes).filter((name) => name.endsWith('Input'));
    expect(second).toEqual(['RuleMatchInput']);
    // A command without `rest` may be sent, and has one when it is read.
    const commandsOf = (name: string): Node => at(shapes, name, 'anyOf', 0, 'properties', 'commands', 'items');
    expect(commandsOf('RuleMatchInput')['required']).toEqual(['words']);
    expect(commandsOf('RuleMatch')['required']).toEqual(['words', 'rest']);
  });

  test('every route that needs a token describes its errors as problem details, and no other is open', () => {
    const problem = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };
    const described = listRoutes().map(({ path, route }) => ({
      path,
      isOpen: JSON.stringify(route['security']) === '[]',
      problem: at(route, 'responses', 'default', 'content'),
    }));
    expect(described.filter(({ isOpen }) => isOpen).map(({ path }) => path)).toEqual([
      '/v1/machine-logins',
      '/callback/{id}',
      '/healthz',
      '/readyz',
      '/openapi.json',
      '/v1/login',
    ]);
    const closed = described.filter(({ isOpen }) => !isOpen);
    expect(closed.map((route) => route.problem)).toEqual(closed.map(() => problem));
    expect(document['security']).toEqual([{ token: [] }, { device: [] }]);
    expect(at(document, 'components', 'securitySchemes', 'token')).toEqual({ type: 'http', scheme: 'bearer' });
    expect(at(document, 'components', 'securitySchemes', 'device')).toMatchObject({ type: 'apiKey', in: 'cookie' });
  });

  test('an ask has one form for each kind, with readable fields', () => {
    const forms = (bodyOf('/v1/interactions')['oneOf'] as Node[]).map(resolve);
    expect(forms.map((form) => at(form, 'properties', 'kind')['const'])).toEqual(KINDS);
    for (const form of forms) {
      expect(form['additionalProperties']).toBe(false);
      expect(form['required']).toEqual(['kind', 'request']);
      expect(resolve(at(form, 'properties', 'metadata'))).toMatchObject({ type: 'object' });
      expect(at(form, 'properties', 'idempotencyKey')).toMatchObject({
        type: 'string',
        minLength: 1,
        maxLength: 200,
        pattern: expect.any(String),
      });
      expect(at(form, 'properties', 'timeout', 'anyOf')).toEqual([
        expect.objectContaining({ type: ['number', 'string'] }),
        { type: 'null' },
      ]);
    }
    expect(at(resolve(at(forms[0], 'properties', 'request')), 'properties', 'question')).toMatchObject({
      type: 'string',
      minLength: 1,
      maxLength: 65_536,
    });
  });

  test('bodies, queries and paths say what is allowed', () => {
    expect(bodyOf('/v1/interactions/{id}/answer')).toMatchObject({
      type: 'object',
      required: ['answer'],
      properties: { answer: { $ref: '#/components/schemas/GivenAnswer' }, via: { type: 'string' } },
      additionalProperties: false,
    });
    const parameters = (path: string, method = 'get') =>
      at(document, 'paths', path, method)['parameters'] as unknown as Node[];
    const wait = { name: 'wait', schema: expect.objectContaining({ type: 'integer', maximum: 60 }) };
    expect(parameters('/v1/interactions/{id}')).toContainEqual(expect.objectContaining(wait));
    expect(parameters('/v1/interactions', 'post')).toContainEqual(expect.objectContaining(wait));
    expect(parameters('/v1/interactions')).toContainEqual(
      expect.objectContaining({ name: 'limit', schema: expect.objectContaining({ type: 'integer', maximum: 200 }) }),
    );
  });

  test('nothing is described as just anything, but what may be just that', () => {
    const empty: string[] = [];
    const visit = (node: unknown, path: string): void => {
      if (typeof node !== 'object' || node === null) return;
      if (Object.keys(node).length === 0 && /schema$|items$|properties\.\w+$/.test(path)) empty.push(path);
      for (const [key, inner] of Object.entries(node)) visit(inner, `${path}.${key}`);
    };
    visit(document['paths'], 'paths');
    visit(document['components'], 'components');
    expect(empty).toEqual([]);
  });

  test('what the server sends is as described', async () => {
    const ajv = new Ajv2020({ strict: false, logger: false });
    ajv.addSchema({ $id: 'beckon', ...document });
    const check = (schema: Node, value: unknown): void => {
      const text = JSON.stringify(schema).replaceAll('"#/', '"beckon#/');
      ajv.validate(JSON.parse(text), value);
      expect({ value, errors: ajv.errors ?? [] }).toEqual({ value, errors: [] });
    };
    const asked = await server.send('agent', 'POST', '/v1/interactions', { ...QUESTION, metadata: { a: 1 } });
    check(replyOf('/v1/interactions', 'post', '201'), asked.body);
    const path = `/v1/interactions/${asked.body.id}`;
    const answered = await server.send('person', 'POST', `${path}/answer`, { answer: { text: 'yes' } });
    check(replyOf('/v1/interactions/{id}/answer', 'post', '200'), answered.body);
    const lost = await server.send('person', 'POST', `${path}/answer`, { answer: { text: 'no' } });
    const problem = at(document, 'paths', '/v1/interactions/{id}/answer', 'post', 'responses', '409', 'content');
    check(at(problem, 'application/problem+json', 'schema'), lost.body);
    check(replyOf('/v1/interactions/{id}', 'get', '200'), (await server.send('agent', 'GET', path)).body);
    check(replyOf('/v1/interactions', 'get', '200'), (await server.send('person', 'GET', '/v1/interactions')).body);
    check(replyOf('/healthz', 'get', '200'), (await server.inject({ url: '/healthz' })).body);
  });
});
