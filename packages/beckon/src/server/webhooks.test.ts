import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, QUESTION, type TestApp } from '../testing/harness/server/test-app.ts';
import { answerWith, startBackend, type TestBackend } from '../testing/harness/test-backend.ts';
import { until } from '../testing/suites/until.ts';

let server: TestApp;
let backend: TestBackend;

beforeEach(async () => {
  backend = await startBackend();
  server = await createTestApp({ notify: { allowDestinations: ['127.0.0.1'] } });
  await server.notify.start();
});
afterEach(async () => {
  await server.dispose();
  await backend.close();
});

async function add(draft: object = {}): Promise<{ id: string; secret: string }> {
  const given = { kind: 'webhook', url: `${backend.url}/hook`, ...draft };
  const { body } = await server.send('admin', 'POST', '/v1/destinations', given);
  const id = body.destination.id as string;
  const tested = await server.send('admin', 'POST', `/v1/destinations/${id}/test`, {});
  expect(tested.body).toMatchObject({
    result: 'sent',
    needsCode: false,
    destination: { provenAt: expect.any(String) },
  });
  backend.received.length = 0;
  return { id, secret: body.secret };
}

async function ask(changes: object = {}): Promise<string> {
  return (await server.send('agent', 'POST', '/v1/interactions', { ...QUESTION, ...changes })).body.id;
}

function answer(id: string) {
  return server.send('person', 'POST', `/v1/interactions/${id}/answer`, { answer: { text: 'yes' } });
}

function received(): string[] {
  return backend.received.map(({ body }) => `${body.type} ${body.interactionId ?? body.hookId ?? ''}`);
}

async function deliveries(id: string) {
  return (await server.send('admin', 'GET', `/v1/destinations/${id}/deliveries`)).body.items;
}

describe('a webhook', () => {
  test('gets every event as it stands in the log, with the headline and a link, signed', async () => {
    const { secret } = await add();
    const id = await ask({ sessionId: 'ses_1' });
    await answer(id);
    await until(() => expect(backend.received).toHaveLength(2));
    const log = await server.store.readLog({ after: 0, limit: 9 });
    expect(backend.received.map(({ body }) => body)).toEqual(
      log.map((event) => ({ ...event, headline: 'Deploy?', link: `http://127.0.0.1:8228/i/${id}` })),
    );
    for (const { text, headers, path } of backend.received) {
      expect(path).toBe('/hook');
      expect(new Webhook(secret).verify(text, headers as Record<string, string>)).toBeTruthy();
      expect(() => new Webhook('whsec_c2VjcmV0').verify(text, headers as Record<string, string>)).toThrow('signature');
      expect(() => new Webhook(secret).verify(`${text} `, headers as Record<string, string>)).toThrow('signature');
    }
    const ids = backend.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(2);
  });

  test('is not proven by a receiver that does not take the test', async () => {
    backend.reply = answerWith(500);
    const { body } = await server.send('admin', 'POST', '/v1/destinations', { kind: 'webhook', url: backend.url });
    const { id } = body.destination;
    const tested = await server.send('admin', 'POST', `/v1/destinations/${id}/test`, {});
    expect(tested.body).toMatchObject({ result: 'failed', error: 'HTTP 500' });
    expect(tested.body.destination.provenAt).toBeUndefined();
  });

  test('gets as much of a request as its setting says', async () => {
    await add({ content: 'link', filter: { types: ['interaction.requested'] } });
    await add({ content: 'full', filter: { types: ['interaction.requested'] } });
    const id = await ask();
    await until(() => expect(backend.received).toHaveLength(2));
    const [less, more] = backend.received
      .map(({ body }) => body)
      .toSorted((one, other) => Object.keys(one).length - Object.keys(other).length);
    expect(less).not.toHaveProperty('headline');
    expect(less).not.toHaveProperty('interaction');
    expect(more).toMatchObject({ headline: 'Deploy?', interaction: { id, request: { question: 'Deploy?' } } });
  });

  test('hears of the types, chats, projects and kinds that it wants', async () => {
    await add({ filter: { types: ['interaction.answered', 'hook.*'] } });
    await add({ filter: { chats: ['team'] } });
    await add({ filter: { projects: ['shop'], types: ['interaction.requested'] } });
    const [plain, team, shop] = [
      await ask(),
      await ask({ chatId: 'team' }),
      await ask({ context: { project: 'shop' } }),
    ];
    await answer(plain);
    await server.send('agent', 'POST', '/command-complete/int_x?session=s', { type: 'Stop' });
    await until(() => expect(backend.received.length).toBeGreaterThanOrEqual(4));
    const hook = backend.received.find(({ body }) => body.type === 'hook.received')?.body.hookId;
    expect(received().toSorted()).toEqual(
      [
        `interaction.answered ${plain}`,
        `hook.received ${hook}`,
        `interaction.requested ${team}`,
        `interaction.requested ${shop}`,
      ].toSorted(),
    );
  });

  test('gets the events of a session in order, one after the reply to the other, whatever fails', async () => {
    await add();
    let isBusy = false;
    let turns = 0;
    backend.reply = (_, response) => {
      expect(isBusy).toBe(false);
      isBusy = true;
      turns += 1;
      const status = turns % 3 === 1 ? 503 : 200;
      setTimeout(() => {
        isBusy = false;
        response.writeHead(status).end();
      }, 5);
    };
    const ids: string[] = [];
    for (let count = 0; count < 6; count += 1) ids.push(await ask({ sessionId: 'ses_1' }));
    await until(() => expect(new Set(received()).size).toBe(6));
    const arrived = [...new Set(received())];
    expect(arrived).toEqual(ids.map((id) => `interaction.requested ${id}`));
    // A repeat is known by its id.
    const byId = Map.groupBy(backend.received, ({ headers }) => headers['webhook-id']);
    for (const repeats of byId.values()) expect(new Set(repeats.map(({ text }) => text)).size).toBe(1);
  });

  test('that does not know its address, or redirects, is tried again; it is not forgotten', async () => {
    const { id } = await add();
    const statuses = [404, 410, 302, 200];
    backend.reply = (_, response) => response.writeHead(statuses.shift() ?? 200, { location: '/' }).end();
    await ask();
    await until(() => expect(backend.received).toHaveLength(4));
    await until(async () => expect(await deliveries(id)).toMatchObject([{ status: 'sent' }]));
  });

  test('that refuses us is paused and keeps what waits; turned on, it gets everything', async () => {
    const { id } = await add();
    backend.reply = answerWith(401, 'who are you?');
    const first = await ask();
    const find = async () => (await server.send('admin', 'GET', '/v1/destinations')).body.items[0];
    await until(async () =>
      expect(await find()).toMatchObject({ problem: { error: 'HTTP 401: who are you?' }, waiting: 1 }),
    );
    backend.reply = answerWith(200);
    const second = await ask();
    await until(async () => expect(await find()).toMatchObject({ waiting: 2 }));
    expect(backend.received).toHaveLength(1);
    const { body } = await server.send('admin', 'PATCH', `/v1/destinations/${id}`, { isOn: true });
    expect(body.problem).toBeUndefined();
    await until(() => expect(backend.received).toHaveLength(3));
    expect(received().slice(1).toSorted()).toEqual(
      [`interaction.requested ${first}`, `interaction.requested ${second}`].toSorted(),
    );
  });

  test('that never accepts an event has a dead letter, and the rest of its lane goes on', async () => {
    const { id } = await add();
    backend.reply = ({ body }, response) => response.writeHead(body.type === 'interaction.requested' ? 422 : 200).end();
    const asked = await ask({ sessionId: 'ses_1' });
    await answer(asked);
    await until(async () =>
      expect(await deliveries(id)).toMatchObject([
        { status: 'sent', eventType: 'interaction.answered', what: 'event' },
        { status: 'dead', eventType: 'interaction.requested', error: 'HTTP 422', attempts: 1, interactionId: asked },
      ]),
    );
    backend.reply = answerWith(200);
    const replayed = await server.send('admin', 'POST', `/v1/destinations/${id}/replay`, { dead: true });
    expect(replayed.body).toEqual({ count: 1 });
    await until(() => expect(received()).toHaveLength(3));
    // The same event is the same message.
    const [first, , again] = backend.received;
    expect(again?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(again?.text).toBe(first?.text);
  });

  test('gets one event again, or all after a number, as often as somebody asks', async () => {
    const { id } = await add();
    const ids: string[] = [];
    for (let count = 0; count < 450; count += 1) ids.push(await ask({ sessionId: `ses_${count % 3}` }));
    await until(() => expect(backend.received).toHaveLength(450));
    await until(async () => expect((await server.store.destinations.counts()).size).toBe(0));
    backend.received.length = 0;
    const replay = (body: object) => server.send('admin', 'POST', `/v1/destinations/${id}/replay`, body);
    expect((await replay({ seq: 7 })).body).toEqual({ count: 1 });
    await until(() => expect(received()).toEqual([`interaction.requested ${ids[6]}`]));
    expect((await replay({ after: 20 })).body).toEqual({ count: 430 });
    await until(() => expect(backend.received).toHaveLength(431));
    const again = backend.received.slice(1).map(({ body }) => body.seq as number);
    expect(again.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 430 }, (_, index) => index + 21));
    expect((await replay({ seq: 9999 })).body).toMatchObject({ code: 'invalid_input' });
    expect((await replay({})).status).toBe(400);
  });

  test('of somebody who is no admin any more gets nothing', async () => {
    await add();
    await server.issuedTokens.create({ name: 'other-root', role: 'admin' });
    await server.store.devices.addCode(
      { hash: 'x', name: 'root', role: 'person', expiresAt: new Date(Date.now() + 60_000).toISOString() },
      new Date().toISOString(),
    );
    const at = new Date().toISOString();
    await server.store.devices.logIn({ codeHash: 'x', id: 'd1', hash: 'h', label: 'Firefox', at });
    await server.store.tokens.remove('root', at);
    await ask();
    await server.stop();
    expect(backend.received).toEqual([]);
  });
});
