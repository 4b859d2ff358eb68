import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, QUESTION, type TestApp } from '../testing/harness/server/test-app.ts';

let server: TestApp;
let id: string;
beforeAll(async () => {
  server = await createTestApp();
});
afterAll(() => server.dispose());
beforeEach(async () => {
  id = (await server.send('agent', 'POST', '/v1/interactions', QUESTION)).body.id;
});

function answer(body: object, as: 'person' | 'admin' = 'person') {
  return server.send(as, 'POST', `/v1/interactions/${id}/answer`, body);
}

describe('POST /v1/interactions/:id/answer', () => {
  test('accepts the first answer, and says who gave it', async () => {
    const { status, body } = await answer({ answer: { text: 'yes' }, via: 'phone' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      result: 'accepted',
      interaction: {
        id,
        status: 'answered',
        answer: { text: 'yes' },
        answeredBy: { who: 'ana', via: 'api', kind: 'person', claim: { via: 'phone' } },
      },
    });
  });

  test('without a claim it came via the api', async () => {
    expect((await answer({ answer: { text: 'yes' } })).body.interaction.answeredBy.via).toBe('api');
  });

  test('takes the same answer again as a repeat', async () => {
    await answer({ answer: { text: 'yes' } });
    expect(await answer({ answer: { text: 'yes' } }, 'admin')).toMatchObject({
      status: 200,
      body: { result: 'repeated', interaction: { answeredBy: { who: 'ana' } } },
    });
  });

  test('is 409 with the winner for a different one', async () => {
    await answer({ answer: { text: 'yes' } });
    const { status, headers, body } = await answer({ answer: { text: 'no' } }, 'admin');
    expect(status).toBe(409);
    expect(headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(body).toMatchObject({
      code: 'answer_lost',
      status: 409,
      detail: expect.stringContaining('ana'),
      result: 'lost',
      interaction: { id, answer: { text: 'yes' }, answeredBy: { who: 'ana' } },
    });
  });

  test('of ten different ones at once, one is accepted and nine hear who won', async () => {
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) => answer({ answer: { text: `${index}` } })),
    );
    expect(replies.map(({ status }) => status).sort((one, other) => one - other)).toEqual([
      200,
      ...Array<number>(9).fill(409),
    ]);
    const winner = replies.find(({ status }) => status === 200)?.body.interaction.answer;
    for (const { body } of replies) expect(body.interaction.answer).toEqual(winner);
  });

  test('is 410 for one that had ended', async () => {
    await server.beckon.cancel({ id });
    const { status, body } = await answer({ answer: { text: 'yes' } });
    expect(status).toBe(410);
    expect(body).toMatchObject({ code: 'answer_late', result: 'late', interaction: { id, status: 'cancelled' } });
    expect(body.interaction).not.toHaveProperty('answer');
  });

  test('is 404 for one that does not exist', async () => {
    const { status, body } = await server.send('person', 'POST', '/v1/interactions/int_none/answer', {
      answer: { text: 'yes' },
    });
    expect([status, body.code]).toEqual([404, 'interaction_not_found']);
  });

  test.each([{ decision: 'allow' }, { text: 1 }, {}, { selected: ['a', 'b'] }])(
    'is 422 for an answer that does not fit: %j; it stays pending',
    async (wrong) => {
      const { status, body } = await answer({ answer: wrong });
      expect([status, body.code]).toEqual([422, 'invalid_answer']);
      expect(body.problems.length).toBeGreaterThan(0);
      expect((await server.beckon.get(id))?.status).toBe('pending');
    },
  );

  test.each([
    [{}, 'answer'],
    [{ answer: 'yes' }, 'answer'],
    [{ answer: {}, who: 'root' }, 'who'],
    [{ answer: {}, by: { who: 'root' } }, 'by'],
    [{ answer: {}, via: '' }, 'via'],
  ])('is 400 for the body %j', async (body, path) => {
    const reply = await answer(body);
    expect([reply.status, reply.body.code, reply.body.problems[0].path]).toEqual([400, 'invalid_input', path]);
  });
});

describe('ending', () => {
  test('cancel ends one, with its reason, and says which', async () => {
    const { status, body } = await server.send('agent', 'POST', `/v1/interactions/${id}/cancel`, { reason: 'done' });
    expect([status, body]).toEqual([200, { cancelled: [id] }]);
    expect(await server.beckon.get(id)).toMatchObject({ status: 'cancelled', reason: 'done' });
    expect((await server.send('agent', 'POST', `/v1/interactions/${id}/cancel`, {})).body).toEqual({ cancelled: [] });
  });

  test('supersede ends one once', async () => {
    const path = `/v1/interactions/${id}/supersede`;
    expect((await server.send('agent', 'POST', path, {})).body).toEqual({ superseded: true });
    expect((await server.send('agent', 'POST', path, {})).body).toEqual({ superseded: false });
    expect((await server.beckon.get(id))?.status).toBe('superseded');
  });

  test.each(['cancel', 'supersede'])('%s is 404 for one that does not exist, and 400 without a body', async (verb) => {
    const none = await server.send('admin', 'POST', `/v1/interactions/int_none/${verb}`, {});
    expect([none.status, none.body.code]).toEqual([404, 'interaction_not_found']);
    const empty = await server.send('admin', 'POST', `/v1/interactions/${id}/${verb}`);
    expect([empty.status, empty.body.code]).toEqual([400, 'invalid_input']);
    const wrong = await server.send('admin', 'POST', `/v1/interactions/${id}/${verb}`, { why: 'x' });
    expect([wrong.status, wrong.body.problems[0].path]).toEqual([400, 'why']);
  });
});

describe('a chat', () => {
  async function askIn(chatId: string, as: 'agent' | 'otherAgent' = 'agent'): Promise<string> {
    return (await server.send(as, 'POST', '/v1/interactions', { ...QUESTION, chatId })).body.id;
  }

  test('a text answers what is pending there', async () => {
    const asked = await askIn('talk');
    const { status, body } = await server.send('person', 'POST', '/v1/chats/talk/say', { text: 'yes', via: 'phone' });
    expect([status, body]).toEqual([200, { routed: true }]);
    expect(await server.beckon.get(asked)).toMatchObject({
      answer: { text: 'yes' },
      answeredBy: { who: 'ana', via: 'api', claim: { via: 'phone' } },
    });
  });

  test('a text where nothing is pending answers nothing', async () => {
    const { body } = await server.send('person', 'POST', '/v1/chats/silent/say', { text: 'yes' });
    expect(body).toEqual({ routed: false });
  });

  test.each([
    ['/v1/chats/talk/say', {}, 'text'],
    ['/v1/chats/talk/say', { text: 'x', who: 'y' }, 'who'],
    ['/v1/chats/a%20b/say', { text: 'x' }, 'chatId'],
    ['/v1/chats/talk/cancel', { reason: 1 }, 'reason'],
  ])('POST %s %j is 400', async (path, body, wrong) => {
    const reply = await server.send('admin', 'POST', path, body);
    expect([reply.status, reply.body.code, reply.body.problems[0].path]).toEqual([400, 'invalid_input', wrong]);
  });

  test('an administrator cancels everything in it', async () => {
    const ids = [await askIn('end'), await askIn('end', 'otherAgent')];
    const { body } = await server.send('admin', 'POST', '/v1/chats/end/cancel', { reason: 'bye' });
    expect(body.cancelled.sort()).toEqual(ids.sort());
  });

  test('an agent cancels what it asked itself, however much it is', async () => {
    const others = await askIn('shared', 'otherAgent');
    const own = await Promise.all(Array.from({ length: 250 }, () => askIn('shared')));
    const { body } = await server.send('agent', 'POST', '/v1/chats/shared/cancel', {});
    expect(body.cancelled.sort()).toEqual(own.sort());
    expect((await server.beckon.get(others))?.status).toBe('pending');
  });
});
