import { afterEach, beforeEach, expect, test } from 'vitest';
import { get, until, within } from '../testing/harness/server/clients.ts';
import { createTestApp, QUESTION, type TestApp } from '../testing/harness/server/test-app.ts';

let server: TestApp;
let url: string;
beforeEach(async () => {
  server = await createTestApp();
  url = await server.listen();
});
afterEach(() => server.dispose());

async function ask(chatId = 'default'): Promise<string> {
  return (await server.send('agent', 'POST', '/v1/interactions', { ...QUESTION, chatId })).body.id;
}

async function countHeld(): Promise<number> {
  const { text } = await server.send('admin', 'GET', '/metrics');
  return Number(/^beckon_waits_held (\d+)$/m.exec(text)?.[1]);
}

test('a held wait ends with the answer', async () => {
  const id = await ask();
  const waiting = get(`${url}/v1/interactions/${id}?wait=60`, server.tokens.agent);
  await until('the wait to be held', async () => (await countHeld()) === 1);
  await server.send('person', 'POST', `/v1/interactions/${id}/answer`, { answer: { text: 'yes' } });
  expect(await within('the answer', waiting)).toMatchObject({
    status: 200,
    body: { status: 'answered', answer: { text: 'yes' }, answeredBy: { who: 'ana' } },
  });
  expect(await countHeld()).toBe(0);
});

test('several waits for one interaction end together, whoever waits', async () => {
  const id = await ask();
  const waits = [server.tokens.agent, server.tokens.person, server.tokens.admin].map((token) =>
    get(`${url}/v1/interactions/${id}?wait=60`, token),
  );
  await until('the waits to be held', async () => (await countHeld()) === 3);
  await server.beckon.cancel({ id });
  for (const { body } of await Promise.all(waits)) expect(body.status).toBe('cancelled');
});

test('a held wait ends with the deadline of its interaction', async () => {
  const { body } = await server.send('agent', 'POST', '/v1/interactions', { ...QUESTION, timeout: '200ms' });
  const reply = await within('the end', get(`${url}/v1/interactions/${body.id}?wait=60`, server.tokens.agent));
  expect(reply.body.status).toBe('expired');
});

test('a held wait whose time is over says that it is still pending', async () => {
  const id = await ask();
  const reply = await within('the end', get(`${url}/v1/interactions/${id}?wait=1`, server.tokens.agent));
  expect(reply).toMatchObject({ status: 200, body: { id, status: 'pending' } });
  expect(await countHeld()).toBe(0);
});

test('a client that is gone leaves nothing behind', async () => {
  const id = await ask();
  const gone = new AbortController();
  const waiting = get(`${url}/v1/interactions/${id}?wait=60`, server.tokens.agent, { signal: gone.signal });
  await until('the wait to be held', async () => (await countHeld()) === 1);
  gone.abort();
  await expect(waiting).rejects.toThrow('aborted');
  await until('the wait to be let go', async () => (await countHeld()) === 0);
  expect((await server.beckon.get(id))?.status).toBe('pending');
});

test('a stop answers held waits with 503 and a time to come back, and they find their answer afterwards', async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, () => ask()));
  const waits = ids.map((id) => get(`${url}/v1/interactions/${id}?wait=60`, server.tokens.agent));
  await until('the waits to be held', async () => (await countHeld()) === 20);
  await within('the stop', server.stop(), 5000);
  for (const { status, headers, body } of await Promise.all(waits)) {
    expect(status).toBe(503);
    expect(headers).toMatchObject({ 'retry-after': '1', connection: 'close' });
    expect(headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(body.code).toBe('closed');
  }
  server = await createTestApp({ folder: server.folder });
  url = await server.listen();
  await server.beckon.answer(ids[0] ?? '', { text: 'yes' }, { who: 'ana', via: 'test' });
  const reply = await get(`${url}/v1/interactions/${ids[0]}?wait=60`, server.tokens.agent);
  expect(reply.body.status).toBe('answered');
});

test('2,000 waits are held at once, and all end when all are settled', async () => {
  const ids = await Promise.all(Array.from({ length: 2000 }, () => ask('crowd')));
  const waits = ids.map((id) => get(`${url}/v1/interactions/${id}?wait=60`, server.tokens.agent));
  await until('the waits to be held', async () => (await countHeld()) === 2000);
  const { body } = await server.send('admin', 'POST', '/v1/chats/crowd/cancel', {});
  expect(body.cancelled).toHaveLength(2000);
  const replies = await within('all outcomes', Promise.all(waits), 30_000);
  expect(new Set(replies.map((reply) => `${reply.status} ${reply.body.status}`))).toEqual(new Set(['200 cancelled']));
  expect(replies.map((reply) => reply.body.id)).toEqual(ids);
  expect(await countHeld()).toBe(0);
});
