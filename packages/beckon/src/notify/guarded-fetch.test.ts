import { createServer, type Server } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { answerWith, startBackend, type TestBackend } from '../testing/harness/test-backend.ts';
import { createGuardedFetch, type GuardedFetch } from './guarded-fetch.ts';

let backend: TestBackend;
const opened: GuardedFetch[] = [];

beforeEach(async () => {
  backend = await startBackend();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((guarded) => guarded.close()));
  await backend.close();
});

function open(options: Parameters<typeof createGuardedFetch>[0]): GuardedFetch {
  const guarded = createGuardedFetch(options);
  opened.push(guarded);
  return guarded;
}

function toRequest(url: string) {
  return { url, method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":1}' } as const;
}

test('a name that is public when it is given and private when it is used reaches nothing', async () => {
  const answers = [['93.184.215.14'], ['127.0.0.1'], ['127.0.0.1']];
  const guarded = open({ allow: [], resolve: async () => answers.shift() ?? [] });
  await guarded.check('http://rebound.example/');
  const sending = guarded.send(toRequest(`http://rebound.example:${backend.port}/`));
  await expect(sending).rejects.toMatchObject({ code: 'address_refused' });
  expect(backend.connections).toBe(0);
});

test('one private address among public ones is enough to refuse a name', async () => {
  const guarded = open({ allow: [], resolve: async () => ['93.184.215.14', '127.0.0.1'] });
  const sending = guarded.send(toRequest(`http://both.example:${backend.port}/`));
  await expect(sending).rejects.toMatchObject({
    code: 'address_refused',
    message: expect.stringContaining('127.0.0.1'),
  });
  expect(backend.connections).toBe(0);
});

test('the connection goes to the address that was checked, looked up once', async () => {
  const asked: string[] = [];
  const guarded = open({
    allow: ['127.0.0.1'],
    resolve: async (host) => {
      asked.push(host);
      return ['127.0.0.1'];
    },
  });
  const url = `http://Receiver.Example.:${backend.port}/hook?x=1`;
  expect(await guarded.send(toRequest(url))).toMatchObject({ status: 200 });
  expect(await guarded.send(toRequest(url))).toMatchObject({ status: 200 });
  expect(backend.received).toMatchObject([
    { path: '/hook?x=1', body: { a: 1 }, headers: { host: `receiver.example.:${backend.port}` } },
    { path: '/hook?x=1' },
  ]);
  expect(new Set(asked)).toEqual(new Set(['receiver.example']));
  expect(asked).toHaveLength(backend.connections);
});

test('an allowed name may lead inside; another name for the same place may not', async () => {
  const guarded = open({ allow: ['receiver.internal'], resolve: async () => ['127.0.0.1'] });
  expect(await guarded.send(toRequest(`http://receiver.internal:${backend.port}/`))).toMatchObject({ status: 200 });
  for (const host of ['other.internal', '127.0.0.1', 'localhost']) {
    const sending = guarded.send(toRequest(`http://${host}:${backend.port}/`));
    await expect(sending).rejects.toMatchObject({ code: 'address_refused' });
  }
  expect(backend.received).toHaveLength(1);
});

test('a redirect is a reply, and nobody goes there', async () => {
  const inside = await startBackend();
  backend.reply = answerWith(307, '', { location: `${inside.url}/secret` });
  const guarded = open({ allow: ['127.0.0.1'] });
  expect(await guarded.send(toRequest(`${backend.url}/`))).toMatchObject({ status: 307 });
  expect(inside.connections).toBe(0);
  await inside.close();
});

test('little of a long reply is read', async () => {
  backend.reply = (_, response) => {
    response.writeHead(200);
    const more = (): void => {
      if (!response.destroyed) response.write('x'.repeat(65_536), () => setImmediate(more));
    };
    more();
  };
  const guarded = open({ allow: ['127.0.0.1'] });
  const { status, text } = await guarded.send(toRequest(`${backend.url}/`));
  expect(status).toBe(200);
  expect(text.length).toBeLessThan(200_000);
});

test('a request that nobody waits for any more is broken off', async () => {
  const silent: Server = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as { port: number };
  const guarded = open({ allow: ['127.0.0.1'] });
  const aborting = new AbortController();
  const sending = guarded.send({ ...toRequest(`http://127.0.0.1:${port}/`), signal: aborting.signal });
  aborting.abort();
  await expect(sending).rejects.toThrow('broken off');
  await expect(
    guarded.send({ ...toRequest(`http://127.0.0.1:${port}/`), signal: AbortSignal.abort() }),
  ).rejects.toThrow('broken off');
  silent.close();
});

test('a name that cannot be looked up is an error that says so', async () => {
  const fail = async (): Promise<string[]> => {
    throw new Error('queryA ETIMEOUT');
  };
  for (const resolve of [fail, async () => [], async () => ['not an address']]) {
    const guarded = open({ allow: [], resolve });
    await expect(guarded.check('http://nowhere.example/')).rejects.toMatchObject({ code: 'address_refused' });
  }
});

test('a stream is guarded as well, is read as it comes, and ends with its reader', async () => {
  const strict = open({ allow: [] });
  const request = { url: `http://127.0.0.1:${backend.port}/`, method: 'POST', headers: {}, body: '{}' } as const;
  await expect(strict.stream(request)).rejects.toMatchObject({ code: 'address_refused' });
  expect(backend.connections).toBe(0);

  const closed = Promise.withResolvers<void>();
  backend.reply = (_, response) => {
    response.writeHead(200, { 'x-kind': 'stream' }).write('one');
    response.on('close', closed.resolve);
  };
  const { status, headers, body } = await open({ allow: ['127.0.0.1'] }).stream(request);
  expect([status, headers['x-kind']]).toEqual([200, 'stream']);
  for await (const bytes of body) {
    expect(Buffer.from(bytes).toString()).toBe('one');
    break;
  }
  await closed.promise;
});
