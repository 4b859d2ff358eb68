import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Beckon } from '../core/beckon.ts';
import type { LogEvent } from '../protocol/events.ts';
import type { AskInput } from '../protocol/interaction.ts';
import { useTcpProxy } from '../testing/harness/tcp-proxy.ts';
import { TRANSPORTS, useDaemon } from '../testing/harness/use-daemon.ts';
import { connectBeckon } from './connect-beckon.ts';
import { EventStream } from './event-stream.ts';
import { Http } from './http.ts';
import { Scopes } from './scope.ts';

const QUESTION: AskInput = { kind: 'question', request: { question: 'Deploy?' } };

async function read(events: AsyncIterable<LogEvent>, last: number): Promise<number[]> {
  const seen: number[] = [];
  for await (const { seq } of events) {
    seen.push(seq);
    if (seq >= last) break;
  }
  return seen;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

async function askTimes(beckon: Beckon, times: number): Promise<void> {
  for (let count = 0; count < times; count += 1) await beckon.ask(QUESTION);
}

describe.each(TRANSPORTS)('events with the transport %s', (transport) => {
  const daemon = useDaemon(transport);
  const proxy = useTcpProxy(daemon);

  test('they start at the moment of the call, even if nobody reads yet', async () => {
    const beckon = daemon.connect();
    await askTimes(beckon, 3);
    const events = beckon.events();
    await askTimes(beckon, 3);
    expect(await read(events, 6)).toEqual([4, 5, 6]);
  });

  test('they go on without gap or repeat across restarts of the server', async () => {
    const losses: unknown[] = [];
    const beckon = daemon.connect({ onError: (error) => losses.push(error) });
    const reading = read(beckon.events({ after: 0 }), 20);
    for (let round = 0; round < 3; round += 1) {
      await askTimes(beckon, 5);
      await daemon.stop();
      await daemon.start();
    }
    await askTimes(beckon, 5);
    expect(await reading).toEqual(range(1, 20));
    expect(losses).not.toEqual([]);
  });

  test('they go on without gap or repeat when connections break at any time', async () => {
    const beckon = daemon.connect();
    const reading = read(daemon.connect({ url: proxy.url }).events({ after: 0 }), 300);
    for (let round = 0; round < 30; round += 1) {
      await Promise.all(Array.from({ length: 10 }, () => beckon.ask(QUESTION)));
      proxy.cut();
    }
    expect(await reading).toEqual(range(1, 300));
  });

  test('a reader that has seen nothing yet misses nothing across a restart', async () => {
    const beckon = daemon.connect();
    await askTimes(beckon, 3);
    const reader = daemon.connect({ url: proxy.url });
    const events = reader.events();
    await reader.list();
    proxy.cut();
    await daemon.stop();
    await daemon.start();
    await askTimes(beckon, 3);
    expect(await read(events, 6)).toEqual([4, 5, 6]);
  });

  test('a server that is away at the moment of the call is waited for', async () => {
    const beckon = daemon.connect();
    await daemon.stop();
    const events = beckon.events();
    const asking = beckon.ask(QUESTION);
    await daemon.start();
    await asking;
    expect(await read(events, 1)).toEqual([1]);
  });

  test('a connection that is silent for too long is given up for a new one', async () => {
    const scopes = new Scopes();
    onTestFinished(() => scopes.closeAll(new Error('over')));
    const token = await daemon.createToken('reader', 'person');
    const http = new Http({ baseUrl: proxy.url, token, retryMs: 0, beforeAttempt: async () => undefined });
    const losses: unknown[] = [];
    const onError = (error: unknown): unknown => losses.push(error);
    const stream = new EventStream({ http, scope: scopes.open(), after: 0, onError, silenceMs: 200 });
    const beckon = daemon.connect();
    const events = stream.read();
    await beckon.ask(QUESTION);
    expect(await events.next()).toMatchObject({ value: { seq: 1 } });
    proxy.freeze();
    await beckon.ask(QUESTION);
    expect(await events.next()).toMatchObject({ value: { seq: 2 } });
    expect(losses[0]).toMatchObject({ message: expect.stringContaining('nothing was heard for 0.2 s') });
  });

  test('a reader that leaves closes its connection, also before it reads', async () => {
    const server = createServer(
      (_request, response) =>
        void response.writeHead(200, { 'content-type': 'text/event-stream' }).write('retry: 1\n\n'),
    );
    const closed = vi.fn<() => void>();
    server.on('request', (_request, response) => void response.on('close', closed));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const beckon = connectBeckon(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { token: 'bkn_x' });
    const unread = beckon.events()[Symbol.asyncIterator]();
    await once(server, 'request');
    await unread.return?.();
    await vi.waitFor(() => expect(closed).toHaveBeenCalledTimes(1));
    expect(await unread.next()).toEqual({ done: true, value: undefined });

    const idle = beckon.events()[Symbol.asyncIterator]();
    const next = idle.next();
    await once(server, 'request');
    await idle.return?.();
    expect(await next).toEqual({ done: true, value: undefined });
    await vi.waitFor(() => expect(closed).toHaveBeenCalledTimes(2));
  });

  test('an event that only a newer Beckon knows is passed over, and one that is broken is not', async () => {
    const known = {
      seq: 3,
      at: '2026-01-01T00:00:00.000Z',
      type: 'session.ended',
      sessionId: 'session-1',
      mood: 'good',
    };
    const texts = [{ seq: 2, type: 'person.smiled' }, known, { seq: 4, type: 'session.ended' }];
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const text of texts) response.write(`id: ${text.seq}\ndata: ${JSON.stringify(text)}\n\n`);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    const beckon = connectBeckon(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { token: 'bkn_x' });
    const events = beckon.events({ after: 1 })[Symbol.asyncIterator]();
    const { mood: _, ...expected } = known;
    expect(await events.next()).toEqual({ done: false, value: expected });
    await expect(events.next()).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('sessionId'),
    });
  });

  test('closing ends a reader while the server is away', async () => {
    const beckon = daemon.connect();
    await daemon.stop();
    const next = beckon.events()[Symbol.asyncIterator]().next();
    const failure = next.catch((error: unknown) => error);
    await beckon.close();
    expect(await failure).toMatchObject({ code: 'closed' });
  });
});
