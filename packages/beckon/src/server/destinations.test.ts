import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PersonalDestination } from '../protocol/destination.ts';
import { LIMITS } from '../protocol/limits.ts';
import { createNoticeRecorder, type NoticeRecorder } from '../testing/harness/notice-recorder.ts';
import {
  createTestApp,
  QUESTION,
  TEST_HOST,
  type TestApp,
  type TokenName,
} from '../testing/harness/server/test-app.ts';
import { answerWith, startBackend, type TestBackend } from '../testing/harness/test-backend.ts';
import { until } from '../testing/suites/until.ts';

let server: TestApp;
let backend: TestBackend;
let phone: NoticeRecorder;

beforeEach(async () => {
  backend = await startBackend();
  phone = createNoticeRecorder();
  server = await createTestApp({ notify: { allowDestinations: ['127.0.0.1'], senders: { ntfy: phone, push: phone } } });
});
afterEach(async () => {
  await server.dispose();
  await backend.close();
});

const NTFY = { kind: 'ntfy', server: 'http://127.0.0.1:1', topic: 'very-secret-topic', token: 'very-secret-token' };

async function add(as: TokenName, draft: object): Promise<PersonalDestination & { secret: string }> {
  const { status, body } = await server.send(as, 'POST', '/v1/destinations', draft);
  expect(status).toBe(201);
  return { ...body.destination, secret: body.secret };
}

async function addProven(as: TokenName, draft: object = NTFY): Promise<PersonalDestination> {
  const { id } = await add(as, draft);
  await server.send(as, 'POST', `/v1/destinations/${id}/test`, {});
  const notice = phone.notices.at(-1);
  const code = notice?.what === 'proof' ? notice.code : '';
  return (await server.send(as, 'POST', `/v1/destinations/${id}/prove`, { code })).body;
}

function list(as: TokenName) {
  return server.send(as, 'GET', '/v1/destinations');
}

describe('a destination', () => {
  test('is added, tested, proven by the code that it got, and then told', async () => {
    await server.notify.start();
    const added = await add('person', { ...NTFY, when: { after: 0 }, label: 'my phone' });
    expect(added).toMatchObject({ kind: 'ntfy', owner: 'ana', label: 'my phone', target: '127.0.0.1:1', isOn: true });
    expect(added).toMatchObject({ content: 'link', waiting: 0, dead: 0, when: { after: 0, evenInSight: false } });
    expect(added.provenAt).toBeUndefined();
    await server.send('agent', 'POST', '/v1/interactions', QUESTION);
    const tested = await server.send('person', 'POST', `/v1/destinations/${added.id}/test`, {});
    expect(tested.body).toMatchObject({ result: 'sent', needsCode: true });
    const [notice] = phone.notices;
    expect(notice).toMatchObject({
      what: 'proof',
      code: expect.stringMatching(/^\d{8}$/),
      url: 'http://127.0.0.1:8228/',
    });
    const code = notice?.what === 'proof' ? notice.code : '';
    const wrong = code.startsWith('0') ? `1${code.slice(1)}` : `0${code.slice(1)}`;
    const prove = (given: string) =>
      server.send('person', 'POST', `/v1/destinations/${added.id}/prove`, { code: given });
    expect(await prove(wrong)).toMatchObject({ status: 400, body: { code: 'invalid_input' } });
    const proven = await prove(`${code.slice(0, 4)} ${code.slice(4)}`);
    expect(proven).toMatchObject({ status: 200, body: { id: added.id, provenAt: expect.any(String) } });
    const { body: asked } = await server.send('agent', 'POST', '/v1/interactions', QUESTION);
    await until(() => expect(phone.notices).toHaveLength(2));
    expect(phone.notices[1]).toMatchObject({
      what: 'asked',
      interaction: { id: asked.id },
      url: `http://127.0.0.1:8228/i/${asked.id}`,
    });
    await until(async () => {
      const { body } = await server.send('person', 'GET', `/v1/destinations/${added.id}/deliveries`);
      expect(body.items).toMatchObject([{ status: 'sent', what: 'asked', interactionId: asked.id }]);
    });
  });

  test('counts after five wrong codes only with a new one', async () => {
    const { id } = await add('person', NTFY);
    await server.send('person', 'POST', `/v1/destinations/${id}/test`, {});
    const notice = phone.notices[0];
    const code = notice?.what === 'proof' ? notice.code : '';
    const wrong = code === '00000000' ? '11111111' : '00000000';
    for (let tries = 0; tries < 5; tries += 1) {
      const { body } = await server.send('person', 'POST', `/v1/destinations/${id}/prove`, { code: wrong });
      expect(body.detail).toContain('This code is wrong');
    }
    const late = await server.send('person', 'POST', `/v1/destinations/${id}/prove`, { code });
    expect(late).toMatchObject({ status: 400, body: { detail: expect.stringContaining('beckon notify test') } });
    expect((await list('person')).body.items[0].provenAt).toBeUndefined();
  });

  test('gets no more than five tests in ten minutes', async () => {
    const { id } = await add('person', NTFY);
    for (let tests = 0; tests < 5; tests += 1) {
      expect((await server.send('person', 'POST', `/v1/destinations/${id}/test`, {})).status).toBe(200);
    }
    const sixth = await server.send('person', 'POST', `/v1/destinations/${id}/test`, {});
    expect(sixth).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
    expect(phone.notices).toHaveLength(5);
  });

  test('that a test does not reach says why, and one that it reaches is well again', async () => {
    const { id } = await addProven('person');
    phone.answer = () => ({ result: 'failed', error: 'HTTP 503', retryAfterMs: 0 });
    const test_ = () => server.send('person', 'POST', `/v1/destinations/${id}/test`, {});
    expect((await test_()).body).toMatchObject({ result: 'failed', error: 'HTTP 503', needsCode: false });
    await server.store.destinations.change(id, (record) => ({
      ...record,
      pausedAt: record.createdAt,
      problem: { at: record.createdAt, error: 'HTTP 401' },
    }));
    phone.answer = () => ({ result: 'sent' });
    const { body } = await test_();
    expect(body).toMatchObject({ result: 'sent', needsCode: false });
    expect(body.destination.problem).toBeUndefined();
    expect((await server.store.destinations.find(id))?.pausedAt).toBeUndefined();
    expect(phone.notices.at(-1)).toMatchObject({ what: 'test' });
  });

  test('is changed, turned off and on, and removed', async () => {
    const { id } = await addProven('person');
    const edit = (change: object) => server.send('person', 'PATCH', `/v1/destinations/${id}`, change);
    const when = {
      after: '10m',
      beforeExpiry: 60,
      evenInSight: true,
      quiet: { from: '22:00', to: '07:00', timeZone: 'UTC' },
    };
    expect(
      (await edit({ label: 'x', when, filter: { chats: ['team'] }, content: 'full', isOn: false })).body,
    ).toMatchObject({
      label: 'x',
      when,
      filter: { chats: ['team'] },
      content: 'full',
      isOn: false,
    });
    expect((await edit({ isOn: true })).body).toMatchObject({ isOn: true, label: 'x' });
    expect((await edit({ filter: { types: ['interaction.*'] } })).body).toMatchObject({ code: 'invalid_input' });
    expect((await server.send('person', 'DELETE', `/v1/destinations/${id}`)).body).toEqual({ removed: true });
    expect((await server.send('person', 'DELETE', `/v1/destinations/${id}`)).body).toEqual({ removed: false });
    expect(await edit({ isOn: true })).toMatchObject({ status: 404, body: { code: 'destination_not_found' } });
  });

  test.each([
    [{ kind: 'ntfy', when: { quiet: { from: '22:00', to: '22:00', timeZone: 'UTC' } } }, 'two different times'],
    [{ kind: 'ntfy', when: { quiet: { from: '22:00', to: '7:00', timeZone: 'UTC' } } }, 'a time of day'],
    [{ kind: 'ntfy', when: { quiet: { from: '22:00', to: '07:00', timeZone: 'Mars/Olympus' } } }, 'a time zone'],
    [{ kind: 'ntfy', when: { after: -1 } }, 'seconds from 0'],
    [{ kind: 'ntfy', topic: 'a/b' }, 'letters, digits'],
    [{ kind: 'fax' }, 'push'],
    [{ kind: 'ntfy', filter: { chats: [] } }, 'names'],
    [{ kind: 'ntfy', provenAt: '2026-01-01T00:00:00.000Z' }, 'provenAt'],
  ])('that is not one is refused: %j', async (draft, why) => {
    const { status, text } = await server.send('person', 'POST', '/v1/destinations', draft);
    expect([status, text]).toEqual([400, expect.stringContaining(why)]);
  });

  test('of a kind that nobody can send is refused, and says so', async () => {
    const email = await server.send('person', 'POST', '/v1/destinations', { kind: 'email', to: 'ana@example.com' });
    expect(email).toMatchObject({ status: 422, body: { code: 'destination_unsupported' } });
  });

  test('inside the network is refused, unless it is allowed', async () => {
    for (const url of ['http://10.0.0.1/', 'http://127.0.0.2:8228/', 'http://[::1]/', 'http://169.254.169.254/']) {
      const { status, body } = await server.send('admin', 'POST', '/v1/destinations', { kind: 'webhook', url });
      expect([status, body.code]).toEqual([422, 'address_refused']);
    }
  });

  test('is one of so many', async () => {
    for (let count = 0; count < LIMITS.destinations; count += 1) await add('person', NTFY);
    const more = await server.send('person', 'POST', '/v1/destinations', NTFY);
    expect(more).toMatchObject({ status: 400, body: { detail: expect.stringContaining('20 destinations') } });
  });
});

describe('who may', () => {
  test('have destinations: people, each their own; an admin sees all', async () => {
    const own = await add('person', NTFY);
    const team = await add('teamPerson', NTFY);
    const ids = async (as: TokenName) => (await list(as)).body.items.map(({ id }: { id: string }) => id);
    expect(await ids('person')).toEqual([own.id]);
    expect(await ids('teamPerson')).toEqual([team.id]);
    expect(await ids('teamAdmin')).toEqual([]);
    expect((await ids('admin')).toSorted()).toEqual([own.id, team.id].toSorted());
    for (const as of ['agent', 'teamAgent'] as const) expect((await list(as)).status).toBe(403);
    for (const [method, path] of [
      ['PATCH', ''],
      ['POST', '/test'],
      ['POST', '/secret'],
      ['GET', '/deliveries'],
    ] as const) {
      const url = `/v1/destinations/${own.id}${path}`;
      expect((await server.send('teamPerson', method, url, method === 'GET' ? undefined : {})).status).toBe(404);
    }
    const proving = await server.send('teamPerson', 'POST', `/v1/destinations/${own.id}/prove`, { code: '1' });
    const replaying = await server.send('teamPerson', 'POST', `/v1/destinations/${own.id}/replay`, { dead: true });
    expect([proving.status, replaying.status]).toEqual([404, 404]);
    expect((await server.send('teamPerson', 'DELETE', `/v1/destinations/${own.id}`)).body).toEqual({ removed: false });
    expect(await ids('person')).toEqual([own.id]);
  });

  test('have webhooks: admins of everything', async () => {
    const draft = { kind: 'webhook', url: backend.url };
    for (const as of ['person', 'teamPerson', 'teamAdmin'] as const) {
      expect(await server.send(as, 'POST', '/v1/destinations', draft)).toMatchObject({ status: 403 });
    }
    expect((await add('admin', draft)).owner).toBe('root');
  });

  test('be told of a chat: whoever is limited to one hears of that one alone', async () => {
    await server.notify.start();
    await addProven('teamPerson');
    phone.take();
    await server.send('agent', 'POST', '/v1/interactions', QUESTION);
    const { body } = await server.send('agent', 'POST', '/v1/interactions', { ...QUESTION, chatId: 'team' });
    await until(() => expect(phone.notices.at(-1)).toMatchObject({ what: 'asked', interaction: { id: body.id } }));
    expect(phone.take()).toHaveLength(1);
  });

  test('say that a page is in sight: a browser, not a token', async () => {
    const presence = { inSight: true };
    expect(await server.send('person', 'PUT', '/v1/presence', presence)).toMatchObject({ status: 403 });
    const { code } = await server.devices.createCode({ name: 'ana', role: 'person' });
    const page = { host: TEST_HOST, origin: `http://${TEST_HOST}` };
    const login = await server.inject({ method: 'POST', url: '/v1/login', headers: page, payload: { code } });
    const cookie = String(login.headers['set-cookie']).split(';')[0] ?? '';
    const headers = { ...page, cookie };
    const see = (payload: object) => server.inject({ method: 'PUT', url: '/v1/presence', headers, payload });
    expect(await see(presence)).toMatchObject({ status: 200, body: presence });
    await addProven('person');
    await server.notify.start();
    phone.take();
    await server.send('agent', 'POST', '/v1/interactions', QUESTION);
    await until(async () => expect((await server.store.notices.view())?.plannedTo).toBeGreaterThan(0));
    await until(async () => {
      const [lane] = await server.store.notices.waitingLanes((await list('person')).body.items[0].id);
      expect(lane).toBeDefined();
    });
    expect(phone.take()).toEqual([]);
    expect(await see({ inSight: false })).toMatchObject({ status: 200 });
    await until(() => expect(phone.take()).toHaveLength(1));
  });
});

describe('what is secret', () => {
  test('is in no reply and no log, but once', async () => {
    const url = `${backend.url}/hook-with-a-secret`;
    const added = await server.send('admin', 'POST', '/v1/destinations', { kind: 'webhook', url });
    const { secret, destination } = added.body;
    expect(secret).toMatch(/^whsec_/);
    expect(added.headers['cache-control']).toBe('no-store');
    await addProven('person');
    const subscription = {
      endpoint: `${backend.url}/push/very-secret-endpoint`,
      keys: { p256dh: 'p'.repeat(87), auth: 'a'.repeat(22) },
    };
    await add('person', { kind: 'push', subscription });
    backend.reply = answerWith(500, `I know ${secret}`);
    const tested = await server.send('admin', 'POST', `/v1/destinations/${destination.id}/test`, {});
    const replies = [
      tested,
      await list('admin'),
      await list('person'),
      await server.send('admin', 'PATCH', `/v1/destinations/${destination.id}`, { isOn: true }),
      await server.send('admin', 'GET', `/v1/destinations/${destination.id}/deliveries`),
      await server.send('admin', 'GET', '/metrics'),
    ];
    for (const { text } of replies) {
      for (const hidden of [
        secret,
        secret.slice(6),
        'hook-with-a-secret',
        'very-secret',
        'p'.repeat(87),
        'a'.repeat(22),
      ]) {
        expect(text).not.toContain(hidden);
      }
    }
    expect(server.logs.join('\n')).not.toMatch(/very-secret|hook-with-a-secret|whsec_/);
  });

  test('of a topic that Beckon makes up is shown once, so that one can subscribe to it', async () => {
    const draft = { kind: 'ntfy', server: 'http://127.0.0.1:1/' };
    const { body } = await server.send('person', 'POST', '/v1/destinations', draft);
    expect(body.subscribeTo).toMatch(/^http:\/\/127\.0\.0\.1:1\/beckon-[\w-]{24}$/);
    const other = await server.send('person', 'POST', '/v1/destinations', draft);
    expect(other.body.subscribeTo).not.toBe(body.subscribeTo);
    expect((await list('person')).text).not.toContain(body.subscribeTo.slice(20));
  });

  test('is replaced, and both sign for a day', async () => {
    const { id, secret } = await add('admin', { kind: 'webhook', url: backend.url });
    await server.send('admin', 'POST', `/v1/destinations/${id}/test`, {});
    const rotated = await server.send('admin', 'POST', `/v1/destinations/${id}/secret`, {});
    expect(rotated).toMatchObject({ status: 201, body: { secret: expect.stringMatching(/^whsec_/) } });
    const left = Date.parse(rotated.body.oldUntil) - Date.now();
    expect(Math.round(left / 3_600_000)).toBe(24);
    await server.send('admin', 'POST', `/v1/destinations/${id}/test`, {});
    const [first, second] = backend.received;
    const verify = (key: string, request = second) =>
      new Webhook(key).verify(request?.text ?? '', request?.headers as Record<string, string>);
    expect(() => verify(secret, first)).not.toThrow();
    expect(() => verify(rotated.body.secret, first)).toThrow('No matching signature');
    expect(() => verify(secret)).not.toThrow();
    expect(() => verify(rotated.body.secret)).not.toThrow();
    // The day is over.
    await server.store.destinations.change(id, (record) => {
      const [old, now] = (record.secret as { secrets: object[] }).secrets;
      return { ...record, secret: { ...record.secret, secrets: [{ ...old, until: record.createdAt }, { ...now }] } };
    });
    await server.send('admin', 'POST', `/v1/destinations/${id}/test`, {});
    expect(() => verify(secret, backend.received[2])).toThrow('No matching signature');
    expect(() => verify(rotated.body.secret, backend.received[2])).not.toThrow();
    const own = await add('person', NTFY);
    const wrong = await server.send('person', 'POST', `/v1/destinations/${own.id}/secret`, {});
    expect(wrong).toMatchObject({ status: 400 });
  });
});

test('metrics say what was sent, what waits, and how long it took', async () => {
  await server.notify.start();
  await addProven('person');
  await server.send('agent', 'POST', '/v1/interactions', QUESTION);
  await until(async () => {
    const { text } = await server.send('admin', 'GET', '/metrics');
    expect(text).toContain('beckon_notices_total{kind="ntfy",result="sent"} 1');
    expect(text).toContain('beckon_notice_lag_seconds_count{kind="ntfy"} 1');
    expect(text).toContain('beckon_notices_waiting{kind="ntfy"} 0');
    expect(text).toContain('beckon_notices_dead{kind="webhook"} 0');
  });
});
