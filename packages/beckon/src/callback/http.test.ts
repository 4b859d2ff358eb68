import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LIMITS } from '../protocol/limits.ts';
import { CLICK, freePort, post } from '../testing/harness/post.ts';
import { until } from '../testing/suites/until.ts';
import { Http, type HttpOptions } from './http.ts';

const open: Http[] = [];
let port: number;

beforeEach(async () => {
  port = await freePort();
});
afterEach(async () => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  await Promise.all(open.splice(0).map((callback) => callback.close()));
});

function http(options: HttpOptions = {}): Http {
  const callback = new Http({ port, ...options });
  open.push(callback);
  return callback;
}

describe('a callback over HTTP', () => {
  test('resolves with what was posted to its address', async () => {
    const callback = http({ id: 'user-123' });
    expect(callback.endpoint()).toBe(`http://127.0.0.1:${port}/callback/user-123`);
    const awaited = callback.awaitInteraction();
    const { status, body } = await post(callback.endpoint(), { ...CLICK, component: 'card' });
    expect({ status, body }).toEqual({ status: 200, body: { result: 'accepted' } });
    expect(await awaited).toEqual({ ...CLICK, component: 'card' });
  });

  test('has a random id where none is given', () => {
    expect(http().id).toMatch(/^[0-9a-f-]{36}$/);
    expect(http().id).not.toBe(http().id);
  });

  test('keeps a click that came before anybody awaited it', async () => {
    const callback = http();
    const { status } = await post(callback.endpoint());
    expect(status).toBe(200);
    expect(await callback.awaitInteraction(0)).toEqual(CLICK);
  });

  test('gives the same event to everybody who awaits, also afterwards', async () => {
    const callback = http();
    const awaited = [callback.awaitInteraction(), callback.awaitInteraction('5m')];
    await post(callback.endpoint());
    expect(await Promise.all(awaited)).toEqual([CLICK, CLICK]);
    expect(await callback.awaitInteraction()).toEqual(CLICK);
  });

  test('refuses a second click with 409, and the first counts', async () => {
    const callback = http();
    const url = callback.endpoint();
    const awaited = callback.awaitInteraction();
    await post(url);
    expect(await post(url, { action: 'click', data: 'second' })).toMatchObject({
      status: 409,
      body: { code: 'answer_lost' },
    });
    expect(await awaited).toEqual(CLICK);
  });

  test('of many clicks at once takes exactly one', async () => {
    const callback = http();
    const url = callback.endpoint();
    const clicks = Array.from({ length: 50 }, (_, data) => post(url, { action: 'click', data }));
    const statuses = (await Promise.all(clicks)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(49);
  });

  test('is ready for the next event after open; an id of its own stays, a random one is new', async () => {
    const own = http({ id: 'mine' });
    const random = http();
    const first = random.endpoint();
    for (const callback of [own, random]) {
      await post(callback.endpoint());
      await callback.open();
    }
    expect(own.id).toBe('mine');
    expect(random.endpoint()).not.toBe(first);
    expect(await post(first)).toMatchObject({ status: 409 });
    for (const callback of [own, random]) {
      await post(callback.endpoint(), { action: 'select', data: 2 });
      expect(await callback.awaitInteraction()).toEqual({ action: 'select', data: 2 });
    }
  });

  test('an event without data has the data null', async () => {
    const callback = http();
    await post(callback.endpoint(), { action: 'click' });
    expect(await callback.awaitInteraction()).toEqual({ action: 'click', data: null });
  });

  test('times out with an error, and its id is unknown from then on', async () => {
    const keeper = http();
    await keeper.open();
    const callback = http();
    const url = callback.endpoint();
    await expect(callback.awaitInteraction('10ms')).rejects.toMatchObject({ code: 'wait_timed_out' });
    expect(await post(url)).toMatchObject({ status: 404, body: { code: 'interaction_not_found' } });
  });

  test('one wait that times out leaves the others their event', async () => {
    const callback = http();
    const patient = callback.awaitInteraction(60);
    await expect(callback.awaitInteraction('10ms')).rejects.toMatchObject({ code: 'wait_timed_out' });
    await post(callback.endpoint());
    expect(await patient).toEqual(CLICK);
  });

  test('a wait ends with its signal, and the callback stays', async () => {
    const callback = http();
    const left = new AbortController();
    const awaited = callback.awaitInteraction(60, { signal: left.signal });
    left.abort(new Error('left'));
    await expect(awaited).rejects.toThrow('left');
    await expect(callback.awaitInteraction(60, { signal: left.signal })).rejects.toThrow('left');
    await post(callback.endpoint());
    expect(await callback.awaitInteraction()).toEqual(CLICK);
  });

  test('closing ends its awaits, and using it again opens it again', async () => {
    const callback = http();
    const awaited = callback.awaitInteraction();
    await callback.open();
    const [, outcome] = await Promise.all([callback.close(), awaited.catch((error: unknown) => error)]);
    expect(outcome).toMatchObject({ code: 'closed' });
    await post(callback.endpoint());
    expect(await callback.awaitInteraction()).toEqual(CLICK);
  });

  test.each([-1, 1.5, 70_000, Number.NaN])('refuses the port %d', (wrong) => {
    expect(() => new Http({ port: wrong })).toThrow('whole number from 0 to 65535');
  });

  test('refuses an empty id, and an await for less than nothing', async () => {
    expect(() => new Http({ id: '' })).toThrow('not empty');
    await expect(http().awaitInteraction(-1)).rejects.toMatchObject({ code: 'invalid_input' });
  });

  test('on any free port, the address is known after open', async () => {
    const callback = http({ port: 0 });
    expect(() => callback.endpoint()).toThrow('await callback.open()');
    await callback.open();
    await post(callback.endpoint());
    expect(await callback.awaitInteraction()).toEqual(CLICK);
  });
});

describe('the reply is always JSON', () => {
  test.each([
    ['an unknown id', { path: '/callback/nobody' }, 404, 'interaction_not_found'],
    ['an id that cannot be read', { path: '/callback/%E0%A4%A' }, 404, 'route_not_found'],
    ['another path', { path: '/' }, 404, 'route_not_found'],
    ['no JSON', { body: '{"action":' }, 400, 'invalid_input'],
    ['a name twice', { body: '{"action":"deny","action":"allow"}' }, 400, 'invalid_input'],
    ['no body', { body: '' }, 400, 'invalid_input'],
    ['an array', { body: [] }, 400, 'invalid_input'],
    ['no action', { body: { data: {} } }, 400, 'invalid_input'],
    ['an action that is no text', { body: { action: 1, data: {} } }, 400, 'invalid_input'],
    ['a field of another name', { body: { type: 'click', action: 'x' } }, 400, 'invalid_input'],
    ['a __proto__', { body: '{"action":"a","data":{"__proto__":{}}}' }, 400, 'invalid_input'],
    ['another type of content', { headers: { 'content-type': 'text/plain' } }, 415, 'unsupported_media_type'],
    ['GET', { method: 'GET', body: null }, 405, 'method_not_allowed'],
    ['PUT', { method: 'PUT' }, 405, 'method_not_allowed'],
    ['a page of another site', { headers: { origin: 'https://evil.example' } }, 403, 'origin_refused'],
  ] as const)('%s: %#', async (_, sent, status, code) => {
    const callback = http({ id: 'known' });
    await callback.open();
    const {
      path = '/callback/known',
      body = CLICK,
      ...init
    } = sent as { path?: string; body?: unknown; method?: string; headers?: Record<string, string> };
    const url = `http://127.0.0.1:${port}${path}`;
    const reply = await post(url, body ?? undefined, body === null ? { ...init, body: null } : init);
    expect(reply).toMatchObject({ status, body: { status, code } });
    expect(reply.headers.get('content-type')).toBe('application/problem+json');
    expect(reply.headers.get('allow')).toBe(status === 405 ? 'POST, OPTIONS' : null);
    // Whatever came, the callback still waits.
    expect(await post(callback.endpoint())).toMatchObject({ status: 200 });
  });

  test.each([true, false])('a body that is too large gets 413 (its length announced: %s)', async (isAnnounced) => {
    const callback = http();
    const large = JSON.stringify({ action: 'a', data: 'x'.repeat(LIMITS.requestBytes) });
    const body = isAnnounced ? large : new Blob([large]).stream();
    const reply = await post(callback.endpoint(), CLICK, { body, duplex: 'half' });
    expect(reply).toMatchObject({ status: 413, body: { code: 'too_large' } });
    expect(await post(callback.endpoint())).toMatchObject({ status: 200 });
  });

  test('a host that is not this machine gets 421', async () => {
    const callback = http();
    await callback.open();
    const sent = request(callback.endpoint(), { method: 'POST', headers: { host: 'evil.example' } }).end('{}');
    const [reply] = await once(sent, 'response');
    expect(reply.statusCode).toBe(421);
    reply.resume();
  });
});

describe('pages of other sites', () => {
  test('are let in where they are named', async () => {
    const callback = http({ origins: ['http://localhost:3000'] });
    const headers = { origin: 'http://localhost:3000' };
    const preflight = await post(callback.endpoint(), undefined, { method: 'OPTIONS', headers, body: null });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('http://localhost:3000');
    expect(preflight.headers.get('access-control-allow-headers')).toBe('content-type');
    expect(await post(callback.endpoint(), CLICK, { headers })).toMatchObject({ status: 200 });
    const second = await post(callback.endpoint(), CLICK, { headers });
    expect(second.status).toBe(409);
    expect(second.headers.get('access-control-allow-origin')).toBe('http://localhost:3000');
  });

  test('are let in by their own callback alone', async () => {
    const one = http({ origins: ['http://one.example'] });
    const two = http({ origins: ['http://two.example'] });
    const headers = { origin: 'http://one.example' };
    expect(await post(two.endpoint(), CLICK, { headers })).toMatchObject({ status: 403 });
    expect(await post(one.endpoint(), CLICK, { headers })).toMatchObject({ status: 200 });
    const preflight = await post(two.endpoint(), undefined, { method: 'OPTIONS', headers, body: null });
    expect(preflight.status).toBe(403);
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('a page of the same address needs no permission', async () => {
    const callback = http();
    const headers = { origin: `http://127.0.0.1:${port}` };
    expect(await post(callback.endpoint(), CLICK, { headers })).toMatchObject({ status: 200 });
  });
});

describe('the shared server', () => {
  test('serves many callbacks on one port, each with its own event', async () => {
    const callbacks = Array.from({ length: 100 }, (_, user) => http({ id: `user-${user}` }));
    const awaited = callbacks.map((callback) => callback.awaitInteraction());
    await Promise.all(callbacks.map((callback, data) => post(callback.endpoint(), { action: 'click', data })));
    expect((await Promise.all(awaited)).map(({ data }) => data)).toEqual(callbacks.map((_, user) => user));
  });

  test('refuses a second callback with the same id', async () => {
    http({ id: 'same' }).endpoint();
    const second = http({ id: 'same' });
    expect(() => second.endpoint()).toThrow('Give each an id of its own');
    await expect(second.awaitInteraction()).rejects.toMatchObject({ code: 'interaction_exists' });
    await expect(second.open()).rejects.toMatchObject({ code: 'interaction_exists' });
  });

  test('does not listen before the first use, and stops with the last callback', async () => {
    const one = http();
    const two = http();
    const url = `http://127.0.0.1:${port}/callback/x`;
    await expect(post(url)).rejects.toThrow('fetch failed');
    await Promise.all([one.open(), two.open()]);
    await one.close();
    expect(await post(url)).toMatchObject({ status: 404 });
    await two.close();
    await expect(post(url)).rejects.toThrow('fetch failed');
  });

  test('stops by itself after the event, and after a timeout', async () => {
    const callback = http();
    await post(callback.endpoint());
    await until(() => expect(post(callback.endpoint())).rejects.toThrow('fetch failed'));
    expect(await callback.awaitInteraction()).toEqual(CLICK);
    await callback.open();
    await expect(callback.awaitInteraction('5ms')).rejects.toMatchObject({ code: 'wait_timed_out' });
    await until(() => expect(post(`http://127.0.0.1:${port}/callback/x`)).rejects.toThrow('fetch failed'));
  });

  test('can be closed and opened again and again at once', async () => {
    const callback = http();
    for (let round = 0; round < 20; round += 1) {
      const closing = callback.close();
      await callback.open();
      await closing;
    }
    await post(callback.endpoint());
    expect(await callback.awaitInteraction()).toEqual(CLICK);
  });

  test('a port that is taken is a clear error at the first use, and free again it works', async () => {
    const other = createServer().listen(port, '127.0.0.1');
    await once(other, 'listening');
    const taken = { code: 'address_in_use', message: expect.stringContaining(`Port ${port} on 127.0.0.1 is taken`) };
    const callback = http();
    await expect(callback.open()).rejects.toMatchObject(taken);
    await expect(callback.awaitInteraction()).rejects.toMatchObject(taken);
    other.close();
    await once(other, 'close');
    await callback.open();
    await post(callback.endpoint());
    expect(await callback.awaitInteraction()).toEqual(CLICK);
  });

  test('the address of a server that never came up is no unhandled rejection', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const callback = http({ port: (other.address() as AddressInfo).port });
    expect(callback.endpoint()).toContain('/callback/');
    await expect(callback.awaitInteraction()).rejects.toMatchObject({ code: 'address_in_use' });
    other.close();
  });

  test('an abandoned callback is removed after 600 s, one that is awaited is not', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const abandoned = http();
    const awaited = http();
    const awaiting = awaited.awaitInteraction('1h');
    await Promise.all([abandoned.open(), awaited.open()]);
    const url = abandoned.endpoint();
    vi.advanceTimersByTime(599_999);
    const other = http({ id: 'other' });
    other.endpoint();
    vi.advanceTimersByTime(1);
    expect(await post(url)).toMatchObject({ status: 404 });
    expect(await post(awaited.endpoint())).toMatchObject({ status: 200 });
    expect(await post(other.endpoint())).toMatchObject({ status: 200 });
    expect(await awaiting).toEqual(CLICK);
  });
});

describe('beyond loopback', () => {
  test('AI_CALLBACK_HOST is the host in the address, which is signed', async () => {
    vi.stubEnv('AI_CALLBACK_HOST', 'myserver.example');
    const callback = http({ id: 'user-123' });
    const url = new URL(callback.endpoint());
    expect(url.host).toBe(`myserver.example:${port}`);
    expect(url.pathname).toBe('/callback/user-123');
    expect(url.searchParams.get('signature')).toMatch(/^[\w-]{43}$/);
    expect(await post(toLocal(url))).toMatchObject({ status: 200 });
    expect(await callback.awaitInteraction()).toEqual(CLICK);
  });

  test.each(['localhost', '127.0.0.1', '127.0.0.2'])(
    'AI_CALLBACK_HOST=%s is loopback, and nothing is signed',
    (host) => {
      vi.stubEnv('AI_CALLBACK_HOST', host);
      expect(http({ id: 'a' }).endpoint()).toBe(`http://${host}:${port}/callback/a`);
    },
  );

  test('an address without a signature, or with another one, is unknown', async () => {
    const callback = http({ id: 'a', host: 'myserver.example' });
    const url = toLocal(new URL(callback.endpoint()));
    const forged = url.replace(/signature=(.)/, (_, first) => `signature=${first === 'A' ? 'B' : 'A'}`);
    const later = url.replace(/expires=\d+/, 'expires=99999999999');
    for (const wrong of [url.split('?')[0]!, forged, later, url.replace(/expires=\d+&/, ''), `${url}AA`]) {
      expect(await post(wrong)).toMatchObject({ status: 404, body: { code: 'interaction_not_found' } });
    }
    expect(await post(url)).toMatchObject({ status: 200 });
  });

  test('an address that has expired says so', async () => {
    const callback = http({ host: 'myserver.example', lifetime: 0 });
    const url = toLocal(new URL(callback.endpoint()));
    const expiresAt = Number(new URL(url).searchParams.get('expires')) * 1000;
    await until(() => expect(Date.now()).toBeGreaterThan(expiresAt));
    expect(await post(url)).toMatchObject({ status: 410, body: { code: 'answer_late' } });
  });

  test('an address is good for as long as its round, where that is longer', async () => {
    const secondsLeft = (callback: Http): number =>
      Number(new URL(callback.endpoint()).searchParams.get('expires')) - Date.now() / 1000;
    const callback = http({ host: 'myserver.example' });
    await callback.open(null, { timeout: '1h' });
    expect(secondsLeft(callback)).toBeGreaterThan(3590);
    await post(toLocal(new URL(callback.endpoint())));
    await callback.open();
    expect(secondsLeft(callback)).toBeLessThan(602);
    const awaited = callback.awaitInteraction('2h');
    expect(secondsLeft(callback)).toBeGreaterThan(7190);
    await post(toLocal(new URL(callback.endpoint())));
    await awaited;
  });

  function toLocal(url: URL): string {
    return `http://127.0.0.1:${url.port}${url.pathname}${url.search}`;
  }
});
