import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import type { Beckon } from '../core/beckon.ts';
import type { AskInput } from '../protocol/interaction.ts';
import { LINE_GREETING, LINE_LIMITS } from '../protocol/line.ts';
import { useTcpProxy } from '../testing/harness/tcp-proxy.ts';
import { useDaemon } from '../testing/harness/use-daemon.ts';
import { PassingFailure } from './failures.ts';
import { Line } from './line.ts';
import type { LineEars, LineSocket } from './line-place.ts';

const QUESTION: AskInput = { kind: 'question', request: { question: 'Deploy?' }, timeout: null };
const ADA = { who: 'ada', via: 'phone' };

describe('a line', () => {
  const daemon = useDaemon('auto');
  const proxy = useTcpProxy(daemon);

  test('carries asks, waits, answers and events over one connection', async () => {
    const beckon = daemon.connect({ url: proxy.url });
    const events = beckon.events()[Symbol.asyncIterator]();
    await Promise.all(Array.from({ length: 50 }, () => roundTrip(beckon)));
    expect((await events.next()).value).toMatchObject({ seq: 1, type: 'interaction.requested' });
    expect(proxy.connections).toBe(1);
  });

  test('ten thousand waits share it, and live through a cut', { timeout: 60_000 }, async () => {
    const beckon = daemon.connect({ url: proxy.url });
    const asks = Array.from({ length: 10_000 }, () => beckon.ask({ ...QUESTION, chatId: 'crowd' }));
    const ids = (await Promise.all(asks)).map(({ id }) => id);
    const waits = ids.map((id) => beckon.wait(id));
    await beckon.get(ids[0] ?? '');
    proxy.cut();
    expect(await daemon.connect().cancel({ chatId: 'crowd' })).toHaveLength(10_000);
    const outcomes = await Promise.all(waits);
    expect(outcomes.map(({ id }) => id)).toEqual(ids);
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['cancelled']));
    expect(proxy.connections).toBe(2);
  });

  test('a wait that is given up is forgotten, and its id can be waited for again', async () => {
    const beckon = daemon.connect();
    const { id } = await beckon.ask(QUESTION);
    const reason = new Error('enough');
    const leaving = new AbortController();
    const left = beckon.wait(id, { signal: leaving.signal }).catch((error: unknown) => error);
    await beckon.get(id);
    leaving.abort(reason);
    expect(await left).toBe(reason);
    const waiting = beckon.wait(id);
    await beckon.answer(id, { text: 'yes' }, ADA);
    expect(await waiting).toMatchObject({ answer: { text: 'yes' } });
  });

  test('what is too large for a frame goes over HTTP', async () => {
    const beckon = daemon.connect({ url: proxy.url });
    const content = 'x'.repeat(900_000);
    const { id } = await beckon.ask({ kind: 'plan_review', request: { plan: content } });
    expect(await beckon.get(id)).toMatchObject({ request: { plan: content } });
    expect(proxy.connections).toBe(2);
  });

  test('a wait ends with what onError throws, as over HTTP', async () => {
    const mine = new Error('mine');
    const onError = (): void => {
      throw mine;
    };
    const beckon = daemon.connect({ onError });
    const { id } = await beckon.ask(QUESTION);
    const ends = [beckon.wait(id), beckon.wait(id, { timeout: '1h' })].map((wait) => expect(wait).rejects.toBe(mine));
    await beckon.get(id);
    await daemon.stop();
    await Promise.all(ends);
    const later = daemon.connect({ onError });
    await expect(later.wait(id)).rejects.toBe(mine);
    await daemon.start();
  });

  test('does not keep a process that has nothing left to do', async () => {
    const token = await daemon.createToken('builder', 'agent');
    const entry = fileURLToPath(new URL('../connect-beckon.ts', import.meta.url));
    const program = `
      import { connectBeckon } from ${JSON.stringify(entry)};
      const beckon = connectBeckon(${JSON.stringify(daemon.url)}, { token: ${JSON.stringify(token)} });
      console.log((await beckon.ask({ kind: 'question', request: { question: 'Deploy?' } })).status);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program]);
    let output = '';
    child.stdout.on('data', (bytes) => {
      output += String(bytes);
    });
    child.stderr.on('data', (bytes) => {
      output += String(bytes);
    });
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(output).toBe('pending\n');
  });
});

describe('a server that hears, and says nothing', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] }));
  afterEach(() => void vi.useRealTimers());

  test('calls are given up, and what was never sent is known not to have happened', async () => {
    let isHeld = false;
    const sent: string[] = [];
    let ears: LineEars | undefined;
    const socket: LineSocket = {
      send: (text) => sent.push(text),
      hold: (held) => {
        isHeld = held;
      },
      close: () => undefined,
    };
    const open = async (own: LineEars): Promise<LineSocket> => {
      ears = own;
      return socket;
    };
    const line = new Line('http://127.0.0.1:1', { open, soon: (task) => process.nextTick(task) }, () => undefined);
    await Promise.all([
      line.send('get', 'int_first', undefined),
      vi.waitFor(() => expect(sent).toHaveLength(1)).then(() => ears?.onText('[[1,200,{}]]')),
    ]);
    const calls = Array.from({ length: LINE_LIMITS.calls + 1 }, () => line.send('get', 'int_next', undefined));
    const failures = Promise.all(calls.map((call) => call.catch((error: unknown) => error)));
    vi.advanceTimersByTime(15_000);
    ears?.onSign();
    expect(isHeld).toBe(true);
    vi.advanceTimersByTime(6000);
    const unsure = (await failures).map((error) => error instanceof PassingFailure && error.isUnsure);
    expect(unsure).toEqual([...Array.from({ length: LINE_LIMITS.calls }, () => true), false]);
    expect(isHeld).toBe(false);
    line.cut(new Error('over'));
  });
});

describe('where WebSockets do not work, HTTP does everything', () => {
  const daemon = useDaemon('auto');
  type Upgrade = (incoming: IncomingMessage, socket: Duplex, head: Buffer) => void;

  /** A proxy that forwards requests, and does something else with upgrades. */
  async function front(onUpgrade?: Upgrade): Promise<{ url: string; upgrades: () => number }> {
    let upgrades = 0;
    const sockets = new Set<Duplex>();
    const forward = (incoming: IncomingMessage, response: ServerResponse): void => {
      if (incoming.headers.upgrade !== undefined || incoming.url?.includes('calls=1') === true) upgrades += 1;
      const { upgrade: _, ...headers } = incoming.headers;
      const method = incoming.method ?? 'GET';
      const onward = request(`${daemon.url}${incoming.url}`, { method, headers: { ...headers, connection: 'close' } });
      onward.on('response', (reply) => {
        response.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(response);
      });
      onward.on('error', () => response.destroy());
      response.on('close', () => onward.destroy());
      incoming.pipe(onward);
    };
    const server = createServer(forward).listen(0, '127.0.0.1');
    server.on('connection', (socket) => sockets.add(socket));
    if (onUpgrade !== undefined) {
      server.on('upgrade', (incoming, socket, head) => {
        upgrades += 1;
        onUpgrade(incoming, socket, head);
      });
    }
    await once(server, 'listening');
    onTestFinished(() => {
      server.close();
      for (const socket of sockets) socket.destroy();
    });
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, upgrades: () => upgrades };
  }

  const refuse =
    (line: string): Upgrade =>
    (_incoming, socket) =>
      void socket.end(`HTTP/1.1 ${line}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);

  const greetOtherwise: Upgrade = (incoming, socket, head) => {
    new WebSocketServer({ noServer: true }).handleUpgrade(incoming, socket, head, (opened) => {
      opened.send('{"type":"event","event":{"seq":1}}');
    });
  };

  test.each<[string, Upgrade | undefined]>([
    ['a proxy that strips upgrades', undefined],
    ['an older Beckon, which does not know the query', refuse('400 Bad Request')],
    ['a server that forbids it', refuse('403 Forbidden')],
    ['a server that speaks another protocol', greetOtherwise],
    ['a proxy that swallows upgrades', () => undefined],
  ])('%s', async (_, onUpgrade) => {
    const { url, upgrades } = await front(onUpgrade);
    const beckon = daemon.connect({ url });
    const events = beckon.events({ after: 0 })[Symbol.asyncIterator]();
    for (let turn = 0; turn < 3; turn += 1) await roundTrip(beckon);
    expect((await events.next()).value).toMatchObject({ seq: 1 });
    // It is not tried again for a while.
    expect(upgrades()).toBe(1);
  });

  const greetAndBreak: Upgrade = (incoming, socket) => {
    const key = `${incoming.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash('sha1').update(key).digest('base64');
    const head = `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}`;
    const greeting = Buffer.from([0x81, LINE_GREETING.length, ...Buffer.from(LINE_GREETING)]);
    const nonsense = Buffer.from([0xff, 0xff]);
    socket.write(Buffer.concat([Buffer.from(`${head}\r\n\r\n`), greeting, nonsense]));
  };

  test.each<[string, Upgrade]>([
    ['before', (_incoming, socket) => void socket.destroy()],
    ['together with', greetAndBreak],
  ])('a proxy that breaks every WebSocket %s its greeting is given up after three', async (_, onUpgrade) => {
    const { url, upgrades } = await front(onUpgrade);
    const beckon = daemon.connect({ url });
    for (let turn = 0; turn < 5; turn += 1) await roundTrip(beckon);
    expect(upgrades()).toBe(3);
  });

  test('the transport http never tries', async () => {
    const { url, upgrades } = await front(refuse('400 Bad Request'));
    await roundTrip(daemon.connect({ url, transport: 'http' }));
    expect(upgrades()).toBe(0);
    expect(() => daemon.connect({ transport: 'pigeon' as never })).toThrow(/Expected the transport "auto" or "http"/);
  });
});

async function roundTrip(beckon: Beckon): Promise<void> {
  const { id } = await beckon.ask(QUESTION);
  const waiting = beckon.wait(id);
  expect(await beckon.answer(id, { text: 'yes' }, ADA)).toMatchObject({ result: 'accepted' });
  expect(await waiting).toMatchObject({ status: 'answered', answer: { text: 'yes' } });
}
