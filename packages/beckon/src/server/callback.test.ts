import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createCallbackUrls } from '../callback/callback-urls.ts';
import { LIMITS } from '../protocol/limits.ts';
import { createTestApp, QUESTION, type TestApp, type TestReply } from '../testing/harness/server/test-app.ts';

const COMPONENT = { kind: 'component' as const, request: { components: [{ type: 'card', title: 'Sales' }] } };
const CLICK = { action: 'click', data: { button: 'Deep Dive' } };

let server: TestApp;
beforeEach(async () => {
  server = await createTestApp({ callbackUrls: createCallbackUrls({ secret: 'one', isExpiring: false }) });
});
afterEach(() => server.dispose());

async function ask(): Promise<{ id: string; path: string }> {
  const { body } = await server.send('agent', 'POST', '/v1/interactions', COMPONENT);
  const { pathname, search } = new URL(body.callback_url);
  return { id: body.id, path: pathname + search };
}

function send(url: string, payload: object | string = CLICK, headers: Record<string, string> = {}): Promise<TestReply> {
  return server.inject({ method: 'POST', url, payload, headers: { 'content-type': 'application/json', ...headers } });
}

describe('POST /callback/:id', () => {
  test('takes what the person did, without a token', async () => {
    const { id, path } = await ask();
    expect(await send(path)).toMatchObject({ status: 200, body: { result: 'accepted' } });
    expect(await server.beckon.get(id)).toMatchObject({ status: 'answered', answer: CLICK });
  });

  test('the same event again is a repeat; another one is told that somebody was faster, not with what', async () => {
    const { path } = await ask();
    await send(path);
    expect(await send(path)).toMatchObject({ status: 200, body: { result: 'repeated' } });
    const lost = await send(path, { action: 'click', data: 'other' });
    expect(lost).toMatchObject({ status: 409, body: { code: 'answer_lost' } });
    expect(lost.text).not.toContain('Deep Dive');
  });

  test('an event after the end is late', async () => {
    const { id, path } = await ask();
    await server.beckon.cancel({ id });
    expect(await send(path)).toMatchObject({ status: 410, body: { code: 'answer_late' } });
  });

  test('an address that was guessed looks like one that is not there', async () => {
    const { id, path } = await ask();
    const unknown = await send('/callback/int_nobody?signature=x');
    for (const guess of [`/callback/${id}`, `/callback/${id}?signature=`, `${path}x`, `${path}&expires=99999999999`]) {
      const { status, body } = await send(guess);
      expect({ status, code: body.code }).toEqual({ status: unknown.status, code: unknown.body.code });
    }
    expect(unknown).toMatchObject({ status: 404, body: { code: 'interaction_not_found' } });
  });

  test('the address of one interaction does not open another', async () => {
    const [one, two] = [await ask(), await ask()];
    expect(await send(two.path.replace(two.id, one.id))).toMatchObject({ status: 404 });
  });

  test.each([
    ['no JSON', '{', 400],
    ['no action', {}, 400],
    ['another field', { ...CLICK, type: 'x' }, 400],
    ['too much', { action: 'a', data: 'x'.repeat(LIMITS.requestBytes) }, 413],
  ])('%s is refused', async (_, body, status) => {
    const { path } = await ask();
    expect(await send(path, body)).toMatchObject({ status, body: { status } });
  });

  test('pages of other sites may send it, because the address itself is the permission', async () => {
    const { path } = await ask();
    const headers = { origin: 'http://localhost:3000' };
    const preflight = await server.inject({ method: 'OPTIONS', url: path, headers });
    expect(preflight).toMatchObject({
      status: 204,
      headers: {
        'access-control-allow-origin': 'http://localhost:3000',
        'access-control-allow-headers': 'content-type',
      },
    });
    expect(await send(path, CLICK, headers)).toMatchObject({
      status: 200,
      headers: { 'access-control-allow-origin': 'http://localhost:3000' },
    });
    expect(await send(path, CLICK, { host: 'evil.example' })).toMatchObject({ status: 421 });
  });

  test('the proof is not in the log, and neither is what was done', async () => {
    const { path } = await ask();
    await send(path);
    await send(`${path}x`);
    expect(server.logs.join('')).not.toContain(path.split('signature=')[1]);
    expect(server.logs.join('')).not.toContain('Deep Dive');
  });

  test('other kinds have no such address, and a proof for them does not help to answer them', async () => {
    const { body } = await server.send('agent', 'POST', '/v1/interactions', QUESTION);
    expect(body).not.toHaveProperty('callback_url');
    expect(await send(`/callback/${body.id}?signature=x`)).toMatchObject({ status: 404 });
  });
});

describe('an address', () => {
  test('beyond loopback is good until the deadline of its interaction', async () => {
    const urls = createCallbackUrls({ secret: 'one', isExpiring: true });
    const asked = await server.beckon.ask({ ...COMPONENT, timeout: 60 });
    const query = Object.fromEntries(new URL(urls.toUrl('http://h', asked)).searchParams);
    expect(urls.check(asked.id, query)).toBe('good');
    expect(Number(query['expires'])).toBe(Math.ceil(Date.parse(asked.expiresAt ?? '') / 1000));
    const past = { ...asked, expiresAt: '2020-01-01T00:00:00.000Z' };
    expect(urls.check(asked.id, Object.fromEntries(new URL(urls.toUrl('http://h', past)).searchParams))).toBe(
      'expired',
    );
  });

  test('has the host that people reach it by', async () => {
    const asked = await server.beckon.ask(COMPONENT);
    const toUrl = (host: string): string =>
      createCallbackUrls({ secret: 'one', isExpiring: true, host }).toUrl('http://127.0.0.1:8228', asked);
    expect(toUrl('myserver.example')).toMatch(/^http:\/\/myserver\.example:8228\/callback\//);
    expect(toUrl('2001:db8::1')).toMatch(/^http:\/\/\[2001:db8::1\]:8228\/callback\//);
  });

  test('depends on the secret, and is the same after a restart with the same one', async () => {
    const asked = await server.beckon.ask({ ...COMPONENT, timeout: null });
    const toUrl = (secret: string, isExpiring: boolean, base = 'http://127.0.0.1:8228'): string =>
      createCallbackUrls({ secret, isExpiring }).toUrl(base, asked);
    expect(toUrl('one', false)).toBe(toUrl('one', false));
    expect(toUrl('one', false)).not.toBe(toUrl('two', false));
    expect(toUrl('one', false)).not.toContain('expires=');
    expect(toUrl('one', true)).toContain('expires=');
    // However it was started, a proxy may make it reachable for others.
    expect(toUrl('one', false, 'https://beckon.example/team')).toMatch(/^https:\S+\/team\/callback\/\S+expires=/);
  });
});
