import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PushService } from '../../../../tests/harness/push-service.ts';
import type { PersonalDestination } from '../protocol/destination.ts';
import type { PushMessage } from '../protocol/push.ts';
import { createPushBrowser, type PushBrowser } from '../testing/harness/push-browser.ts';
import { createTestApp, type TestApp, type TestReply } from '../testing/harness/server/test-app.ts';
import { until } from '../testing/suites/until.ts';

const PAGE = { host: 'localhost:8228', origin: 'http://localhost:8228' };
const trusted = getCACertificates('default');
let service: PushService;
let server: TestApp;
let browser: PushBrowser;
let cookie: string;
let key: string;

beforeAll(async () => {
  service = await PushService.open();
  setDefaultCACertificates([...trusted, service.certificate.cert]);
});
afterAll(async () => {
  setDefaultCACertificates(trusted);
  await service.close();
});
beforeEach(async () => {
  service.accepted.length = 0;
  service.refusals.length = 0;
  server = await createTestApp({ notify: { allowDestinations: ['127.0.0.1'] } });
  await server.notify.start();
  browser = createPushBrowser();
  cookie = await logIn('ada');
  key = (await call('GET', '/v1/push-key')).body.publicKey;
});
afterEach(() => server.dispose());

describe('a browser', () => {
  test('subscribes with the key of this Beckon, proves itself, and is told what is asked and how it ended', async () => {
    const destination = await turnOn();
    expect(destination).toMatchObject({ kind: 'push', owner: 'ada', content: 'headline', isOn: true });
    expect(destination.label).toBe('Chrome on Android');
    expect(destination.target).toBe(new URL(service.url).host);
    const id = await askToRun('npm test');
    expect(await received('asked')).toMatchObject({ requestId: id, to: 'ada', isOneTap: true, title: 'npm test' });
    const asked = service.accepted.at(-1);
    await call('POST', `/v1/interactions/${id}/answer`, { answer: { decision: 'deny' } });
    expect(await received('settled')).toMatchObject({ requestId: id, title: 'Denied by ada in the inbox' });
    // It takes the place of the first, at the push service and on the screen.
    const settled = service.accepted.at(-1);
    expect(settled?.headers['topic']).toBe(asked?.headers['topic']);
    expect(asked?.headers).toMatchObject({ urgency: 'high', ttl: expect.stringMatching(/^\d+$/) });
  });

  test('is told nothing until it has proven itself', async () => {
    const { id } = await subscribe();
    await askToRun('npm test');
    await call('POST', `/v1/destinations/${id}/test`, {});
    expect(service.accepted).toHaveLength(1);
    expect((await received('proof')).what).toBe('proof');
  });

  test('that subscribes again has one destination, with its settings', async () => {
    const { id } = await turnOn();
    await call('PATCH', `/v1/destinations/${id}`, { label: 'my phone', content: 'link' });
    const same = await subscribe(service.accepted.at(-1)?.token);
    expect(same).toMatchObject({ id, label: 'my phone', provenAt: expect.any(String) });
    // The push service gave it another address.
    const renewed = await subscribe();
    expect(renewed).toMatchObject({ id, label: 'my phone', content: 'link' });
    expect(renewed.provenAt).toBeUndefined();
    await prove(id);
    await askToRun('npm test');
    expect(await received('asked')).toMatchObject({ title: 'An agent needs you' });
    expect((await call('GET', '/v1/destinations')).body.items).toHaveLength(1);
  });

  test('gets no push while its person has the page in sight, and one when they leave', async () => {
    await turnOn();
    await call('PUT', '/v1/presence', { inSight: true });
    const id = await askToRun('npm test');
    await until(async () => {
      const { body } = await call('GET', '/v1/destinations');
      expect(body.items).toMatchObject([{ waiting: 1 }]);
    });
    expect(service.accepted).toHaveLength(1);
    await call('PUT', '/v1/presence', { inSight: false });
    expect(await received('asked')).toMatchObject({ requestId: id });
  });

  test('that was logged out is told nothing any more', async () => {
    await turnOn();
    await call('POST', '/v1/logout', {});
    expect(await server.store.destinations.list()).toEqual([]);
  });

  test('says nothing of its address or keys to anybody, nor does the log', async () => {
    await turnOn();
    const token = service.accepted.at(-1)?.token ?? '';
    service.refusals.push({ status: 503, body: `${service.url}/fcm/send/${token}` });
    await askToRun('npm test');
    await until(async () => expect((await call('GET', '/v1/destinations')).body.items[0].problem).toBeDefined());
    const replies = [await call('GET', '/v1/destinations'), await server.send('admin', 'GET', '/v1/destinations')];
    const log = JSON.stringify(await server.store.readLog({ after: 0, limit: 100 }));
    for (const text of [...replies.map((reply) => reply.text), log, ...server.logs]) {
      for (const secret of [token, browser.keys.p256dh, browser.keys.auth]) expect(text).not.toContain(secret);
    }
  });
});

describe('a push service', () => {
  test.each([404, 410])('that knows the browser no more (%i): it is forgotten', async (status) => {
    await turnOn();
    service.refusals.push({ status });
    await askToRun('npm test');
    await until(async () => expect((await call('GET', '/v1/destinations')).body.items).toEqual([]));
    expect(service.refusals).toEqual([]);
  });

  test('that knows it no more when it is tested: the same', async () => {
    const { id } = await turnOn();
    service.refusals.push({ status: 410 });
    expect((await call('POST', `/v1/destinations/${id}/test`, {})).body).toMatchObject({ result: 'gone' });
    expect((await call('GET', '/v1/destinations')).body.items).toEqual([]);
  });

  test.each([429, 503])('that wants a rest (%i) gets it, and then the notice', async (status) => {
    const { id } = await turnOn();
    service.refusals.push({ status, headers: { 'retry-after': '1800' } });
    await askToRun('npm test');
    await until(async () => {
      const { body } = await call('GET', `/v1/destinations/${id}/deliveries`);
      const [{ attempts, dueAt, status: is }] = body.items;
      expect([attempts, is]).toEqual([1, 'waiting']);
      expect(Date.parse(dueAt) - Date.now()).toBeGreaterThan(1_700_000);
    });
  });

  test('inside the network is refused, unless it is allowed', async () => {
    const endpoint = 'https://10.0.0.1/push';
    const draft = { kind: 'push', subscription: { endpoint, keys: browser.keys } };
    expect(await call('POST', '/v1/destinations', draft)).toMatchObject({
      status: 422,
      body: { code: 'address_refused' },
    });
  });
});

test('whoever is not logged in does not get the key, and neither does an agent', async () => {
  expect((await server.inject({ url: '/v1/push-key', headers: PAGE })).status).toBe(401);
  expect((await server.send('agent', 'GET', '/v1/push-key')).status).toBe(403);
});

test('the key is the same after a restart', async () => {
  await server.stop();
  const again = await createTestApp({ folder: server.folder });
  expect((await again.send('person', 'GET', '/v1/push-key')).body).toEqual({ publicKey: key });
  await again.stop();
});

/** Subscribes this browser, and proves it as its service worker does. */
async function turnOn(): Promise<PersonalDestination> {
  const { id } = await subscribe();
  return prove(id);
}

async function subscribe(token?: string): Promise<PersonalDestination> {
  const endpoint = token === undefined ? service.subscribe(key) : `${service.url}/fcm/send/${token}`;
  const draft = { kind: 'push', subscription: { endpoint, keys: browser.keys } };
  const { status, body } = await call('POST', '/v1/destinations', draft);
  expect(status).toBe(201);
  return body.destination;
}

async function prove(id: string): Promise<PersonalDestination> {
  expect((await call('POST', `/v1/destinations/${id}/test`, {})).body).toMatchObject({ result: 'sent' });
  const message = await received('proof');
  const { destination, code } = message.what === 'proof' ? message : { destination: '', code: '' };
  expect(destination).toBe(id);
  return (await call('POST', `/v1/destinations/${destination}/prove`, { code })).body;
}

/** The last message, once it is of this kind. */
async function received(what: PushMessage['what']): Promise<PushMessage> {
  let message: PushMessage | undefined;
  await until(() => {
    const { body } = service.accepted.at(-1) ?? {};
    message = body === undefined ? undefined : browser.read(body);
    expect(message?.what).toBe(what);
  });
  if (message === undefined) throw new Error('Expected a message.');
  return message;
}

async function askToRun(command: string): Promise<string> {
  const ask = { kind: 'approval', request: { tool: 'Bash', input: { command } } };
  return (await server.send('agent', 'POST', '/v1/interactions', ask)).body.id;
}

async function logIn(who: string): Promise<string> {
  const link = await server.send('admin', 'POST', '/v1/login-links', { who, role: 'person' });
  const code = new URL(link.body.url).hash.slice(1);
  const headers = { ...PAGE, 'user-agent': 'Mozilla/5.0 (Linux; Android 15) Chrome/156.0.0.0 Mobile' };
  const reply = await server.inject({ method: 'POST', url: '/v1/login', headers, payload: { code } });
  return String(reply.headers['set-cookie']).split(';')[0] ?? '';
}

function call(method: 'GET' | 'POST' | 'PUT' | 'PATCH', url: string, payload?: object): Promise<TestReply> {
  return server.inject({
    method,
    url,
    headers: { ...PAGE, cookie },
    ...(payload !== undefined && { payload }),
  });
}
