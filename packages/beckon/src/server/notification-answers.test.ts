import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, QUESTION, type TestApp, type TestReply } from '../testing/harness/server/test-app.ts';

const PAGE = { host: 'localhost:8228', origin: 'http://localhost:8228' };
let server: TestApp;
beforeEach(async () => {
  server = await createTestApp({ times: { firstRefusalMs: 1, longestRefusalMs: 2 } });
});
afterEach(() => server.dispose());

describe('a button on a notification', () => {
  test('answers in the name of the browser it is shown on, and the log says where', async () => {
    const id = await askToRun('npm test');
    const reply = await press(await logIn('ada'), id, { decision: 'allow' });
    expect([reply.status, reply.body.result]).toEqual([200, 'accepted']);
    expect(reply.body.interaction.answeredBy).toEqual({ who: 'ada', via: 'notification', kind: 'person' });
  });

  test('works for somebody who may only answer', async () => {
    const id = await askToRun('npm test');
    const cookie = await logIn('eve', { role: 'person', answerOnly: true });
    expect((await press(cookie, id, { decision: 'deny' })).body.result).toBe('accepted');
  });

  test.each([
    ['something dangerous', { command: 'git push --force origin main' }, { decision: 'allow' }],
    ['a denial of something dangerous', { command: 'git push --force origin main' }, { decision: 'deny' }],
    ['something notable', { command: 'sudo ls' }, { decision: 'allow' }],
    ['what no notification shows whole', { command: `echo ${'a'.repeat(200)}` }, { decision: 'allow' }],
    ['several lines', { command: 'npm test\nnpm run lint' }, { decision: 'allow' }],
    ['an edit of what runs', { command: 'npm test' }, { decision: 'allow', updatedInput: { command: 'ls' } }],
    ['rules for the future', { command: 'npm test' }, { decision: 'allow', remember: true }],
  ])(
    'does not decide %s: nothing is recorded, and the request can still be answered on the page',
    async (_, input, given) => {
      const id = await ask({ kind: 'approval', request: { tool: 'Bash', input } });
      const cookie = await logIn('ada');
      const reply = await press(cookie, id, given);
      expect([reply.status, reply.body.code]).toEqual([403, 'must_be_opened']);
      expect((await server.beckon.get(id))?.status).toBe('pending');
      const onPage = await press(cookie, id, { decision: 'deny' }, {});
      expect(onPage.body.interaction.answeredBy).toMatchObject({ who: 'ada', via: 'inbox' });
    },
  );

  test('does not answer questions', async () => {
    const id = await ask(QUESTION);
    expect((await press(await logIn('ada'), id, { text: 'yes' })).body.code).toBe('must_be_opened');
  });

  test('is held to it over every route, and with a token that only claims it', async () => {
    const id = await askToRun('git push --force origin main');
    const answer = { decision: 'allow' };
    const claimed = await server.send('person', 'POST', `/v1/interactions/${id}/answer`, {
      answer,
      via: 'notification',
    });
    expect(claimed.body.code).toBe('must_be_opened');
    const many = await server.send('person', 'POST', '/v1/answers', { ids: [id], answer, via: 'notification' });
    expect(many.body.code).toBe('must_be_opened');
    expect((await server.beckon.get(id))?.status).toBe('pending');
  });

  test('hears who was faster', async () => {
    const id = await askToRun('npm test');
    await server.send('person', 'POST', `/v1/interactions/${id}/answer`, { answer: { decision: 'deny' } });
    const reply = await press(await logIn('ada'), id, { decision: 'allow' });
    expect([reply.status, reply.body.code]).toEqual([409, 'answer_lost']);
    expect(reply.body.interaction.answeredBy.who).toBe('ana');
  });

  test('does nothing after the browser was logged out', async () => {
    const id = await askToRun('npm test');
    const cookie = await logIn('ada');
    const [device] = await server.devices.list();
    await server.devices.revoke(device?.id ?? '');
    expect((await press(cookie, id, { decision: 'allow' })).body.code).toBe('unauthorized');
    expect((await server.beckon.get(id))?.status).toBe('pending');
  });
});

async function ask(body: object): Promise<string> {
  return (await server.send('agent', 'POST', '/v1/interactions', body)).body.id;
}

function askToRun(command: string): Promise<string> {
  return ask({ kind: 'approval', request: { tool: 'Bash', input: { command } } });
}

/** Logs a browser in, and gives its cookie. */
async function logIn(who: string, more: object = { role: 'admin' }): Promise<string> {
  const link = await server.send('admin', 'POST', '/v1/login-links', { who, ...more });
  const code = new URL(link.body.url).hash.slice(1);
  const reply = await server.inject({ method: 'POST', url: '/v1/login', headers: PAGE, payload: { code } });
  return String(reply.headers['set-cookie']).split(';')[0] ?? '';
}

/** Answers as the service worker of the page does. */
function press(cookie: string, id: string, answer: object, more: object = { via: 'notification' }): Promise<TestReply> {
  return server.inject({
    method: 'POST',
    url: `/v1/interactions/${id}/answer`,
    headers: { ...PAGE, cookie },
    payload: { answer, ...more },
  });
}
