import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSocket, until, within } from '../testing/harness/server/clients.ts';
import { createTestApp, QUESTION, type TestApp } from '../testing/harness/server/test-app.ts';

let server: TestApp;
let url: string;
beforeEach(async () => {
  server = await createTestApp({ times: { goodbyeMs: 200, firstRefusalMs: 1 } });
  url = await server.listen();
});
afterEach(() => server.dispose());

async function ask(chatId = 'default'): Promise<string> {
  return (await server.beckon.ask({ ...QUESTION, chatId, askedBy: 'builder' })).id;
}

/** Asks for a WebSocket by hand and gives the first words of the reply. Nothing after them is read. */
async function openByHand(
  address: string,
  { path = '/v1/ws', host = 'localhost', token }: { path?: string; host?: string; token?: string },
): Promise<{ socket: Socket; reply: string }> {
  const socket = connect(Number(new URL(address).port), '127.0.0.1');
  socket.on('error', () => undefined); // It may be cut off.
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n' +
      `${token === undefined ? '' : `Authorization: Bearer ${token}\r\n`}\r\n`,
  );
  const [data] = await within('the first words', once(socket, 'data'));
  socket.pause();
  return { socket, reply: String(data) };
}

function countConnections(): Promise<number> {
  return new Promise((resolve, reject) => {
    server.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}

describe('events over the WebSocket', () => {
  test('come in order, from the place that was asked for', async () => {
    const ids = [await ask(), await ask(), await ask()];
    const client = await openSocket(url, server.tokens.person, '?after=1');
    expect((await client.next('event')).event).toMatchObject({ seq: 2, interactionId: ids[1] });
    expect((await client.next('event')).event).toMatchObject({ seq: 3, interactionId: ids[2] });
    ids.push(await ask());
    expect((await client.next('event')).event).toMatchObject({ seq: 4, interactionId: ids[3] });
    client.socket.close();
  });

  test('are those of its chat for a token that has one', async () => {
    const client = await openSocket(url, server.tokens.teamPerson, '?after=0');
    await ask('other');
    const id = await ask('team');
    expect((await client.next('event')).event).toMatchObject({ seq: 2, interactionId: id });
    client.socket.close();
  });
});

describe('commands over the WebSocket', () => {
  test('answer, say and cancel get the reply with their reference, in whatever order', async () => {
    const client = await openSocket(url, server.tokens.admin);
    const [first, second] = [await ask(), await ask()];
    await ask('talk');
    client.send({ type: 'answer', ref: 'a', id: first, answer: { text: 'yes' }, via: 'phone' });
    client.send({ type: 'say', ref: 'b', chatId: 'talk', text: 'no' });
    client.send({ type: 'cancel', ref: 'c', id: second, reason: 'done' });
    const replies = [await client.next('reply'), await client.next('reply'), await client.next('reply')];
    const byRef = Object.fromEntries(replies.map((reply) => [reply.ref, reply]));
    expect(byRef['a']).toMatchObject({
      result: 'accepted',
      interaction: { id: first, answeredBy: { who: 'root', via: 'socket', claim: { via: 'phone' } } },
    });
    expect(byRef['b']).toEqual({ type: 'reply', ref: 'b', routed: true });
    expect(byRef['c']).toEqual({ type: 'reply', ref: 'c', cancelled: [second] });
    client.socket.close();
  });

  test('a text answers nothing that was asked after the number that its sender had seen, and is taken once', async () => {
    const client = await openSocket(url, server.tokens.admin);
    await ask('talk');
    const { event } = await client.next('event');
    const { seq } = event as { seq: number };
    client.send({ type: 'say', ref: 'a', chatId: 'talk', text: 'yes', seen: seq - 1 });
    expect(await client.next('reply')).toEqual({ type: 'reply', ref: 'a', routed: false });
    client.send({ type: 'say', ref: 'b', chatId: 'talk', text: 'yes', seen: seq });
    expect(await client.next('reply')).toEqual({ type: 'reply', ref: 'b', routed: true });
    await ask('talk');
    client.send({ type: 'say', ref: 'c', chatId: 'talk', text: 'yes' });
    expect(await client.next('reply')).toEqual({ type: 'reply', ref: 'c', routed: false });
    client.socket.close();
  });

  test('an answer that lost or is late says so, with the interaction', async () => {
    const client = await openSocket(url, server.tokens.person);
    const [won, ended] = [await ask(), await ask()];
    await server.beckon.answer(won, { text: 'yes' }, { who: 'bob', via: 'x' });
    await server.beckon.cancel({ id: ended });
    client.send({ type: 'answer', ref: '1', id: won, answer: { text: 'no' } });
    expect(await client.next('reply')).toMatchObject({ result: 'lost', interaction: { answeredBy: { who: 'bob' } } });
    client.send({ type: 'answer', ref: '2', id: ended, answer: { text: 'no' } });
    expect(await client.next('reply')).toMatchObject({ result: 'late', interaction: { status: 'cancelled' } });
    client.socket.close();
  });

  test.each<[string, object | string | Uint8Array<ArrayBuffer>, object]>([
    ['no JSON', '{', { code: 'invalid_input' }],
    ['nothing', '', { code: 'invalid_input' }],
    ['no object', '[]', { code: 'invalid_input' }],
    ['null', 'null', { code: 'invalid_input' }],
    ['an unknown type', { type: 'ask', ref: '1' }, { code: 'invalid_input' }],
    ['an unknown field', { type: 'cancel', ref: '1', id: 'x', who: 'root' }, { problems: [{ path: 'who' }] }],
    ['no reference', { type: 'cancel', id: 'x' }, { problems: [{ path: 'ref' }] }],
    ['bytes', Uint8Array.from([1, 2, 3]), { detail: 'Send commands as text.' }],
    ['an unknown id', { type: 'cancel', ref: '1', id: 'int_none' }, { code: 'interaction_not_found' }],
    ['a wrong answer', { type: 'answer', ref: '1', id: 'int_none', answer: {} }, { code: 'interaction_not_found' }],
    ['a prototype', '{"type":"say","ref":"1","chatId":"c","text":"x","__proto__":{}}', { code: 'invalid_input' }],
    [
      'a prototype in an answer',
      '{"type":"answer","ref":"1","id":"x","answer":{"a":{"__proto__":{}}}}',
      { code: 'invalid_input' },
    ],
    ['deep JSON', '['.repeat(100_000) + ']'.repeat(100_000), { code: 'invalid_input' }],
    [
      'a deep answer',
      `{"type":"answer","ref":"1","id":"x","answer":{"a":${'['.repeat(100_000) + ']'.repeat(100_000)}}}`,
      { code: 'invalid_input' },
    ],
  ])('%s gets an error as its reply, and the connection lives', async (_, command, error) => {
    const client = await openSocket(url, server.tokens.admin);
    client.send(command);
    expect((await client.next('reply')).error).toMatchObject(error);
    client.send({ type: 'say', ref: 'after', chatId: 'nobody', text: 'x' });
    expect(await client.next('reply')).toEqual({ type: 'reply', ref: 'after', routed: false });
    client.socket.close();
  });

  test('a wrong command keeps its reference in the reply', async () => {
    const client = await openSocket(url, server.tokens.admin);
    client.send({ type: 'answer', ref: 'mine', id: await ask(), answer: { decision: 'allow' } });
    expect(await client.next('reply')).toMatchObject({ ref: 'mine', error: { code: 'invalid_answer', status: 422 } });
    client.socket.close();
  });

  test('a person may not cancel, and a token for one chat may not reach into another', async () => {
    const id = await ask();
    const person = await openSocket(url, server.tokens.person);
    person.send({ type: 'cancel', ref: '1', id });
    expect((await person.next('reply')).error).toMatchObject({ code: 'forbidden' });
    const scoped = await openSocket(url, server.tokens.teamPerson);
    scoped.send({ type: 'answer', ref: '1', id, answer: { text: 'yes' } });
    expect((await scoped.next('reply')).error).toMatchObject({ code: 'interaction_not_found' });
    scoped.send({ type: 'say', ref: '2', chatId: 'default', text: 'yes' });
    expect((await scoped.next('reply')).error).toMatchObject({ code: 'forbidden' });
    expect((await server.beckon.get(id))?.status).toBe('pending');
    person.socket.close();
    scoped.socket.close();
  });

  test('a message that is too large ends the connection', async () => {
    const client = await openSocket(url, server.tokens.person);
    client.send({ type: 'say', ref: '1', chatId: 'c', text: 'x'.repeat(1_100_000) });
    expect((await within('the end', client.closed)).code).toBe(1009);
  });

  test('too many commands at once end the connection, and no other', async () => {
    const [client, other] = [await openSocket(url, server.tokens.person), await openSocket(url, server.tokens.person)];
    for (let index = 0; index < 5000; index += 1) client.send({ type: 'say', ref: `${index}`, chatId: 'c', text: 'x' });
    expect(await within('the end', client.closed)).toEqual({ code: 1008, reason: 'Too many commands at once' });
    other.send({ type: 'say', ref: '1', chatId: 'c', text: 'x' });
    expect(await other.next('reply')).toMatchObject({ ref: '1' });
    other.socket.close();
  });
});

describe('a WebSocket', () => {
  test.each<[string, () => Parameters<typeof openByHand>[1], RegExp]>([
    ['without a token', () => ({}), /^HTTP\/1\.1 401 /],
    ['with a wrong token', () => ({ token: `${server.tokens.person}x` }), /^HTTP\/1\.1 401 /],
    ['with too weak a token', () => ({ token: server.tokens.agent }), /^HTTP\/1\.1 403 /],
    ['for another host', () => ({ token: server.tokens.person, host: 'evil.example' }), /^HTTP\/1\.1 421 /],
    [
      'from another site',
      () => ({ token: server.tokens.person, host: 'localhost\r\nOrigin: null' }),
      /^HTTP\/1\.1 403 /,
    ],
    ['from a nonsense place', () => ({ token: server.tokens.person, path: '/v1/ws?after=x' }), /^HTTP\/1\.1 400 /],
    ['at no route', () => ({ token: server.tokens.person, path: '/v1/ws/x' }), /^HTTP\/1\.1 404 /],
    ['at a wrong address', () => ({ token: server.tokens.person, path: '/v1/ws%ff' }), /^HTTP\/1\.1 400 /],
    ['at an address that cannot be read', () => ({ path: '/v1/interactions/%ff' }), /^HTTP\/1\.1 400 /],
  ])('is refused %s, and its connection ends', async (_, request, status) => {
    const { socket, reply } = await openByHand(url, request());
    expect(reply).toMatch(status);
    expect(reply).toContain('application/problem+json');
    await until('the connection to end', async () => (await countConnections()) === 0);
    socket.destroy();
  });

  test('is not to be had at other routes, which answer as always', async () => {
    const { socket, reply } = await openByHand(url, { path: '/v1/interactions', token: server.tokens.person });
    expect(reply).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
  });
});

describe('a WebSocket that the server has an eye on', () => {
  beforeEach(async () => {
    await server.dispose();
    server = await createTestApp({ times: { heartbeatMs: 200, goodbyeMs: 200 } });
    url = await server.listen();
  });

  test('that answers no ping is cut off', async () => {
    const { socket: deaf, reply } = await openByHand(url, { token: server.tokens.person });
    expect(reply).toMatch(/^HTTP\/1\.1 101 /);
    await until('the connection to be cut', async () => (await countConnections()) === 0);
    deaf.destroy();
  });

  test('ends when its token is revoked', async () => {
    const client = await openSocket(url, server.tokens.person);
    await server.store.tokens.remove('ana', '2026-01-01T00:00:00.000Z');
    expect((await within('the end', client.closed)).code).toBe(4401);
  });

  test('ends when the server stops, with a word why', async () => {
    const client = await openSocket(url, server.tokens.person);
    await within('the stop', server.stop(), 5000);
    expect(await within('the end', client.closed)).toEqual({ code: 1012, reason: 'Beckon is stopping' });
  });
});

test('a WebSocket that never says goodbye does not hold up a stop', async () => {
  const patient = await createTestApp({ times: { goodbyeMs: 200 } });
  const address = await patient.listen();
  const { socket } = await openByHand(address, { token: patient.tokens.person });
  await within('the stop', patient.stop(), 5000);
  expect(patient.app.server.listening).toBe(false);
  socket.destroy();
  await patient.dispose();
});
