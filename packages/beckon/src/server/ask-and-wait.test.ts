import { afterEach, beforeEach, expect, test } from 'vitest';
import { createCallbackUrls } from '../callback/callback-urls.ts';
import { get, post, until, within } from '../testing/harness/server/clients.ts';
import { createTestApp, QUESTION, type TestApp } from '../testing/harness/server/test-app.ts';
import { createRule } from '../testing/suites/samples.ts';

let server: TestApp;
let url: string;
beforeEach(async () => {
  server = await createTestApp({ callbackUrls: createCallbackUrls({ secret: 'one', isExpiring: false }) });
  url = await server.listen();
});
afterEach(() => server.dispose());

const ask = (body: object = QUESTION, seconds = 60, options: { signal?: AbortSignal } = {}) =>
  post(`${url}/v1/interactions?wait=${seconds}`, server.tokens.agent, body, options);

async function countHeld(): Promise<number> {
  const { text } = await server.send('admin', 'GET', '/metrics');
  return Number(/^beckon_waits_held (\d+)$/m.exec(text)?.[1]);
}

/** The pending request, once its asker is held. */
async function findHeld(): Promise<string> {
  await until('the ask to be held', async () => (await countHeld()) === 1);
  const { items } = await server.beckon.list({ status: 'pending' });
  return items[0]?.id ?? '';
}

test('an ask that waits ends with the answer, so a round trip takes two requests', async () => {
  const asking = ask();
  const id = await findHeld();
  const answered = await post(`${url}/v1/interactions/${id}/answer`, server.tokens.person, { answer: { text: 'yes' } });
  expect(answered.body.result).toBe('accepted');
  expect(await within('the answer', asking)).toMatchObject({
    status: 201,
    body: { id, status: 'answered', answer: { text: 'yes' }, answeredBy: { who: 'ana' }, askedBy: 'builder' },
  });
  expect(await countHeld()).toBe(0);
});

test('an ask that waits ends with its deadline, and with the request', async () => {
  expect(await within('the end', ask({ ...QUESTION, timeout: '200ms' }))).toMatchObject({
    status: 201,
    body: { status: 'expired' },
  });
  const asking = ask();
  await server.beckon.cancel({ id: await findHeld() });
  expect(await within('the end', asking)).toMatchObject({ status: 201, body: { status: 'cancelled' } });
});

test('an ask whose seconds are over is pending, and its answer is found later', async () => {
  const { status, body } = await within('the end', ask(QUESTION, 1));
  expect({ status, is: body.status }).toEqual({ status: 201, is: 'pending' });
  await server.beckon.answer(body.id, { text: 'yes' }, { who: 'ana', via: 'test' });
  const found = await get(`${url}/v1/interactions/${body.id}?wait=60`, server.tokens.agent);
  expect(found.body).toMatchObject({ status: 'answered', answer: { text: 'yes' } });
});

test('an ask without seconds, or with none, does not wait', async () => {
  const asked = await post(`${url}/v1/interactions`, server.tokens.agent, QUESTION);
  expect(asked).toMatchObject({ status: 201, body: { status: 'pending' } });
  expect(await within('the reply', ask(QUESTION, 0))).toMatchObject({ status: 201, body: { status: 'pending' } });
});

test('a repeated key waits for the same request, and replies at once when it is settled', async () => {
  const body = { ...QUESTION, idempotencyKey: 'call-1' };
  const first = ask(body);
  const id = await findHeld();
  const second = ask(body);
  await until('both to be held', async () => (await countHeld()) === 2);
  await server.beckon.answer(id, { text: 'yes' }, { who: 'ana', via: 'test' });
  const settled = { id, status: 'answered', answer: { text: 'yes' } };
  expect(await within('the first', first)).toMatchObject({ status: 201, body: settled });
  expect(await within('the second', second)).toMatchObject({ status: 200, body: settled });
  expect(await within('the third', ask(body))).toMatchObject({ status: 200, body: settled });
  expect((await server.beckon.list({})).items).toHaveLength(1);
});

test('what a rule decides is answered at once', async () => {
  const rule = createRule();
  await server.store.rules.add(rule);
  const approval = { kind: 'approval', request: { tool: 'Bash', input: { command: 'npm test' } } };
  expect(await within('the decision', ask(approval))).toMatchObject({
    status: 201,
    body: { status: 'answered', answer: { decision: 'allow' }, answeredBy: { via: `rule:${rule.id}`, kind: 'rule' } },
  });
});

test('a component that is waited for has its callback address as well', async () => {
  const component = { kind: 'component', request: { components: [{ type: 'card', title: 'Sales' }] } };
  const asking = ask(component);
  const id = await findHeld();
  await server.beckon.answer(id, { action: 'click', data: null }, { who: 'ana', via: 'test' });
  expect((await within('the click', asking)).body).toMatchObject({
    status: 'answered',
    callback_url: expect.stringContaining(`/callback/${id}`),
  });
});

test('a client that is gone leaves its request pending, and nothing else behind', async () => {
  const gone = new AbortController();
  const asking = ask(QUESTION, 60, { signal: gone.signal });
  const id = await findHeld();
  gone.abort();
  await expect(asking).rejects.toThrow('aborted');
  await until('the ask to be let go', async () => (await countHeld()) === 0);
  expect((await server.beckon.get(id))?.status).toBe('pending');
});

test('a stop answers asks that wait with 503; asked again with the same key, they find their answer', async () => {
  const body = { ...QUESTION, idempotencyKey: 'call-1' };
  const asking = ask(body);
  const id = await findHeld();
  await within('the stop', server.stop(), 5000);
  const { status, headers, body: problem } = await asking;
  expect({ status, code: problem.code, after: headers['retry-after'] }).toEqual({
    status: 503,
    code: 'closed',
    after: '1',
  });
  server = await createTestApp({ folder: server.folder });
  url = await server.listen();
  await server.beckon.answer(id, { text: 'yes' }, { who: 'ana', via: 'test' });
  expect(await ask(body)).toMatchObject({ status: 200, body: { id, status: 'answered', answer: { text: 'yes' } } });
});

test('a token that is revoked meanwhile gets no answer', async () => {
  const asking = ask();
  const id = await findHeld();
  await server.issuedTokens.revoke(server.tokens.agent.slice(4, 20));
  expect(await within('the end', asking)).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
  expect((await server.beckon.get(id))?.status).toBe('pending');
});

test('waiting needs the right to ask, and seconds within the limit; nothing is asked otherwise', async () => {
  const refused = await post(`${url}/v1/interactions?wait=60`, server.tokens.person, QUESTION);
  expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  for (const seconds of [61, -1, 1.5]) expect(await ask(QUESTION, seconds)).toMatchObject({ status: 400 });
  expect((await server.beckon.list({})).items).toEqual([]);
});

test('a key that somebody else used is refused at once', async () => {
  const body = { ...QUESTION, idempotencyKey: 'call-1' };
  await post(`${url}/v1/interactions`, server.tokens.otherAgent, body);
  expect(await within('the refusal', ask(body))).toMatchObject({ status: 403, body: { code: 'forbidden' } });
});

test('500 asks wait at once, and each gets its own answer', async () => {
  const asks = Array.from({ length: 500 }, (_, index) => ask({ ...QUESTION, id: `int-${index}` }));
  await until('the asks to be held', async () => (await countHeld()) === 500);
  for (let index = 0; index < 500; index += 1) {
    await server.beckon.answer(`int-${index}`, { text: `answer ${index}` }, { who: 'ana', via: 'test' });
  }
  const replies = await within('all answers', Promise.all(asks), 30_000);
  expect(replies.map(({ body }) => body.answer.text)).toEqual(replies.map((_, index) => `answer ${index}`));
  expect(await countHeld()).toBe(0);
});
