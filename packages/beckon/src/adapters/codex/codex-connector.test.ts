import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Beckon } from '../../core/beckon.ts';
import { openBeckon } from '../../open-beckon.ts';
import type { AskInput, Interaction } from '../../protocol/interaction.ts';
import { createTemporaryFolder } from '../../testing/harness/temporary-folder.ts';
import { connectAppServer } from './app-server.ts';
import { CodexConnector } from './codex-connector.ts';
import { findSocket } from './find-socket.ts';

/** A program that pretends to be Codex's app server: it says what the test tells it to. */
class Pretender {
  readonly received: { id?: number; method?: string; result?: object; params?: Record<string, unknown> }[] = [];
  readonly #http: Server = createServer();
  readonly #sockets: WebSocket[] = [];
  #isClosed = false;
  threads = ['t1'];
  /** What it says to those who join a session; `null`: nothing. */
  resumed: () => object | null = () => ({ thread: { cwd: '/w', status: { type: 'active', activeFlags: [] } } });
  /** What it sends to those who join a session. */
  pending: object[] = [];

  constructor(path: string) {
    new WebSocketServer({ server: this.#http }).on('connection', (socket) => {
      if (this.#isClosed) return socket.terminate();
      this.#sockets.push(socket);
      socket.on('error', () => undefined);
      socket.on('message', (data: Buffer) => this.#hear(socket, JSON.parse(data.toString())));
    });
    this.#http.listen(path);
  }

  send(message: object | string): void {
    const text = typeof message === 'string' ? message : JSON.stringify(message);
    for (const socket of this.#sockets) socket.send(text);
  }

  replies(): object[] {
    return this.received.filter(({ result }) => result !== undefined);
  }

  drop(): void {
    for (const socket of this.#sockets.splice(0)) socket.terminate();
  }

  close(): void {
    this.#isClosed = true;
    this.drop();
    this.#http.close();
  }

  #hear(socket: WebSocket, message: Pretender['received'][number]): void {
    this.received.push(message);
    const reply = (result: object): void => socket.send(JSON.stringify({ id: message.id, result }));
    if (message.method === 'initialize') reply({ userAgent: 'beckon/9.9.9 (x)' });
    if (message.method === 'thread/loaded/list') reply({ data: this.threads });
    if (message.method === 'turn/steer') reply({});
    if (message.method !== 'thread/resume') return;
    const resumed = this.resumed();
    if (resumed === null) return;
    reply(resumed);
    for (const one of this.pending) socket.send(JSON.stringify(one));
  }
}

let folder: string;
let socketPath: string;
let beckon: Beckon;
let codex: Pretender;
let connector: CodexConnector;
let errors: unknown[];

beforeEach(async () => {
  folder = createTemporaryFolder('codex-');
  const control = join(folder, 'app-server-control');
  mkdirSync(control, { mode: 0o700 });
  socketPath = join(control, 'app-server-control.sock');
  beckon = await openBeckon({ store: `sqlite:${join(folder, 'beckon.db')}` });
  errors = [];
  codex = new Pretender(socketPath);
  connector = createConnector();
  connector.start();
});

afterEach(async () => {
  await connector.stop();
  codex.close();
  await beckon.close();
  rmSync(folder, { recursive: true, force: true });
});

test('an answer reaches Codex, with what the person said before the refusal', async () => {
  await joined();
  codex.send(toRequest(0));
  await answer({ decision: 'deny', message: 'Not on a Monday' });
  await until(() => codex.replies().length > 0);
  const said = codex.received.slice(-2);
  expect(said).toMatchObject([{ method: 'turn/steer' }, { id: 0, result: { decision: 'decline' } }]);
});

test('messages that are cut, unknown, doubled or no messages at all change nothing', async () => {
  await joined();
  const request = JSON.stringify(toRequest(0));
  for (const text of [
    '',
    '{',
    request.slice(0, -9),
    '[]',
    'null',
    '{"id":{}}',
    '{"id":99,"result":{}}',
    '{"method":7}',
  ]) {
    codex.send(text);
  }
  codex.send({ method: 'serverRequest/resolved', params: { threadId: 't1', requestId: 77 } });
  codex.send({ method: 'thread/status/changed', params: 'all' });
  codex.send({ method: '__proto__', params: {} });
  codex.send({ id: 5, method: 'item/tool/call', params: {} });
  codex.send(request);
  codex.send(request);
  await answer({ decision: 'allow' });
  await until(() => codex.replies().length > 0);
  await sleep(50);
  expect(codex.replies()).toEqual([{ id: 0, result: { decision: 'accept' } }]);
  expect((await beckon.list()).items).toHaveLength(1);
});

test('a request that is resolved while it is being asked ends when it was', async () => {
  const asking = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  await restart((input) => {
    asking.resolve();
    return gate.promise.then(() => beckon.ask(input));
  });
  codex.send(toRequest(0));
  await asking.promise;
  codex.send({ method: 'serverRequest/resolved', params: { threadId: 't1', requestId: 0 } });
  codex.send(toRequest(1));
  await sleep(50);
  gate.resolve();
  await until(async () => (await beckon.list({ status: 'superseded' })).items.length === 1);
  const { items } = await beckon.list();
  expect(items.map(({ status, reason }) => [status, reason])).toEqual([
    ['pending', undefined],
    ['superseded', "It was answered in Codex's terminal"],
  ]);
  expect(codex.replies()).toEqual([]);
});

test('a request that is resolved before anybody was asked is not asked', async () => {
  await joined();
  codex.send(toRequest(0));
  codex.send({ method: 'serverRequest/resolved', params: { threadId: 't1', requestId: 0 } });
  codex.send(toRequest(1));
  await pending();
  expect((await beckon.list()).items).toHaveLength(1);
});

test('an item that ends before its request is resolved still shows what was answered', async () => {
  await joined();
  codex.send(toRequest(0));
  await pending();
  const item = { type: 'commandExecution', id: 'call_0', status: 'declined' };
  codex.send({ method: 'item/completed', params: { threadId: 't1', turnId: 'turn', item } });
  codex.send({ method: 'serverRequest/resolved', params: { threadId: 't1', requestId: 0 } });
  const [ended] = await settled();
  expect(ended).toMatchObject({ answer: { decision: 'deny' }, answeredBy: { who: 'ana', via: 'terminal' } });
});

test('a command that failed before it ran is not taken for one that was allowed', async () => {
  await joined();
  codex.send(toRequest(0));
  await pending();
  const item = { type: 'commandExecution', id: 'call_0', status: 'failed', exitCode: null };
  codex.send({ method: 'item/completed', params: { threadId: 't1', turnId: 'turn', item } });
  codex.send({ method: 'serverRequest/resolved', params: { threadId: 't1', requestId: 0 } });
  expect(await settled()).toMatchObject([{ status: 'superseded' }]);
});

test('a request of another session with the same number is another request', async () => {
  codex.threads = ['t1', 't2'];
  codex.drop();
  await until(() => connector.hasThread('t2'));
  codex.send(toRequest(0, 't1'));
  codex.send(toRequest(1, 't2'));
  await until(async () => (await beckon.list({ status: 'pending' })).items.length === 2);
  codex.send({ method: 'serverRequest/resolved', params: { threadId: 't1', requestId: 1 } });
  await sleep(50);
  expect((await beckon.list({ status: 'pending' })).items).toHaveLength(2);
});

test('an answer given while the connection is down is delivered when it is back', async () => {
  await joined();
  codex.send(toRequest(0));
  const { id } = await pending();
  codex.pending = [toRequest(0)];
  codex.resumed = () => ({ thread: { cwd: '/w', status: { type: 'active', activeFlags: ['waitingOnApproval'] } } });
  codex.drop();
  await beckon.answer(id, { decision: 'allow' }, { who: 'ana', via: 'inbox' });
  await until(() => codex.replies().length > 0);
  expect(codex.replies()).toEqual([{ id: 0, result: { decision: 'accept' } }]);
  expect((await beckon.list()).items).toHaveLength(1);
});

test('an answer that Codex no longer waits for is noted', async () => {
  await joined();
  codex.send(toRequest(0));
  const { id } = await pending();
  codex.resumed = () => null;
  codex.drop();
  await until(() => !connector.hasThread('t1'));
  await beckon.answer(id, { decision: 'allow' }, { who: 'ana', via: 'inbox' });
  codex.close();
  await until(async () => (await readEvents()).includes('interaction.withheld'));
  expect(codex.replies()).toEqual([]);
});

test('an answer after that of the terminal, before anybody knows of it, is noted', async () => {
  await joined();
  codex.send(toRequest(0));
  const { id } = await pending();
  codex.send({ method: 'serverRequest/resolved', params: { threadId: 't1', requestId: 0 } });
  await sleep(50);
  await beckon.answer(id, { decision: 'allow' }, { who: 'ana', via: 'inbox' });
  await until(async () => (await readEvents()).includes('interaction.withheld'));
  expect(codex.replies()).toEqual([]);
});

test('a message that is enormous ends the connection, and the session is joined without its past', async () => {
  codex.resumed = () => ({ thread: { cwd: '/w', status: { type: 'idle' } }, junk: 'x'.repeat(34_000_000) });
  codex.drop();
  await until(() => codex.received.filter(({ method }) => method === 'thread/resume').length >= 3);
  codex.resumed = () => ({ thread: { cwd: '/w', status: { type: 'idle' } } });
  await joined();
  const last = codex.received.findLast(({ method }) => method === 'thread/resume');
  expect(last?.params).not.toHaveProperty('initialTurnsPage');
}, 30_000);

test('a server that floods with requests is left alone after so many', async () => {
  await joined();
  for (let id = 0; id < 250; id += 1) codex.send(toRequest(id));
  await until(async () => (await beckon.list({ status: 'pending', limit: 200 })).items.length === 200);
  await sleep(50);
  expect((await beckon.list({ status: 'pending', limit: 200 })).next).toBeUndefined();
}, 30_000);

test('a server that is not Codex is left, with one word about it', async () => {
  await connector.stop();
  codex.close();
  rmSync(socketPath, { force: true });
  const other = createServer((_, response) => response.end('hello')).listen(socketPath);
  connector = createConnector();
  connector.start();
  await until(() => connector.state.problem !== null);
  expect(connector.state).toMatchObject({
    version: null,
    problem: expect.stringContaining('Unexpected server response'),
  });
  await expect(connectAppServer(socketPath, silent(), { clientVersion: '0' })).rejects.toThrow('Unexpected server');
  expect(errors).toHaveLength(1);
  other.close();
});

test('a socket of another user is refused, and so is one where others may put theirs', () => {
  expect(findSocket(folder)).toMatchObject({ path: socketPath });
  expect(findSocket(folder, 4711)).toMatchObject({ isFault: true, problem: expect.stringContaining('another user') });
  chmodSync(join(folder, 'app-server-control'), 0o777);
  expect(findSocket(folder)).toMatchObject({ isFault: true, problem: expect.stringContaining('other users') });
  rmSync(socketPath);
  expect(findSocket(folder)).toMatchObject({ isFault: false });
  writeFileSync(socketPath, '');
  expect(findSocket(folder)).toMatchObject({ isFault: true, problem: expect.stringContaining('not a socket') });
});

/** Another connector, whose asks take a way of their own to Beckon. */
async function restart(ask: (input: AskInput) => Promise<Interaction>): Promise<void> {
  await connector.stop();
  const slow = new Proxy(beckon, {
    get: (target, name: keyof Beckon) => (name === 'ask' ? ask : target[name].bind(target)),
  });
  connector = createConnector(slow);
  connector.start();
  await joined();
}

function createConnector(through: Beckon = beckon): CodexConnector {
  return new CodexConnector({
    beckon: through,
    codexHome: folder,
    version: '0.0.0',
    findAsker: () => Promise.resolve({ asks: { askedBy: 'codex' }, person: { who: 'ana', via: 'terminal' } }),
    onError: (error) => errors.push(error),
  });
}

function joined(): Promise<void> {
  return until(() => connector.hasThread('t1'));
}

function toRequest(id: number, threadId = 't1'): object {
  const params = { threadId, turnId: 'turn', itemId: `call_${id}`, startedAtMs: id, command: "/bin/bash -lc 'ls'" };
  return { id, method: 'item/commandExecution/requestApproval', params };
}

async function pending(): Promise<Interaction> {
  let found: Interaction | undefined;
  await until(async () => {
    [found] = (await beckon.list({ status: 'pending' })).items;
    return found !== undefined;
  });
  return found as Interaction;
}

async function settled(): Promise<Interaction[]> {
  let items: Interaction[] = [];
  await until(async () => {
    ({ items } = await beckon.list());
    return items.length > 0 && items.every(({ status }) => status !== 'pending');
  });
  return items;
}

async function answer(given: { decision: 'allow' | 'deny'; message?: string }): Promise<void> {
  await beckon.answer((await pending()).id, given, { who: 'ana', via: 'inbox' });
}

async function readEvents(): Promise<string[]> {
  const types: string[] = [];
  try {
    for await (const { type } of beckon.events({ after: 0, signal: AbortSignal.timeout(200) })) types.push(type);
  } catch {
    // That is all for now.
  }
  return types;
}

function silent() {
  return { onRequest: () => undefined, onNotification: () => undefined };
}

async function until(is: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 15_000;
  while (!(await is())) {
    if (Date.now() > end) throw new Error('It never came to that');
    await sleep(10);
  }
}
