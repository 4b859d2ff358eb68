import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, QUESTION, type TestApp, type TokenName } from '../testing/harness/server/test-app.ts';

let server: TestApp;
let inside: string;
let outside: string;
beforeAll(async () => {
  server = await createTestApp();
  inside = (await server.beckon.ask({ ...QUESTION, chatId: 'team', sessionId: 'ses_1' })).id;
  const request = { question: 'Deploy elsewhere?' };
  outside = (
    await server.beckon.ask({
      kind: 'question',
      request,
      chatId: 'other',
      sessionId: 'ses_1',
      context: { project: 'webshop' },
    })
  ).id;
  await server.beckon.ask({ ...QUESTION, chatId: 'other', sessionId: 'ses_2' });
  await server.beckon.answer(inside, { text: 'certainly' }, { who: 'ana', via: 'inbox' });
});
afterAll(() => server.dispose());

// oxlint-disable-next-line typescript/no-explicit-any -- the tests look into many shapes
async function get(as: TokenName, url: string): Promise<any> {
  const { status, body } = await server.send(as, 'GET', url);
  return status === 200 ? body : body.code;
}

describe('looking back', () => {
  test('the log of an interaction', async () => {
    const { events } = await get('person', `/v1/interactions/${inside}/log`);
    expect(events.map(({ type }: { type: string }) => type)).toEqual(['interaction.requested', 'interaction.answered']);
    const first = await get('person', `/v1/interactions/${inside}/log?limit=1`);
    expect(first).toMatchObject({ next: 1, events: [{ seq: 1 }] });
    expect(await get('person', `/v1/interactions/${inside}/log?after=1`)).toMatchObject({ events: [{ seq: 4 }] });
    expect(await get('person', '/v1/interactions/int_none/log')).toBe('interaction_not_found');
  });

  test('the log of a session, which may be unknown', async () => {
    expect((await get('person', '/v1/sessions/ses_1/log')).events).toHaveLength(3);
    expect(await get('person', '/v1/sessions/none/log')).toEqual({ events: [] });
  });

  test('the sessions, page by page', async () => {
    const { items, next } = await get('person', '/v1/sessions?limit=1');
    expect(items).toEqual([
      { sessionId: 'ses_2', firstAt: expect.any(String), lastAt: expect.any(String), interactions: 1, pending: 1 },
    ]);
    expect((await get('person', `/v1/sessions?after=${next}`)).items).toMatchObject([
      { sessionId: 'ses_1', interactions: 2, pending: 1 },
    ]);
  });

  test('the statistics', async () => {
    const { timeToAnswer, byKind } = await get('person', '/v1/statistics');
    expect(timeToAnswer.buckets).toHaveLength(10);
    expect(byKind).toHaveLength(2);
    const span = '?since=2020-01-01T00:00:00Z&until=2020-02-01T00:00:00Z';
    expect(await get('person', `/v1/statistics${span}`)).toMatchObject({
      byDay: [],
      since: '2020-01-01T00:00:00.000Z',
    });
  });

  test('by words, in what was asked and answered', async () => {
    const find = async (text: string): Promise<string[]> =>
      (await get('person', `/v1/interactions?text=${encodeURIComponent(text)}`)).items.map(
        ({ id }: { id: string }) => id,
      );
    expect(await find('deploy elsewh')).toEqual([outside]);
    expect(await find('certainly')).toEqual([inside]);
    expect(await find('" OR 1')).toEqual([]);
  });

  test('by decision, person, project and time, with counts', async () => {
    const ids = async (query: string): Promise<string[]> =>
      (await get('person', `/v1/interactions?${query}`)).items.map(({ id }: { id: string }) => id);
    expect(await ids('decision=answered&person=ana')).toEqual([inside]);
    expect(await ids('decision=pending&project=webshop')).toEqual([outside]);
    expect(await ids('person=ana&until=2020-01-01')).toEqual([]);
    expect(await get('person', '/v1/history/counts?since=2020-01-01')).toEqual({
      total: 3,
      byDecision: [
        { decision: 'pending', count: 2 },
        { decision: 'answered', count: 1 },
      ],
      byPerson: [{ person: 'ana', count: 1 }],
      byProject: [{ project: 'webshop', count: 1 }],
    });
  });

  test.each([
    '/v1/interactions?decision=open',
    '/v1/interactions?since=monday',
    '/v1/history/counts?limit=1',
    '/v1/history/counts?person=',
    '/v1/history/counts?text=',
    '/v1/interactions?text=',
    `/v1/interactions?text=${'x'.repeat(201)}`,
    '/v1/sessions?after=x',
    '/v1/sessions?limit=0',
    '/v1/sessions/ses_1/log?limit=1001',
    '/v1/sessions/ses_1/log?after=-1',
    '/v1/statistics?since=yesterday',
    '/v1/statistics?since=2020-01-01&until=2026-01-01',
    '/v1/statistics?days=3',
  ])('%s is refused', async (url) => {
    expect(await get('person', url)).toBe('invalid_input');
  });
});

describe('a session', () => {
  test('is renamed by people, and everybody sees who did it', async () => {
    const rename = (as: TokenName, title: string) => server.send(as, 'PUT', '/v1/sessions/ses_2', { title });
    expect((await rename('person', ' Rates ')).body).toEqual({ sessionId: 'ses_2', title: 'Rates' });
    expect(await get('admin', '/v1/sessions/titles')).toEqual({ titles: { ses_2: 'Rates' } });
    expect((await get('person', '/v1/sessions?limit=1')).items).toMatchObject([{ title: 'Rates' }]);
    const { events } = await get('person', '/v1/sessions/ses_2/log');
    expect(events.at(-1)).toMatchObject({ type: 'session.renamed', title: 'Rates', by: 'ana' });
    expect((await rename('agent', 'Mine')).status).toBe(403);
    expect((await rename('teamPerson', 'Mine')).body.code).toBe('session_not_found');
    expect((await rename('person', 'x'.repeat(301))).body.code).toBe('invalid_input');
    expect((await rename('person', '')).status).toBe(200);
    expect(await get('teamPerson', '/v1/sessions/titles')).toEqual({ titles: {} });
  });
});

describe('a request', () => {
  test('is put aside by one person until a time, and for nobody else', async () => {
    const path = `/v1/interactions/${outside}/snooze`;
    const put = await server.send('person', 'PUT', path, { until: '1h' });
    expect(put.body).toEqual({ snooze: { interactionId: outside, until: expect.any(String) } });
    expect(await get('person', '/v1/snoozes')).toEqual({ items: [put.body.snooze] });
    expect(await get('admin', '/v1/snoozes')).toEqual({ items: [] });
    expect((await get('person', '/v1/interactions?status=pending')).items).toHaveLength(2);
    expect((await server.send('person', 'DELETE', path)).body).toEqual({ removed: true });
    expect((await server.send('person', 'DELETE', path)).body).toEqual({ removed: false });
  });

  test('is not put aside by who may not see it, by agents, in the past, or once it is settled', async () => {
    const put = async (as: TokenName, id: string, until: unknown) => {
      const { status, body } = await server.send(as, 'PUT', `/v1/interactions/${id}/snooze`, { until });
      return status === 200 ? body : body.code;
    };
    expect(await put('teamPerson', outside, '1h')).toBe('interaction_not_found');
    expect(await put('person', 'int_none', '1h')).toBe('interaction_not_found');
    expect(await put('agent', outside, '1h')).toBe('forbidden');
    for (const until of ['2020-01-01', 'soon', 0, null])
      expect(await put('person', outside, until)).toBe('invalid_input');
    expect(await put('person', inside, '1h')).toEqual({ snooze: null });
  });
});

describe('a token for the chat "team"', () => {
  test.each(['teamPerson', 'teamAdmin'] as const)('%s sees that chat alone', async (as) => {
    expect(await get(as, `/v1/interactions/${outside}/log`)).toBe('interaction_not_found');
    expect((await get(as, `/v1/interactions/${inside}/log`)).events).toHaveLength(2);
    const { events } = await get(as, '/v1/sessions/ses_1/log');
    expect(events.map(({ interactionId }: { interactionId: string }) => interactionId)).toEqual([inside, inside]);
    expect((await get(as, '/v1/sessions/ses_2/log')).events).toEqual([]);
    expect((await get(as, '/v1/sessions')).items).toMatchObject([{ sessionId: 'ses_1', interactions: 1, pending: 0 }]);
    expect((await get(as, '/v1/statistics')).byKind).toEqual([{ kind: 'question', status: 'answered', count: 1 }]);
    expect((await get(as, '/v1/interactions?text=deploy')).items).toMatchObject([{ id: inside }]);
    expect(await get(as, '/v1/interactions?text=deploy&chatId=other')).toBe('forbidden');
    expect((await get(as, '/v1/interactions?project=webshop')).items).toEqual([]);
    expect(await get(as, '/v1/history/counts?chatId=other')).toBe('forbidden');
    expect(await get(as, '/v1/history/counts')).toMatchObject({ total: 1, byProject: [] });
  });
});

test('an agent has no history, not even of what it asked', async () => {
  const { body } = await server.send('agent', 'POST', '/v1/interactions', QUESTION);
  for (const url of [`/v1/interactions/${body.id}/log`, '/v1/sessions', '/v1/sessions/ses_1/log', '/v1/statistics'])
    expect(await get('agent', url)).toBe('forbidden');
});
