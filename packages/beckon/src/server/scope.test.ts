import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, QUESTION, type TestApp, type TokenName } from '../testing/harness/server/test-app.ts';

let server: TestApp;
beforeAll(async () => {
  server = await createTestApp();
});
afterAll(() => server.dispose());

async function ask(as: TokenName, fields: object = {}): Promise<string> {
  const { status, body } = await server.send(as, 'POST', '/v1/interactions', { ...QUESTION, ...fields });
  expect(status).toBe(201);
  return body.id;
}

const HIDDEN = [404, 'interaction_not_found'];

async function outcome(as: TokenName, method: string, url: string, body?: object): Promise<unknown[]> {
  const reply = await server.send(as, method, url, body);
  return reply.status < 400 ? [reply.status] : [reply.status, reply.body.code];
}

describe('an agent', () => {
  test('does not see, wait for, cancel, supersede or note what another one asked: it looks as if it were not there', async () => {
    const id = await ask('agent');
    const path = `/v1/interactions/${id}`;
    expect(await outcome('otherAgent', 'GET', path)).toEqual(HIDDEN);
    expect(await outcome('otherAgent', 'GET', `${path}?wait=60`)).toEqual(HIDDEN);
    expect(await outcome('otherAgent', 'POST', `${path}/cancel`, {})).toEqual(HIDDEN);
    expect(await outcome('otherAgent', 'POST', `${path}/supersede`, {})).toEqual(HIDDEN);
    expect(await outcome('otherAgent', 'POST', `${path}/notes`, { type: 'reminded' })).toEqual(HIDDEN);
    expect((await server.beckon.get(id))?.status).toBe('pending');
    expect(await outcome('agent', 'POST', `${path}/supersede`, {})).toEqual([200]);
  });

  test('hears the same words for what is not there and for what is not its own', async () => {
    const id = await ask('agent');
    const [foreign, none] = await Promise.all([
      server.send('otherAgent', 'GET', `/v1/interactions/${id}`),
      server.send('otherAgent', 'GET', '/v1/interactions/int_none'),
    ]);
    expect(foreign.text.replace(id, 'int_none')).toBe(none.text);
  });

  test('does not get the question of another one by its idempotency key', async () => {
    const id = await ask('agent', { idempotencyKey: 'secret-plan', metadata: { secret: 'hidden' } });
    const { status, body, text } = await server.send('otherAgent', 'POST', '/v1/interactions', {
      ...QUESTION,
      idempotencyKey: 'secret-plan',
    });
    expect([status, body.code]).toEqual([403, 'forbidden']);
    expect(text).not.toContain('hidden');
    expect(text).not.toContain(id);
  });

  test('cancels in a chat only what it asked itself', async () => {
    const [own, foreign] = [await ask('agent', { chatId: 'both' }), await ask('otherAgent', { chatId: 'both' })];
    expect((await server.send('agent', 'POST', '/v1/chats/both/cancel', {})).body).toEqual({ cancelled: [own] });
    expect((await server.beckon.get(foreign))?.status).toBe('pending');
  });

  test('does not see what was asked without a name', async () => {
    const { id } = await server.beckon.ask(QUESTION);
    expect(await outcome('agent', 'GET', `/v1/interactions/${id}`)).toEqual(HIDDEN);
  });
});

describe('several at once', () => {
  test('a group that finds the request of another agent is taken back, and says nothing of it', async () => {
    const id = await ask('agent', { idempotencyKey: 'group-secret', metadata: { secret: 'hidden' } });
    const asks = [
      { ...QUESTION, chatId: 'orphans' },
      { ...QUESTION, idempotencyKey: 'group-secret' },
    ];
    const { status, body, text } = await server.send('otherAgent', 'POST', '/v1/groups', { asks });
    expect([status, body.code]).toEqual([403, 'forbidden']);
    expect(text).not.toContain('hidden');
    expect(text).not.toContain(id);
    expect((await server.beckon.list({ chatId: 'orphans', status: 'pending' })).items).toEqual([]);
  });

  test('a token for one chat asks and answers there alone, and none is recorded if one is elsewhere', async () => {
    const [inside, outside] = [await ask('agent', { chatId: 'team' }), await ask('agent')];
    const asks = [QUESTION, { ...QUESTION, chatId: 'default' }];
    expect(await outcome('teamAgent', 'POST', '/v1/groups', { asks })).toEqual([403, 'forbidden']);
    const many = { ids: [inside, outside], answer: { text: 'yes' } };
    expect(await outcome('teamPerson', 'POST', '/v1/answers', many)).toEqual(HIDDEN);
    const group = { answers: [inside, outside].map((id) => ({ id, answer: { text: 'yes' } })) };
    expect(await outcome('teamPerson', 'POST', '/v1/groups/g/answer', group)).toEqual(HIDDEN);
    expect((await server.beckon.get(inside))?.status).toBe('pending');
    expect(await outcome('teamPerson', 'POST', '/v1/answers', { ...many, ids: [inside] })).toEqual([200]);
  });

  test('an agent does not answer, and reads only the context of what it asked', async () => {
    const id = await ask('agent', { context: { prompt: 'Now the tests' } });
    expect(await outcome('agent', 'POST', '/v1/answers', { ids: [id], answer: { text: 'yes' } })).toEqual([
      403,
      'forbidden',
    ]);
    expect(await outcome('otherAgent', 'GET', `/v1/interactions/${id}/context`)).toEqual(HIDDEN);
    const read = await server.send('agent', 'GET', `/v1/interactions/${id}/context`);
    expect(read.body).toEqual({ context: { prompt: 'Now the tests' } });
  });
});

describe('who answers', () => {
  test.each([
    [{ answer: { text: 'x' }, who: 'root' }],
    [{ answer: { text: 'x' }, by: { who: 'root', via: 'y' } }],
    [{ answer: { text: 'x' }, answeredBy: { who: 'root' } }],
  ])('comes from the token; a body that says otherwise is refused: %j', async (body) => {
    const id = await ask('agent');
    expect(await outcome('person', 'POST', `/v1/interactions/${id}/answer`, body)).toEqual([400, 'invalid_input']);
  });

  test('cannot be forged through the answer, the connector or a text', async () => {
    const id = await ask('agent');
    const via = 'inbox", "who": "root';
    await server.send('person', 'POST', `/v1/interactions/${id}/answer`, { answer: { text: 'yes' }, via });
    expect((await server.beckon.get(id))?.answeredBy).toEqual({
      who: 'ana',
      via: 'api',
      kind: 'person',
      claim: { via },
    });
    await ask('agent', { chatId: 'forged' });
    const said = await server.send('person', 'POST', '/v1/chats/forged/say', { text: 'yes', who: 'root' });
    expect([said.status, said.body.problems[0].path]).toEqual([400, 'who']);
  });

  test('an agent cannot name another one as the one that asked', async () => {
    expect(await outcome('agent', 'POST', '/v1/interactions', { ...QUESTION, askedBy: 'reviewer' })).toEqual([
      400,
      'invalid_input',
    ]);
  });
});

describe('a token for the chat "team"', () => {
  test('asks there, also without saying so, and nowhere else', async () => {
    expect((await server.send('teamAgent', 'POST', '/v1/interactions', QUESTION)).body.chatId).toBe('team');
    expect(await outcome('teamAgent', 'POST', '/v1/interactions', { ...QUESTION, chatId: 'team' })).toEqual([201]);
    for (const chatId of ['default', 'Team', 'team2']) {
      expect(await outcome('teamAgent', 'POST', '/v1/interactions', { ...QUESTION, chatId })).toEqual([
        403,
        'forbidden',
      ]);
    }
  });

  test.each(['teamPerson', 'teamAdmin'] as const)('%s lists that chat alone', async (as) => {
    await ask('agent', { chatId: 'elsewhere' });
    await ask('agent', { chatId: 'team' });
    for (const query of ['', '?chatId=team', '?status=pending']) {
      const { items } = (await server.send(as, 'GET', `/v1/interactions${query}`)).body;
      expect(new Set(items.map(({ chatId }: { chatId: string }) => chatId))).toEqual(new Set(['team']));
    }
    expect(await outcome(as, 'GET', '/v1/interactions?chatId=elsewhere')).toEqual([403, 'forbidden']);
  });

  test.each(['teamPerson', 'teamAdmin'] as const)('%s neither reads nor answers what is elsewhere', async (as) => {
    const [inside, outside] = [await ask('agent', { chatId: 'team' }), await ask('agent')];
    const answer = { answer: { text: 'yes' } };
    expect(await outcome(as, 'GET', `/v1/interactions/${outside}`)).toEqual(HIDDEN);
    expect(await outcome(as, 'GET', `/v1/interactions/${outside}?wait=60`)).toEqual(HIDDEN);
    expect(await outcome(as, 'POST', `/v1/interactions/${outside}/answer`, answer)).toEqual(HIDDEN);
    expect(await outcome(as, 'POST', `/v1/interactions/${outside}/notes`, { type: 'reminded' })).toEqual(HIDDEN);
    expect((await server.beckon.get(outside))?.status).toBe('pending');
    expect(await outcome(as, 'GET', `/v1/interactions/${inside}`)).toEqual([200]);
    expect(await outcome(as, 'POST', `/v1/interactions/${inside}/answer`, answer)).toEqual([200]);
  });

  test.each(['teamPerson', 'teamAdmin'] as const)('%s arranges and looks back there alone', async (as) => {
    const fields = { sessionId: `ses-${as}`, context: { project: 'elsewhere' } };
    const [inside, outside] = [await ask('agent', { chatId: 'team' }), await ask('agent', fields)];
    const until = { until: '1h' };
    expect(await outcome(as, 'PUT', `/v1/interactions/${outside}/snooze`, until)).toEqual(HIDDEN);
    expect(await outcome(as, 'PUT', `/v1/interactions/${inside}/snooze`, until)).toEqual([200]);
    const path = `/v1/sessions/ses-${as}`;
    expect(await outcome(as, 'PUT', path, { title: 'Mine' })).toEqual([404, 'session_not_found']);
    await server.send('person', 'PUT', path, { title: 'hidden' });
    for (const url of ['/v1/sessions/titles', `${path}/conversation`, '/v1/history/counts', '/v1/history/export']) {
      const { status, text } = await server.send(as, 'GET', url);
      expect([url, status, /hidden|elsewhere/.test(text)]).toEqual([url, 200, false]);
    }
    for (const url of ['/v1/history/counts', '/v1/history/export'])
      expect(await outcome(as, 'GET', `${url}?chatId=default`)).toEqual([403, 'forbidden']);
  });

  test('does not hear through a late or lost answer what is elsewhere', async () => {
    const id = await ask('agent');
    await server.send('person', 'POST', `/v1/interactions/${id}/answer`, { answer: { text: 'hidden' } });
    const reply = await server.send('teamPerson', 'POST', `/v1/interactions/${id}/answer`, { answer: { text: 'no' } });
    expect(reply.status).toBe(404);
    expect(reply.text).not.toContain('hidden');
  });

  test.each(['teamPerson', 'teamAdmin'] as const)('%s speaks there alone', async (as) => {
    expect(await outcome(as, 'POST', '/v1/chats/team/say', { text: 'x' })).toEqual([200]);
    expect(await outcome(as, 'POST', '/v1/chats/default/say', { text: 'x' })).toEqual([403, 'forbidden']);
  });

  test.each(['teamAgent', 'teamAdmin'] as const)('%s cancels there alone', async (as) => {
    const [inside, outside] = [await ask(as), await ask('agent')];
    expect(await outcome(as, 'POST', '/v1/chats/default/cancel', {})).toEqual([403, 'forbidden']);
    for (const verb of ['cancel', 'supersede']) {
      expect(await outcome(as, 'POST', `/v1/interactions/${outside}/${verb}`, {})).toEqual(HIDDEN);
    }
    expect((await server.beckon.get(outside))?.status).toBe('pending');
    expect((await server.send(as, 'POST', `/v1/interactions/${inside}/cancel`, {})).body).toEqual({
      cancelled: [inside],
    });
    expect(await outcome(as, 'POST', '/v1/chats/team/cancel', {})).toEqual([200]);
  });

  test('does not get a question from elsewhere by its idempotency key, not even as administrator', async () => {
    await ask('agent', { idempotencyKey: 'elsewhere-key' });
    for (const as of ['teamAgent', 'teamAdmin'] as const) {
      const fields = { ...QUESTION, idempotencyKey: 'elsewhere-key' };
      expect(await outcome(as, 'POST', '/v1/interactions', fields)).toEqual([409, 'key_reused']);
    }
  });

  test('an administrator with a scope does not read the numbers of everybody', async () => {
    expect(await outcome('teamAdmin', 'GET', '/metrics')).toEqual([403, 'forbidden']);
    expect(await outcome('admin', 'GET', '/metrics')).toEqual([200]);
  });
});
