import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KINDS } from '../protocol/interaction.ts';
import { createTestApp, QUESTION, type TestApp } from '../testing/harness/server/test-app.ts';

let server: TestApp;
beforeAll(async () => {
  server = await createTestApp();
});
afterAll(() => server.dispose());

const ASKS = {
  question: { question: 'Deploy?', options: [{ label: 'yes' }, { label: 'no' }] },
  plan_review: { plan: '# Plan', toolInput: {} },
  approval: { tool: 'Bash', input: { command: 'ls' } },
  form: { message: 'Who?', schema: { type: 'object', required: ['name'] } },
  component: { components: [{ type: 'card' }] },
} as const;

describe('POST /v1/interactions', () => {
  test.each(KINDS)('asks a %s: 201 with the interaction', async (kind) => {
    const { status, body } = await server.send('agent', 'POST', '/v1/interactions', { kind, request: ASKS[kind] });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      kind,
      request: ASKS[kind],
      status: 'pending',
      chatId: 'default',
      askedBy: 'builder',
    });
    expect(await server.beckon.get(body.id)).toEqual(body);
  });

  test('takes every field of an ask', async () => {
    const fields = {
      id: 'my-id',
      chatId: '-100',
      sessionId: 's1',
      groupId: 'g1',
      idempotencyKey: 'k-fields',
      metadata: { a: [1] },
    };
    const { status, body } = await server.send('agent', 'POST', '/v1/interactions', {
      ...QUESTION,
      ...fields,
      timeout: null,
    });
    expect(status).toBe(201);
    expect(body).toMatchObject(fields);
    expect(body).not.toHaveProperty('expiresAt');
  });

  test('says 201 to one of those who ask the same at the same time', async () => {
    const ask = { ...QUESTION, id: 'raced', idempotencyKey: 'raced' };
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => server.send('agent', 'POST', '/v1/interactions', ask)),
    );
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 200, 200, 201]);
  });

  test.each([{}, { id: 'chosen' }])('says 200 and gives the earlier one for a key that was used: %j', async (own) => {
    const ask = { ...QUESTION, ...own, idempotencyKey: `again-${Object.keys(own).length}` };
    const first = await server.send('agent', 'POST', '/v1/interactions', ask);
    const second = await server.send('agent', 'POST', '/v1/interactions', ask);
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body).toEqual(first.body);
  });

  test('gives a settled one, with its answer, to an agent that asks again', async () => {
    const ask = { ...QUESTION, idempotencyKey: 'restarted' };
    const { id } = (await server.send('agent', 'POST', '/v1/interactions', ask)).body;
    await server.send('person', 'POST', `/v1/interactions/${id}/answer`, { answer: { text: 'yes' } });
    const again = await server.send('agent', 'POST', '/v1/interactions', ask);
    expect(again).toMatchObject({ status: 200, body: { id, status: 'answered', answer: { text: 'yes' } } });
  });

  test('refuses an id that is taken', async () => {
    await server.send('agent', 'POST', '/v1/interactions', { ...QUESTION, id: 'taken' });
    const { status, body } = await server.send('agent', 'POST', '/v1/interactions', { ...QUESTION, id: 'taken' });
    expect([status, body.code]).toEqual([409, 'interaction_exists']);
  });

  test.each([
    [{ ...QUESTION, title: 'x', who: 'y' }, ['title', 'who']],
    [{ ...QUESTION, askedBy: 'root' }, ['askedBy']],
    [{ kind: 'question', request: { question: 'q', hint: 'x' } }, ['request.hint']],
    [{ ...QUESTION, timeout: 'soon' }, ['timeout']],
    [{ kind: 'poll', request: {} }, ['kind']],
    [[], ['']],
    [{ kind: 'form', request: { message: 'm', schema: { type: 'nonsense' } } }, ['request.schema']],
  ])('names what is wrong in %j', async (ask, paths) => {
    const { status, body } = await server.send('agent', 'POST', '/v1/interactions', ask);
    expect([status, body.code]).toEqual([400, 'invalid_input']);
    expect(body.problems.map((problem: { path: string }) => problem.path)).toEqual(paths);
    for (const path of paths) expect(body.detail).toContain(path);
  });
});

describe('GET /v1/interactions', () => {
  test('lists the newest first, by filter, in pages', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      const ask = { ...QUESTION, chatId: 'listed', sessionId: 'here' };
      ids.unshift((await server.send('agent', 'POST', '/v1/interactions', ask)).body.id);
    }
    const path = '/v1/interactions?chatId=listed&sessionId=here&kind=question&status=pending&limit=3';
    const first = (await server.send('person', 'GET', path)).body;
    const second = (await server.send('person', 'GET', `${path}&after=${first.next}`)).body;
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids);
    expect(second).not.toHaveProperty('next');
  });

  test.each([
    ['limit=0', 'limit'],
    ['limit=201', 'limit'],
    ['limit=x', 'limit'],
    ['status=open', 'status'],
    ['kind=poll', 'kind'],
    ['chatId=', 'chatId'],
    ['after=x', 'after'],
    ['page=2', 'page'],
    ['status=pending&status=expired', 'status'],
    ['__proto__=x', '__proto__'],
  ])('names what is wrong in ?%s', async (query, path) => {
    const { status, body } = await server.send('person', 'GET', `/v1/interactions?${query}`);
    expect([status, body.code, body.problems[0].path]).toEqual([400, 'invalid_input', path]);
  });
});

describe('GET /v1/interactions/:id', () => {
  test('gives one, pending or settled', async () => {
    const { id } = (await server.send('agent', 'POST', '/v1/interactions', QUESTION)).body;
    expect(await server.send('agent', 'GET', `/v1/interactions/${id}`)).toMatchObject({
      status: 200,
      body: { id, status: 'pending' },
    });
    await server.beckon.cancel({ id });
    expect((await server.send('person', 'GET', `/v1/interactions/${id}?wait=60`)).body.status).toBe('cancelled');
  });

  test('waits, and says how it stands when the time is over', async () => {
    const { id } = (await server.send('agent', 'POST', '/v1/interactions', QUESTION)).body;
    const { status, body } = await server.send('agent', 'GET', `/v1/interactions/${id}?wait=1`);
    expect([status, body.status]).toEqual([200, 'pending']);
  });

  test('waits until it is answered', async () => {
    const { id } = (await server.send('agent', 'POST', '/v1/interactions', QUESTION)).body;
    const waiting = server.send('agent', 'GET', `/v1/interactions/${id}?wait=60`);
    await server.send('person', 'POST', `/v1/interactions/${id}/answer`, { answer: { text: 'yes' } });
    expect((await waiting).body).toMatchObject({ status: 'answered', answer: { text: 'yes' } });
  });

  test('is 404 for one that does not exist, also with a wait', async () => {
    for (const query of ['', '?wait=60']) {
      const { status, body } = await server.send('person', 'GET', `/v1/interactions/int_none${query}`);
      expect([status, body.code]).toEqual([404, 'interaction_not_found']);
    }
  });

  test.each(['?wait=61', '?wait=-1', '?wait=', '?wait=1.5', '?wait=1&wait=2', '?waits=1'])(
    'refuses %s',
    async (query) => {
      const { status, body } = await server.send('person', 'GET', `/v1/interactions/int_1${query}`);
      expect([status, body.code]).toEqual([400, 'invalid_input']);
    },
  );

  test.each(['a b', 'a%2Fb', '%00', '..%2f', 'x'.repeat(201)])('refuses the id %s', async (id) => {
    const { status } = await server.send('person', 'GET', `/v1/interactions/${encodeURI(id)}`);
    expect(status).toBe(400);
  });
});
