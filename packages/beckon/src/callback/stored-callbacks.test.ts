import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Beckon } from '../core/beckon.ts';
import { openBeckon } from '../open-beckon.ts';
import { BeckonError } from '../protocol/errors.ts';
import { CLICK, freePort, post } from '../testing/harness/post.ts';
import { Http, type HttpOptions } from './http.ts';

const OTHER_CLICK = { action: 'click', data: 'other' };
const PAGE = 'http://localhost:3000';
const cleanups: (() => Promise<unknown>)[] = [];
let folder: string;
let port: number;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'beckon-kept-'));
  cleanups.push(() => rm(folder, { recursive: true }));
  port = await freePort();
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function open(name = 'beckon'): Promise<Beckon> {
  const beckon = await openBeckon({ store: `sqlite:${join(folder, name)}.db` });
  cleanups.push(() => beckon.close());
  return beckon;
}

function http(options: HttpOptions): Http {
  const callback = new Http({ port, origins: [PAGE], ...options });
  cleanups.push(() => callback.close());
  return callback;
}

/** Shows two rounds, of which the first is answered, and ends. */
async function live(): Promise<{ first: string; second: string }> {
  const beckon = await open();
  const callback = http({ beckon, id: 'ada' });
  await callback.open();
  const first = callback.endpoint();
  await post(first);
  await callback.awaitInteraction();
  await callback.open();
  const second = callback.endpoint();
  await callback.close();
  await beckon.close();
  return { first, second };
}

describe('after a restart', () => {
  test('a click is taken while only another conversation is back, and its agent finds it', async () => {
    const { second } = await live();
    const beckon = await open();
    await http({ beckon, id: 'bob' }).open();
    expect(await post(second)).toMatchObject({ status: 200, body: { result: 'accepted' } });
    const callback = http({ beckon, id: 'ada' });
    await callback.open();
    await callback.awaitInteraction();
    await callback.open();
    expect(await callback.awaitInteraction()).toEqual(CLICK);
    expect(await beckon.get('ada.2')).toMatchObject({ answeredBy: { who: 'somebody', via: 'callback' } });
  });

  test('a click is taken while the agent runs through the rounds before', async () => {
    const { second } = await live();
    const callback = http({ beckon: await open(), id: 'ada' });
    await callback.open();
    expect(await post(second)).toMatchObject({ status: 200 });
    await callback.awaitInteraction();
    await callback.open();
    expect(await callback.awaitInteraction()).toEqual(CLICK);
  });

  test('the same event again is a repeat, another one is refused, and after the end it is late', async () => {
    const { first, second } = await live();
    const beckon = await open();
    await http({ beckon, id: 'bob' }).open();
    expect(await post(first)).toMatchObject({ status: 200 });
    expect(await post(first, OTHER_CLICK)).toMatchObject({ status: 409, body: { code: 'answer_lost' } });
    await beckon.cancel({ id: 'ada.2' });
    expect(await post(second)).toMatchObject({ status: 410, body: { code: 'answer_late' } });
  });

  test('pages may send it that the agent named', async () => {
    const { second } = await live();
    await http({ beckon: await open(), id: 'bob', origins: ['http://bob.example'] }).open();
    for (const [origin, status] of [
      ['http://bob.example', 403],
      [PAGE, 204],
    ] as const) {
      const preflight = await post(second, undefined, { method: 'OPTIONS', headers: { origin }, body: null });
      expect(preflight.status).toBe(status);
      expect(preflight.headers.get('access-control-allow-origin')).toBe(status === 204 ? PAGE : null);
    }
    expect(await post(second, CLICK, { headers: { origin: 'http://bob.example' } })).toMatchObject({ status: 403 });
    expect(await post(second, CLICK, { headers: { origin: PAGE } })).toMatchObject({ status: 200 });
  });
});

describe('in the next round', () => {
  test.each([['of a port of its own', 0] as const, ['of a port that was chosen', undefined] as const])(
    'the event of the last one again, %s, is a repeat',
    async (_, wanted) => {
      const callback = http({ beckon: await open(), id: 'ada', ...(wanted !== undefined && { port: wanted }) });
      await callback.open();
      const url = callback.endpoint();
      await post(url);
      await callback.awaitInteraction();
      await callback.open();
      expect(await post(url)).toMatchObject({ status: 200 });
      expect(await post(url, OTHER_CLICK)).toMatchObject({ status: 409 });
    },
  );

  test('an event whose body takes its time is told from the one that was faster', async () => {
    const callback = http({ beckon: await open(), id: 'ada' });
    await callback.open();
    const url = callback.endpoint();
    const headers = { 'content-type': 'application/json' };
    const slow = [CLICK, OTHER_CLICK].map((event) => {
      const sent = request(url, { method: 'POST', headers });
      sent.write(' ');
      return { replied: once(sent, 'response'), finish: () => sent.end(JSON.stringify(event)) };
    });
    await post(url);
    await callback.awaitInteraction();
    await callback.open();
    const statuses: unknown[] = [];
    for (const { replied, finish } of slow) {
      finish();
      const [reply] = await replied;
      statuses.push(reply.statusCode);
      reply.resume();
    }
    expect(statuses).toEqual([200, 409]);
  });
});

describe('nobody answers that way', () => {
  test.each([
    ['components that were not asked as a callback', {}],
    ['a callback of another port', { metadata: { callback: { port: 1, origins: [] } } }],
    ['metadata that are none of ours', { metadata: { callback: 'yes' } }],
  ])('%s', async (_, more) => {
    const beckon = await open();
    await http({ beckon, id: 'bob' }).open();
    await beckon.ask({ kind: 'component', id: 'inbox', request: { components: [] }, ...more });
    expect(await post(`http://127.0.0.1:${port}/callback/inbox`)).toMatchObject({
      status: 404,
      body: { code: 'interaction_not_found' },
    });
    expect(await beckon.get('inbox')).toMatchObject({ status: 'pending' });
  });

  test('an interaction of another kind', async () => {
    const beckon = await open();
    await http({ beckon, id: 'bob' }).open();
    const metadata = { callback: { port, origins: [] } };
    await beckon.ask({ kind: 'approval', id: 'approve', request: { tool: 'deploy' }, metadata });
    expect(await post(`http://127.0.0.1:${port}/callback/approve`)).toMatchObject({ status: 404 });
  });

  test('what was asked beyond loopback', async () => {
    const beckon = await open();
    await http({ beckon, id: 'bob' }).open();
    await expect(http({ beckon, id: 'far', host: 'myserver.example' }).open()).rejects.toThrow(
      'needs a running daemon',
    );
    expect(await post(`http://127.0.0.1:${port}/callback/far`)).toMatchObject({ status: 404 });
  });

  test.each(['nobody', 'no%20id', 'x'.repeat(300)])('an id that is unknown: %s', async (id) => {
    await http({ beckon: await open(), id: 'bob' }).open();
    expect(await post(`http://127.0.0.1:${port}/callback/${id}`)).toMatchObject({ status: 404 });
  });
});

describe('a store', () => {
  test('that is down makes the page try again, unless another one knows the callback', async () => {
    const { second } = await live();
    const beckon = await open('other');
    const down = withGet(beckon, () => Promise.reject(new BeckonError('store_unavailable', 'No connection.')));
    await http({ beckon: down, id: 'bob' }).open();
    expect(await post(second)).toMatchObject({ status: 503, body: { code: 'store_unavailable' } });
    await http({ beckon: await open(), id: 'cy' }).open();
    expect(await post(second)).toMatchObject({ status: 200 });
    // A callback in memory has nothing to do with it.
    const inMemory = http({ id: 'mem' });
    await post(inMemory.endpoint());
    expect(await post(inMemory.endpoint())).toMatchObject({ status: 409 });
  });

  test('that was closed is not asked any more', async () => {
    const { second } = await live();
    const beckon = await open();
    let looks = 0;
    const watched = withGet(beckon, (id) => {
      looks += 1;
      return beckon.get(id);
    });
    await http({ beckon: watched, id: 'bob' }).open();
    await http({ id: 'mem' }).open();
    await beckon.close();
    for (let click = 0; click < 3; click += 1) expect(await post(second)).toMatchObject({ status: 404 });
    expect(looks).toBe(1);
  });

  test('that was closed and forgotten does not stay in memory', async () => {
    await http({ id: 'mem' }).open();
    const useOnce = async (): Promise<WeakRef<Beckon>> => {
      const beckon = await openBeckon({ store: `sqlite:${join(folder, 'once.db')}` });
      const callback = new Http({ beckon, id: 'ada', port });
      await callback.open();
      await callback.close();
      await beckon.close();
      return new WeakRef(beckon);
    };
    const forgotten = await useOnce();
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    for (let turn = 0; turn < 20 && forgotten.deref() !== undefined; turn += 1) {
      await nextTurn();
      collect();
    }
    expect(forgotten.deref()).toBeUndefined();
    expect(await post(`http://127.0.0.1:${port}/callback/ada`)).toMatchObject({ status: 404 });
  });
});

/** A Beckon that looks up in its own way, such as one whose database is down. */
function withGet(beckon: Beckon, get: Beckon['get']): Beckon {
  return new Proxy(beckon, {
    get: (target, name: keyof Beckon) => (name === 'get' ? get : target[name].bind(target)),
  });
}
