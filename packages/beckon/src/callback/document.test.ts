import websocket from '@fastify/websocket';
import Fastify from 'fastify';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CLICK, freePort, post } from '../testing/harness/post.ts';
import { scriptedModel } from '../testing/harness/scripted-model.ts';
import { until } from '../testing/suites/until.ts';
import { ai } from './ai.ts';
import type { Callback, CallbackEvent } from './callback.ts';
import { Http } from './http.ts';
import { WebSocketCallback } from './web-socket-callback.ts';

// One test for each sentence of the document about callbacks, by its words.

const DASHBOARD = [{ type: 'card', key: 'card-123', title: 'Sales', actions: ['Deep Dive'] }];
const open: Http[] = [];
let port: number;

beforeEach(async () => {
  port = await freePort();
});
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(open.splice(0).map((callback) => callback.close()));
});

function http(options: { id?: string } = {}): Http {
  const callback = new Http({ port, ...options });
  open.push(callback);
  return callback;
}

/** An agent that says its texts in turn, and remembers what it was asked. */
function agentOf(...texts: string[]) {
  const asked: string[] = [];
  const agent = async function* (query: string): AsyncGenerator<{ type: 'token'; text: string }> {
    asked.push(query);
    yield { type: 'token', text: texts[asked.length - 1] ?? '' };
  };
  return { agent, asked };
}

describe('Protocol', () => {
  test('Two methods. Any transport.', async () => {
    const events: CallbackEvent[] = [CLICK];
    const own: Callback = {
      awaitInteraction: async () => events.shift() ?? Promise.reject(new DOMException('', 'TimeoutError')),
      endpoint: () => 'carrier-pigeon://home',
    };
    const { agent, asked } = agentOf('one', 'two');
    const urls: unknown[] = [];
    for await (const event of ai(agent, { callback: own })('q')) {
      if (event.type === 'component') urls.push(event.data.callback_url);
    }
    expect(urls).toEqual(['carrier-pigeon://home', 'carrier-pigeon://home']);
    expect(asked).toHaveLength(2);
  });
});

describe('Usage', () => {
  test('Agent streams → Components render → User clicks → Agent continues.', async () => {
    const { agent, asked } = agentOf('Sales are up.', 'North America leads.');
    const callback = http();
    const enhanced = ai(agent, { llm: scriptedModel({ components: DASHBOARD }), callback });
    const story: string[] = [];
    for await (const event of enhanced('Show sales dashboard')) {
      if (event.type !== 'component_delta') story.push(event.type);
      if (event.type !== 'component') continue;
      expect(event.data.components).toEqual(DASHBOARD);
      if (story.length > 2) break;
      void post(event.data.callback_url ?? '');
      expect(await callback.awaitInteraction(300)).toEqual(CLICK);
    }
    expect(story).toEqual(['token', 'component', 'token', 'component']);
    expect(asked[1]).toContain('Deep Dive');
  });
});

describe('Component Integration', () => {
  test('User clicks → `onCallback` fires → POST → Agent receives interaction.', async () => {
    const callback = http();
    const onCallback = (event: CallbackEvent) => post(callback.endpoint(), event);
    const awaited = callback.awaitInteraction();
    expect(await onCallback({ action: 'click', data: { button: 'Deep Dive' }, component: 'card' })).toMatchObject({
      status: 200,
    });
    expect(await awaited).toEqual({ action: 'click', data: { button: 'Deep Dive' }, component: 'card' });
  });
});

describe('Conversation Loop', () => {
  test('Agent automatically continues with interaction context', async () => {
    const { agent, asked } = agentOf('one');
    const callback = http();
    for await (const event of ai(agent, { callback })('Show sales')) {
      if (event.type !== 'component') continue;
      void post(event.data.callback_url ?? '');
      await callback.awaitInteraction();
    }
    expect(asked).toEqual(['Show sales', 'Show sales\n\nThe person did: click {"button":"Deep Dive","id":"card-123"}']);
  });

  test('Infinite loop: Agent → Components → User → Agent...', async () => {
    const { agent, asked } = agentOf(...Array.from({ length: 50 }, (_, round) => `round ${round}`));
    const callback = http();
    for await (const event of ai(agent, { callback, continueWith: (_, { round }) => `${round}` })('0')) {
      if (event.type === 'component') await post(event.data.callback_url ?? '');
    }
    expect(asked).toEqual(Array.from({ length: 51 }, (_, round) => `${round}`));
  });
});

describe('Event Format', () => {
  test('{ "action": "click", "data": {"button": "Deep Dive", "id": "card-123"} }', async () => {
    const callback = http();
    await post(callback.endpoint(), '{ "action": "click", "data": {"button": "Deep Dive", "id": "card-123"} }');
    expect(await callback.awaitInteraction()).toEqual(CLICK);
  });

  test.each(['click', 'select', 'submit', 'change'])(
    'Common actions: `click`, `select`, `submit`, `change`. (%s)',
    async (action) => {
      const callback = http();
      await post(callback.endpoint(), { action, data: {} });
      expect(await callback.awaitInteraction()).toEqual({ action, data: {} });
    },
  );
});

describe('Custom Transport', () => {
  test('callback = WebSocketCallback("wss://example.com/callback")', async () => {
    const app = Fastify();
    await app.register(websocket);
    app.get('/callback', { websocket: true }, (peer) => peer.send(JSON.stringify(CLICK)));
    const url = (await app.listen({ host: '127.0.0.1', port: 0 })).replace('http', 'ws').concat('/callback');
    const callback = new WebSocketCallback(url);
    const { agent, asked } = agentOf('one', 'two');
    const urls: unknown[] = [];
    for await (const event of ai(agent, { callback })('q')) {
      if (event.type === 'component') urls.push(event.data.callback_url);
    }
    expect(urls).toEqual([url, url]);
    expect(asked).toHaveLength(3);
    await app.close();
  });
});

describe('Shared Server Pattern', () => {
  test('Multiple callbacks share one server.', async () => {
    const [callback1, callback2, callback3] = ['user-123', 'user-456', 'user-789'].map((id) => http({ id }));
    const origins = [callback1!, callback2!, callback3!].map((callback) => new URL(callback.endpoint()).origin);
    expect(new Set(origins)).toEqual(new Set([`http://127.0.0.1:${port}`]));
    await Promise.all([callback1!.close(), callback2!.close()]);
    expect(await post(callback3!.endpoint())).toMatchObject({ status: 200 });
  });

  test('Routed by ID: `/callback/{id}`.', async () => {
    const ids = ['user-123', 'user-456', 'user-789'];
    const callbacks = ids.map((id) => http({ id }));
    const awaited = callbacks.map((callback) => callback.awaitInteraction());
    for (const id of ids.toReversed())
      await post(`http://127.0.0.1:${port}/callback/${id}`, { action: 'click', data: id });
    expect((await Promise.all(awaited)).map(({ data }) => data)).toEqual(ids);
  });
});

describe('Cleanup', () => {
  test('Automatic cleanup on success/timeout.', async () => {
    const answered = http();
    await post(answered.endpoint());
    await answered.awaitInteraction();
    await expect(http().awaitInteraction('5ms')).rejects.toMatchObject({ code: 'wait_timed_out' });
    await until(() => expect(post(`http://127.0.0.1:${port}/callback/x`)).rejects.toThrow('fetch failed'));
  });

  test('Abandoned callbacks cleaned after 600s.', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const abandoned = http({ id: 'abandoned' });
    await abandoned.open();
    vi.advanceTimersByTime(300_000);
    const keeper = http();
    await keeper.open();
    vi.advanceTimersByTime(299_999);
    expect(await post(`http://127.0.0.1:${port}/callback/abandoned`, '')).toMatchObject({ status: 400 });
    vi.advanceTimersByTime(1);
    expect(await post(`http://127.0.0.1:${port}/callback/abandoned`)).toMatchObject({ status: 404 });
  });

  // That 100,000 callbacks leave the heap where it was is in tests/memory/callback.test.ts.
  test('Zero memory leaks.', () => {
    const before = process.getActiveResourcesInfo().length;
    const callbacks = Array.from({ length: 100 }, () => http());
    for (const callback of callbacks) callback.endpoint();
    return Promise.all(callbacks.map((callback) => callback.close())).then(() =>
      until(() => expect(process.getActiveResourcesInfo().length).toBeLessThanOrEqual(before + 1)),
    );
  });
});

describe('Environment', () => {
  test('AI_CALLBACK_HOST=myserver.com  # Default: localhost', () => {
    expect(new URL(http().endpoint()).hostname).toBe('127.0.0.1');
    vi.stubEnv('AI_CALLBACK_HOST', 'myserver.com');
    expect(new URL(http().endpoint()).hostname).toBe('myserver.com');
    vi.unstubAllEnvs();
  });
});
