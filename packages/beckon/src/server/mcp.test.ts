import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../testing/until.testsuite.ts';
import { createTestApp, type TestApp } from './testing/test-app.testsuite.ts';

let server: TestApp;
let url: URL;
beforeEach(async () => {
  server = await createTestApp();
  url = new URL('/mcp', await server.listen());
});
afterEach(() => server.dispose());

test('a client asks with its token, and hears that somebody is being waited for', async () => {
  const client = await connect(server.tokens.teamAgent);
  let heard = 0;
  const onprogress = (): void => {
    heard += 1;
  };
  const result = client.callTool({ name: 'ask_question', arguments: { question: 'Deploy?' } }, { onprogress });
  const asked = await until(async () => {
    const [item] = (await server.beckon.list({ status: 'pending' })).items;
    if (item === undefined) throw new Error('Nothing is pending');
    return item;
  });
  expect(asked).toMatchObject({ askedBy: 'team-builder', chatId: 'team' });
  await until(() => expect(heard).toBeGreaterThan(0));
  await server.beckon.answer(asked.id, { text: 'yes' }, { who: 'ana', via: 'test' });
  expect((await result).content).toEqual([
    { type: 'text', text: '{"status":"answered","answer":{"text":"yes"},"answered_by":"ana"}' },
  ]);
  await client.close();
});

test('without a token nobody comes in', async () => {
  await expect(connect('nonsense')).rejects.toThrow(/401|nauthorized/);
});

async function connect(token: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(
    new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization: `Bearer ${token}` } } }),
  );
  return client;
}
