import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Beckon } from '../core/beckon.ts';
import type { AskInput } from '../protocol/interaction.ts';
import { LIMITS } from '../protocol/limits.ts';
import { connectBeckon } from './connect-beckon.ts';

let server: Server;
let beckon: Beckon;
/** The bodies that left this machine. */
let bodies: string[];

beforeEach(async () => {
  bodies = [];
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      bodies.push(body);
      response.writeHead(400, { 'content-type': 'application/problem+json' });
      response.end(JSON.stringify({ code: 'invalid_input', detail: 'Seen enough', status: 400 }));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  beckon = connectBeckon(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { token: 'bkn_x' });
});
afterEach(async () => {
  await beckon.close();
  server.close();
});

test('secrets in a context are masked before it is sent, alone and in a group', async () => {
  const input = toAsk('PGPASSWORD=swordfish psql');
  await beckon.ask(input).catch(() => undefined);
  await beckon.askGroup([input, input]).catch(() => undefined);
  expect(bodies).toHaveLength(2);
  for (const body of bodies) {
    expect(body).toContain('PGPASSWORD=…(masked) psql');
    expect(body).not.toContain('swordfish');
  }
});

test.each<['summary' | 'off', boolean]>([
  ['summary', true],
  ['off', false],
])('of a context, %s is sent', async (contextLevel, hasPlace) => {
  const { port } = server.address() as AddressInfo;
  const limited = connectBeckon(`http://127.0.0.1:${port}`, { token: 'bkn_x', contextLevel });
  const input = { ...toAsk('I change it.'), context: { project: 'webshop', prompt: 'Convert the cart' } };
  await limited.ask(input).catch(() => undefined);
  await limited.askGroup([input, input]).catch(() => undefined);
  await limited.close();
  expect(bodies).toHaveLength(2);
  for (const body of bodies) {
    expect(body.includes('webshop')).toBe(hasPlace);
    expect(body).not.toContain('Convert the cart');
  }
});

test.each<[string, object]>([
  ['a long message', { message: 'm'.repeat(5_000_000) }],
  [
    'a long conversation',
    { conversation: Array.from({ length: 50_000 }, () => ({ by: 'agent', text: 'x'.repeat(99) })) },
  ],
])('%s that is too large to be sent is cut, so that the request can be asked', async (_, context) => {
  await beckon.ask({ ...toAsk('Go'), context: { project: 'webshop', ...context } }).catch(() => undefined);
  expect(bodies[0]?.length).toBeLessThan(LIMITS.requestBytes / 4);
  expect(bodies[0]).toContain('"project":"webshop"');
});

function toAsk(message: string): AskInput {
  return { kind: 'question', request: { question: 'Go?' }, context: { project: 'webshop', message } };
}
