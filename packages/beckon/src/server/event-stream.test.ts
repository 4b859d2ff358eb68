import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStream, type StreamReader, until, within } from '../testing/harness/server/clients.ts';
import { createTestApp, QUESTION, type TestApp } from '../testing/harness/server/test-app.ts';

let server: TestApp;
let url: string;
beforeEach(async () => {
  server = await createTestApp({ times: { heartbeatMs: 50, slowReaderMs: 1500 } });
  url = await server.listen();
});
afterEach(() => server.dispose());

async function ask(chatId = 'default'): Promise<string> {
  return (await server.beckon.ask({ ...QUESTION, chatId })).id;
}

async function take(stream: StreamReader, count: number): Promise<number[]> {
  const ids: number[] = [];
  while (ids.length < count) ids.push((await stream.next()).id);
  return ids;
}

function countFrom(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}

describe('the event stream', () => {
  test('is server-sent events: each has its number as id and the log event as data', async () => {
    const stream = await openStream(url, server.tokens.person, { query: '?after=0' });
    expect(stream.response.status).toBe(200);
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream');
    expect(stream.response.headers.get('cache-control')).toBe('no-store');
    const id = await ask();
    await server.beckon.answer(id, { text: 'a\nb\r\nid: 9\n\ndata: {}' }, { who: 'ana', via: 'test' });
    expect(await stream.next()).toMatchObject({
      id: 1,
      event: { seq: 1, type: 'interaction.requested', interactionId: id },
    });
    expect(await stream.next()).toMatchObject({
      id: 2,
      event: { seq: 2, type: 'interaction.answered', answer: { text: 'a\nb\r\nid: 9\n\ndata: {}' } },
    });
    stream.close();
  });

  test('says with each sign of life how far it is, also past events of other chats', async () => {
    const stream = await openStream(url, server.tokens.teamPerson, { query: '?after=0' });
    for (let turn = 0; turn < 3; turn += 1) await ask('other');
    let comment = '';
    await until('the number', async () => {
      comment = await stream.nextComment();
      return comment.endsWith('3');
    });
    expect(comment).toBe(': still here\nid: 3');
    stream.close();
  });

  test('of a client that left before it began is not kept', async () => {
    const begun = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
    const slow = await createTestApp({
      folder: server.folder,
      times: { heartbeatMs: 50, slowReaderMs: 1500 },
    });
    slow.beckon.lastSeq = async () => {
      begun.resolve();
      await left.promise;
      return 0;
    };
    const readers: string[] = [];
    const read = slow.beckon.events.bind(slow.beckon);
    slow.beckon.events = async function* (options) {
      readers.push('began');
      try {
        yield* read(options);
      } finally {
        readers.push('ended');
      }
    };
    const { host, hostname, port } = new URL(await slow.listen());
    const accepted = once(slow.app.server, 'connection') as Promise<[Socket]>;
    const client = connect(Number(port), hostname);
    client.write(`GET /v1/events HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${slow.tokens.person}\r\n\r\n`);
    const [socket] = await accepted;
    await begun.promise;
    const closed = once(socket, 'close');
    client.destroy();
    await closed;
    left.resolve();
    await until('the end of the reader', () => readers.length >= 2);
    expect(readers).toEqual(['began', 'ended']);
    await slow.stop();
  });

  test('begins now, unless it is told where', async () => {
    await ask();
    const stream = await openStream(url, server.tokens.person);
    await stream.nextComment(); // From here on it surely follows.
    const id = await ask();
    expect((await stream.next()).event).toMatchObject({ seq: 2, interactionId: id });
    stream.close();
  });

  test.each([
    ['?after=', (seq: number) => ({ query: `?after=${seq}` })],
    ['Last-Event-ID', (seq: number) => ({ headers: { 'last-event-id': String(seq) } })],
  ])('goes on after %s without gap or repeat, also across a restart of the server', async (_, resume) => {
    for (let index = 0; index < 10; index += 1) await ask();
    const first = await openStream(url, server.tokens.person, resume(0));
    expect(await take(first, 4)).toEqual(countFrom(1, 4));
    first.close();
    const second = await openStream(url, server.tokens.person, resume(4));
    expect(await take(second, 3)).toEqual(countFrom(5, 3));
    await within('the stop', server.stop(), 5000);
    await within('the end of the stream', second.ended);
    server = await createTestApp({ folder: server.folder });
    url = await server.listen();
    const third = await openStream(url, server.tokens.person, resume(7));
    for (let index = 0; index < 5; index += 1) await ask();
    expect(await take(third, 8)).toEqual(countFrom(8, 8));
    third.close();
  });

  test('misses nothing of what happens while it connects', async () => {
    const asking = Promise.all(Array.from({ length: 200 }, () => ask()));
    const streams = await Promise.all(
      Array.from({ length: 5 }, () => openStream(url, server.tokens.person, { query: '?after=0' })),
    );
    await asking;
    for (const stream of streams) {
      expect(await take(stream, 200)).toEqual(countFrom(1, 200));
      stream.close();
    }
  });

  test('shows a token for one chat that chat alone, and keeps the numbers', async () => {
    const stream = await openStream(url, server.tokens.teamPerson, { query: '?after=0' });
    await ask('other');
    const inside = await ask('team');
    await ask('other');
    const second = await ask('team');
    expect((await stream.next()).event).toMatchObject({ seq: 2, interactionId: inside, chatId: 'team' });
    expect((await stream.next()).event).toMatchObject({ seq: 4, interactionId: second, chatId: 'team' });
    stream.close();
  });

  test('gives a sign of life when nothing happens', async () => {
    const stream = await openStream(url, server.tokens.person);
    expect(await stream.nextComment()).toBe(': still here\nid: 0');
    expect(await stream.nextComment()).toBe(': still here\nid: 0');
    stream.close();
  });

  test.each(['x', '-1', '1.5', '12345678901234567', ''])('refuses to go on after %j', async (after) => {
    const stream = await openStream(url, server.tokens.person, { query: `?after=${after}` });
    expect(stream.response.status).toBe(400);
    if (after === '') return; // A header without a value cannot be told from none.
    const other = await openStream(url, server.tokens.person, { headers: { 'last-event-id': after } });
    expect(other.response.status).toBe(400);
  });

  test('a reader that leaves is forgotten', async () => {
    const streams = await Promise.all(Array.from({ length: 20 }, () => openStream(url, server.tokens.person)));
    for (const stream of streams) stream.close();
    await until('the connections to end', async () => (await countConnections()) === 0);
    await ask();
    expect(server.logs.filter((line) => line.includes('event stream ended'))).toEqual([]);
  });

  test('ends when its token is revoked', async () => {
    const stream = await openStream(url, server.tokens.person);
    await server.store.tokens.remove('ana', '2026-01-01T00:00:00.000Z');
    await within('the end of the stream', stream.ended);
    await expect(stream.next()).rejects.toThrow('The stream has ended');
  });

  test('ends when the server stops, and does not hold it up', async () => {
    const streams = await Promise.all(Array.from({ length: 50 }, () => openStream(url, server.tokens.person)));
    await within('the stop', server.stop(), 5000);
    await within('the end of all streams', Promise.all(streams.map(({ ended }) => ended)));
    expect(await countConnections()).toBe(0);
  });
});

describe('a reader that takes nothing', () => {
  test('is cut off, and what waits for it stays small', async () => {
    const sockets: Socket[] = [];
    server.app.server.on('connection', (socket: Socket) => sockets.push(socket));
    const reader = connect(Number(new URL(url).port), '127.0.0.1');
    reader.on('error', () => undefined); // It is cut off.
    await once(reader, 'connect');
    reader.pause();
    reader.write(
      `GET /v1/events?after=0 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${server.tokens.person}\r\n\r\n`,
    );
    let most = 0;
    for (let index = 0; index < 40; index += 1) {
      const { id } = await server.beckon.ask({ kind: 'component', request: { components: [] } });
      const data = 'x'.repeat(1_000_000);
      await server.beckon.answer(id, { action: 'click', data }, { who: 'ana', via: 'test' });
      most = Math.max(most, ...sockets.map(({ writableLength }) => writableLength));
    }
    expect(most).toBeGreaterThan(16_384); // It is behind,
    expect(most).toBeLessThan(3_000_000); // but by an event or two, not by 40 MB.
    await until('the reader to be cut off', async () => (await countConnections()) === 0);
    reader.destroy();
    const next = await openStream(url, server.tokens.person, { query: '?after=0' });
    expect(await take(next, 80)).toEqual(countFrom(1, 80));
    next.close();
  });

  test('does not hold up a stop', async () => {
    const reader = connect(Number(new URL(url).port), '127.0.0.1');
    reader.on('error', () => undefined);
    await once(reader, 'connect');
    reader.pause();
    reader.write(
      `GET /v1/events?after=0 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${server.tokens.person}\r\n\r\n`,
    );
    for (let index = 0; index < 10; index += 1) {
      const { id } = await server.beckon.ask({ kind: 'component', request: { components: [] } });
      await server.beckon.answer(id, { action: 'click', data: 'x'.repeat(1_000_000) }, { who: 'ana', via: 'test' });
    }
    await within('the stop', server.stop(), 5000);
    expect(await countConnections()).toBe(0);
    reader.destroy();
  });
});

function countConnections(): Promise<number> {
  return new Promise((resolve, reject) => {
    server.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}
