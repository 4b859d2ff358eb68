import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BeckonError } from '../protocol/errors.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { createTestApp, type TestApp } from '../testing/harness/server/test-app.ts';
import { until } from '../testing/suites/until.ts';

const MODERN: ClientOptions = { versionNegotiation: { mode: { pin: '2026-07-28' } } };
let server: TestApp;
let url: URL;
beforeEach(async () => {
  server = await createTestApp();
  url = new URL('/mcp', await server.listen());
});
afterEach(() => server.dispose());

test.each([
  ['2025-11-25', {}],
  ['2026-07-28', MODERN],
])('a client of %s asks with its token, and hears that somebody is being waited for', async (_, options) => {
  const client = await connect(server.tokens.teamAgent, options);
  let heard = 0;
  const onprogress = (): void => {
    heard += 1;
  };
  const result = client.callTool({ name: 'ask_question', arguments: { question: 'Deploy?' } }, { onprogress });
  const asked = await pending();
  expect(asked).toMatchObject({ askedBy: 'team-builder', chatId: 'team' });
  await until(() => expect(heard).toBeGreaterThan(0));
  await server.beckon.answer(asked.id, { text: 'yes' }, { who: 'ana', via: 'test' });
  expect((await result).content).toEqual([
    { type: 'text', text: '{"status":"answered","answer":{"text":"yes"},"answered_by":"ana"}' },
  ]);
  await client.close();
});

test('a client of the protocol 2026-07-28 that lost its connection gets its answer on another one, also after a restart', async () => {
  const call = { name: 'ask_question', arguments: { question: 'Deploy?' } };
  const repeated = { ...call, requestState: await begin(call) };
  expect((await server.beckon.list()).items).toEqual([]);
  const client = await connect(server.tokens.agent, MODERN);
  const lost = client.callTool(repeated);
  const asked = await pending();
  await client.close();
  await lost.catch(() => undefined);
  await server.stop();
  server = await createTestApp({ folder: server.folder });
  url = new URL('/mcp', await server.listen());
  expect((await pending()).id).toBe(asked.id);
  await server.beckon.answer(asked.id, { text: 'yes' }, { who: 'ana', via: 'test' });
  const again = await connect(server.tokens.agent, MODERN);
  const { content } = await again.callTool(repeated);
  expect(content).toEqual([
    { type: 'text', text: '{"status":"answered","answer":{"text":"yes"},"answered_by":"ana"}' },
  ]);
  await again.close();
});

test('the key of a call is of no use to somebody else, nor is that of a hook', async () => {
  const call = { name: 'ask_question', arguments: { question: 'Deploy?', idempotency_key: 'k' } };
  const agent = await connect(server.tokens.agent);
  const result = agent.callTool(call);
  await server.beckon.answer((await pending()).id, { text: 'secret' }, { who: 'ana', via: 'test' });
  await result;
  const other = await connect(server.tokens.teamAgent);
  const hook = { ...call, arguments: { ...call.arguments, idempotency_key: 'hook_call_1' } };
  for (const forbidden of [call, hook]) {
    const { isError, content } = await other.callTool(forbidden);
    expect({ isError, text: JSON.stringify(content) }).toEqual({
      isError: true,
      text: expect.stringMatching(/Choose another|its own key/),
    });
  }
  await agent.close();
  await other.close();
});

test('a failure before the reply has begun is told as everywhere', async () => {
  const missing = new BeckonError('not_installed', 'MCP needs two more packages.');
  const failing = await createTestApp({ handleMcp: () => Promise.reject(missing) });
  const reply = await failing.send('agent', 'POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'ping' });
  expect(reply.headers['content-type']).toContain('application/problem+json');
  expect(reply.body).toMatchObject({ status: 501, code: 'not_installed', detail: missing.message });
  await failing.dispose();
});

test('a failure in the middle of a reply cuts the connection', async () => {
  const failing = await createTestApp({
    handleMcp: (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': begun\n\n');
      return Promise.reject(new Error('broken'));
    },
  });
  const headers = { authorization: `Bearer ${failing.tokens.agent}`, 'content-type': 'application/json' };
  const reply = fetch(new URL('/mcp', await failing.listen()), { method: 'POST', headers, body: '{}' });
  await expect(reply.then((begun) => begun.text())).rejects.toThrow('terminated');
  expect(failing.logs.join('')).toContain('broken');
  await failing.dispose();
});

test('without a token nobody comes in', async () => {
  await expect(connect('nonsense')).rejects.toThrow(/401|nauthorized/);
});

function pending(): Promise<Interaction> {
  return until(async () => {
    const [item] = (await server.beckon.list({ status: 'pending' })).items;
    if (item === undefined) throw new Error('Nothing is pending');
    return item;
  });
}

/** The first half of a call, after which a client knows how to repeat it. */
async function begin(call: { name: string; arguments: Record<string, unknown> }): Promise<string> {
  const client = await connect(server.tokens.agent, { ...MODERN, inputRequired: { autoFulfill: false } });
  const begun = await client.callTool(call, { allowInputRequired: true });
  await client.close();
  return (begun as unknown as { requestState: string }).requestState;
}

async function connect(token: string, options: ClientOptions = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, options);
  await client.connect(
    new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization: `Bearer ${token}` } } }),
  );
  return client;
}
