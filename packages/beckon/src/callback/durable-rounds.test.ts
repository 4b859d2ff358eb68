import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { connectBeckon } from '../client/connect-beckon.ts';
import type { Beckon } from '../core/beckon.ts';
import { openBeckon } from '../open-beckon.ts';
import { CLICK, freePort, post } from '../testing/harness/post.ts';
import { createTestApp, type TestApp } from '../testing/harness/server/test-app.ts';
import { until } from '../testing/suites/until.ts';
import { createCallbackUrls } from './callback-urls.ts';
import { Http } from './http.ts';

const COMPONENTS = [{ type: 'card', key: 'card-123', title: 'Sales', actions: ['Deep Dive'] }];
const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

describe('on a Beckon in this process', () => {
  let folder: string;
  let port: number;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'beckon-callback-'));
    cleanups.push(() => rm(folder, { recursive: true }));
    port = await freePort();
  });

  async function start(): Promise<{ beckon: Beckon; callback: Http; stop: () => Promise<void> }> {
    const beckon = await openBeckon({ store: `sqlite:${join(folder, 'beckon.db')}` });
    const callback = new Http({ beckon, id: 'chat-7', chatId: 'sales', port });
    const stop = async (): Promise<void> => {
      await callback.close();
      await beckon.close();
    };
    cleanups.push(stop);
    return { beckon, callback, stop };
  }

  test('what is shown is a component interaction, and the click its answer', async () => {
    const { beckon, callback } = await start();
    await callback.open(COMPONENTS);
    expect(callback.endpoint()).toBe(`http://127.0.0.1:${port}/callback/chat-7`);
    expect(await beckon.get('chat-7')).toMatchObject({
      kind: 'component',
      chatId: 'sales',
      status: 'pending',
      request: { components: COMPONENTS },
    });
    const awaited = callback.awaitInteraction();
    expect(await post(callback.endpoint())).toMatchObject({ status: 200 });
    expect(await awaited).toEqual(CLICK);
    expect(await beckon.get('chat-7')).toMatchObject({
      status: 'answered',
      answer: CLICK,
      answeredBy: { via: 'callback' },
    });
    expect(await post(callback.endpoint())).toMatchObject({ status: 200 });
    expect(await post(callback.endpoint(), { action: 'other' })).toMatchObject({ status: 409 });
  });

  test('after a restart the same id finds the click, and the next round is another one', async () => {
    const first = await start();
    await first.callback.open(COMPONENTS);
    const url = first.callback.endpoint();
    await post(url);
    await first.stop();

    const second = await start();
    await second.callback.open(COMPONENTS);
    expect(second.callback.endpoint()).toBe(url);
    expect(await second.callback.awaitInteraction()).toEqual(CLICK);
    await second.callback.open(COMPONENTS);
    expect(second.callback.id).toBe('chat-7.2');
    await post(second.callback.endpoint(), { action: 'select', data: 1 });
    expect(await second.callback.awaitInteraction()).toEqual({ action: 'select', data: 1 });
  });

  test('after a restart with other components the earlier round is found, and its event says what was shown', async () => {
    const first = await start();
    await first.callback.open(COMPONENTS);
    await post(first.callback.endpoint());
    await first.stop();

    const second = await start();
    await second.callback.open([{ type: 'card', title: 'Other words' }]);
    expect(await second.callback.awaitInteraction()).toEqual({ ...CLICK, shown: COMPONENTS });
    expect(await second.beckon.get('chat-7')).toMatchObject({ request: { components: COMPONENTS } });
  });

  test('after a restart a page that was already open still reaches it', async () => {
    const first = await start();
    await first.callback.open(COMPONENTS);
    const url = first.callback.endpoint();
    await first.stop();
    const second = await start();
    const awaited = second.callback.awaitInteraction();
    await second.callback.open(COMPONENTS);
    expect(await post(url)).toMatchObject({ status: 200 });
    expect(await awaited).toEqual(CLICK);
  });

  test('a click that comes after the end does not count', async () => {
    const { beckon, callback } = await start();
    await callback.open(COMPONENTS);
    const awaited = callback.awaitInteraction();
    await beckon.cancel({ id: 'chat-7' }, 'no longer needed');
    await expect(awaited).rejects.toThrow('was cancelled: no longer needed');
    expect(await post(callback.endpoint())).toMatchObject({ status: 410, body: { code: 'answer_late' } });
  });

  test('an interaction that expires is a timeout', async () => {
    const { callback } = await start();
    await callback.open(COMPONENTS, { timeout: '20ms' });
    await expect(callback.awaitInteraction()).rejects.toMatchObject({ code: 'wait_timed_out' });
  });

  test('it gives its place at the server back by itself, after the event and where nobody awaits it', async () => {
    const { callback } = await start();
    await callback.open(COMPONENTS);
    await post(callback.endpoint());
    await callback.awaitInteraction();
    await until(() => expect(post(callback.endpoint())).rejects.toThrow('fetch failed'));
    expect(await callback.awaitInteraction()).toEqual(CLICK);

    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await callback.open(COMPONENTS);
    const url = callback.endpoint();
    vi.advanceTimersByTime(600_000);
    vi.useRealTimers();
    await until(() => expect(post(url)).rejects.toThrow('fetch failed'));
    const awaited = callback.awaitInteraction();
    await callback.open(COMPONENTS);
    expect(callback.endpoint()).toBe(url);
    await post(url);
    expect(await awaited).toEqual(CLICK);
  });

  test('a round that begins while the last one lets go of the server goes on', async () => {
    const { beckon } = await start();
    const ask = Promise.withResolvers<void>();
    const slow = withAsk(beckon, async (input) => {
      if (input.id === 'slow.2') await ask.promise;
      return beckon.ask(input);
    });
    const callback = new Http({ beckon: slow, id: 'slow', port });
    cleanups.push(() => callback.close());
    await callback.open(COMPONENTS);
    await post(callback.endpoint());
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await callback.awaitInteraction();
    const opening = callback.open(COMPONENTS);
    vi.advanceTimersByTime(1000);
    vi.useRealTimers();
    ask.resolve();
    await opening;
    const awaited = callback.awaitInteraction();
    expect(await post(callback.endpoint(), { action: 'select', data: 2 })).toMatchObject({ status: 200 });
    expect(await awaited).toEqual({ action: 'select', data: 2 });
  });

  test('opened twice, it is still given back where nobody awaits it', async () => {
    const { callback } = await start();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await callback.open(COMPONENTS);
    await callback.open(COMPONENTS);
    vi.advanceTimersByTime(600_000);
    vi.useRealTimers();
    await until(() => expect(post(callback.endpoint())).rejects.toThrow('fetch failed'));
  });

  test('closed while it is asked, it is not at the server afterwards, and can be opened again', async () => {
    const { callback } = await start();
    const opening = callback.open(COMPONENTS);
    const closing = callback.close();
    await Promise.all([opening, closing]);
    expect(() => callback.endpoint()).toThrow('await callback.open(components) first');
    await expect(post(`http://127.0.0.1:${port}/callback/chat-7`)).rejects.toThrow('fetch failed');
    for (let round = 0; round < 5; round += 1) {
      const closed = callback.close();
      await callback.open(COMPONENTS);
      await closed;
    }
    expect(await post(callback.endpoint())).toMatchObject({ status: 200 });
  });

  test('a port that is taken is a clear error, and free again it works', async () => {
    const { callback } = await start();
    const other = createServer().listen(port, '127.0.0.1');
    await once(other, 'listening');
    await expect(callback.open(COMPONENTS)).rejects.toMatchObject({ code: 'address_in_use' });
    await expect(callback.awaitInteraction()).rejects.toMatchObject({ code: 'address_in_use' });
    other.close();
    await once(other, 'close');
    await callback.open(COMPONENTS);
    await post(callback.endpoint());
    expect(await callback.awaitInteraction()).toEqual(CLICK);
  });

  test('a round whose id another callback has fails, and the other one stays', async () => {
    const { beckon, callback } = await start();
    const other = new Http({ beckon, id: 'chat-7.2', port });
    cleanups.push(() => other.close());
    await Promise.all([callback.open(COMPONENTS), other.open(COMPONENTS)]);
    await post(callback.endpoint());
    await callback.awaitInteraction();
    await expect(callback.open(COMPONENTS)).rejects.toMatchObject({ code: 'key_reused' });
    await callback.close();
    expect(await post(other.endpoint())).toMatchObject({ status: 200 });
    expect(await other.awaitInteraction()).toEqual(CLICK);
  });

  test.each([191, 195, 200])('the rounds of an id of %i characters are told apart', async (length) => {
    const { beckon } = await start();
    const callback = new Http({ beckon, id: 'x'.repeat(length), port });
    cleanups.push(() => callback.close());
    const ids = new Set<string>();
    for (let round = 1; round <= 11; round += 1) {
      await callback.open(COMPONENTS);
      ids.add(callback.id);
      await post(callback.endpoint(), { action: 'click', data: round });
      expect(await callback.awaitInteraction()).toEqual({ action: 'click', data: round });
    }
    expect(ids.size).toBe(11);
  });

  test('its address is not known before it is asked', async () => {
    const { callback } = await start();
    expect(() => callback.endpoint()).toThrow('await callback.open(components) first');
    await expect(callback.awaitInteraction('20ms')).rejects.toMatchObject({ code: 'wait_timed_out' });
    expect(callback.endpoint()).toContain('/callback/chat-7');
  });
});

/** A Beckon that asks in its own way, such as one whose disk is slow. */
function withAsk(beckon: Beckon, ask: Beckon['ask']): Beckon {
  return new Proxy(beckon, {
    get: (target, name: keyof Beckon) => (name === 'ask' ? ask : target[name].bind(target)),
  });
}

describe('on a daemon', () => {
  async function startDaemon(): Promise<{ app: TestApp; beckon: Beckon }> {
    const callbackUrls = createCallbackUrls({ secret: 'a secret', isExpiring: false });
    const app = await createTestApp({ callbackUrls });
    cleanups.push(() => app.dispose());
    const beckon = connectBeckon(await app.listen(), { token: app.tokens.agent });
    cleanups.push(() => beckon.close());
    return { app, beckon };
  }

  test('the daemon takes the click while the agent is down', async () => {
    const { app, beckon } = await startDaemon();
    const before = new Http({ beckon, id: 'chat-7' });
    await before.open(COMPONENTS);
    const url = before.endpoint();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback\/chat-7\?signature=[\w-]{43}$/);
    await before.close();
    expect(await post(url, { ...CLICK, component: 'card' })).toMatchObject({
      status: 200,
      body: { result: 'accepted' },
    });
    const after = new Http({ beckon, id: 'chat-7' });
    expect(await after.awaitInteraction()).toEqual({ ...CLICK, component: 'card' });
    expect(await app.beckon.get('chat-7')).toMatchObject({ answeredBy: { who: 'somebody', via: 'callback' } });
  });
});
