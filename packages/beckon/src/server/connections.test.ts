import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { until, within } from '../testing/harness/server/clients.ts';
import { createTestApp, type TestApp } from '../testing/harness/server/test-app.ts';
import type { AppOptions } from './app.ts';

const HEALTH = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';

let server: TestApp;
let url: string;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.dispose();
});

async function start(options: Partial<AppOptions>): Promise<void> {
  server = await createTestApp(options);
  url = await server.listen();
}

async function open(): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

/** Sends a request on a connection that stays, and gives the first line of the reply. */
async function ask(socket: Socket): Promise<string | undefined> {
  socket.write(HEALTH);
  const [reply] = (await within('a reply', once(socket, 'data'))) as [Buffer];
  return reply.toString().split('\r\n')[0];
}

test.each([
  ['in its headers', ''],
  ['in its body', 'Content-Type: application/json\r\nContent-Length: 99\r\n\r\n{"kind"'],
])('a request that stops %s is answered with 408, and its connection ends', async (_, rest) => {
  await start({ times: { requestMs: 100 } });
  const socket = await open();
  const authorization = `Authorization: Bearer ${server.tokens.agent}\r\n`;
  socket.write(`POST /v1/interactions HTTP/1.1\r\nHost: localhost\r\n${authorization}${rest}`);
  const reply = await within('the end of the connection', text(socket));
  expect(reply).toMatch(/^HTTP\/1\.1 408 /);
  expect(JSON.parse(reply.split('\r\n\r\n')[1] ?? '')).toMatchObject({ code: 'request_timed_out', status: 408 });
  expect((await server.beckon.list()).items).toEqual([]);
});

test('a request is given up when its own time is over, not with those that began later', async () => {
  await start({ times: { requestMs: 4000 } });
  // Whatever the server looks at together would end together.
  await sleep(200);
  const slow = await open();
  slow.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n');
  const slowReply = text(slow);
  await sleep(2000);
  const later = await open();
  later.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n');
  // A byte now and then does not make its time longer.
  const trickle = setInterval(() => slow.writable && slow.write('X-Slow: 1\r\n'), 300);
  slow.on('error', () => undefined);
  expect(await within('the end of the slow one', slowReply)).toMatch(/^HTTP\/1\.1 408 /);
  clearInterval(trickle);
  later.write('\r\n');
  const [reply] = (await within('a reply', once(later, 'data'))) as [Buffer];
  expect(reply.toString()).toMatch(/^HTTP\/1\.1 200 /);
});

test('a connection that says nothing is ended', async () => {
  await start({ times: { requestMs: 300 } });
  const silent = await open();
  expect(await within('its end', text(silent))).toMatch(/^(?:HTTP\/1\.1 408 |$)/);
});

test('a second request on the same connection has no more time than the first', async () => {
  await start({ times: { requestMs: 300 } });
  const socket = await open();
  expect(await ask(socket)).toBe('HTTP/1.1 200 OK');
  socket.write('GET /healthz HTTP/1.1\r\n');
  const trickle = setInterval(() => socket.writable && socket.write('X-Slow: 1\r\n'), 50);
  socket.on('error', () => undefined);
  expect(await within('its end', text(socket))).toContain('HTTP/1.1 408 ');
  clearInterval(trickle);
});

test('a connection beyond the limit is refused, and the others go on', async () => {
  await start({ maxConnections: 2 });
  const [first, second] = [await open(), await open()];
  expect([await ask(first), await ask(second)]).toEqual(['HTTP/1.1 200 OK', 'HTTP/1.1 200 OK']);

  const third = await open();
  third.on('error', () => undefined);
  third.write(HEALTH);
  await within('the end of the third', once(third, 'close'));
  expect(third.bytesRead).toBe(0);
  expect([await ask(first), await ask(second)]).toEqual(['HTTP/1.1 200 OK', 'HTTP/1.1 200 OK']);

  second.destroy();
  await until('the second is gone', async () => (await countConnections()) === 1);
  const fourth = await open();
  expect(await ask(fourth)).toBe('HTTP/1.1 200 OK');
});

function countConnections(): Promise<number> {
  return new Promise((resolve, reject) => {
    server.app.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });
}
