import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { get, openStream, until, within } from '../testing/harness/server/clients.ts';
import { createMachineCalls, type StartedLogin } from '../testing/harness/server/machines.ts';
import {
  createTestApp,
  QUESTION,
  type TestApp,
  type TestReply,
  type TokenName,
} from '../testing/harness/server/test-app.ts';

let server: TestApp;
beforeEach(async () => {
  server = await createTestApp({ times: { firstRefusalMs: 1, longestRefusalMs: 2 } });
});
afterEach(() => server.dispose());

const codeOf = ({ status, body }: TestReply): unknown => (status < 400 ? status : body.code);
const { start, approve, asMachine } = createMachineCalls(() => server);

describe('a machine that is revoked', () => {
  /** A machine that is in, and its token. */
  async function letIn(): Promise<StartedLogin> {
    const login = await start();
    expect((await approve('person', login)).status).toBe(200);
    return login;
  }
  const revoke = (id: string, as: TokenName = 'person') => server.send(as, 'DELETE', `/v1/machines/${id}`);

  test('is out at once, and gone from the list', async () => {
    const login = await letIn();
    expect((await asMachine(login.token, 'GET', '/v1/me')).status).toBe(200);
    expect((await server.send('person', 'GET', '/v1/machines')).body.items).toMatchObject([
      { id: login.id, name: 'ada@laptop', owner: 'ana', machine: 'laptop' },
    ]);
    expect((await revoke(login.id, 'teamPerson')).body).toEqual({ revoked: false });
    expect((await revoke(login.id, 'teamAdmin')).body).toEqual({ revoked: false });
    expect((await revoke(login.id)).body).toEqual({ revoked: true });
    expect(codeOf(await asMachine(login.token, 'GET', '/v1/me'))).toBe('unauthorized');
    expect((await server.send('admin', 'GET', '/v1/machines')).body.items).toEqual([]);
    expect((await revoke(login.id)).body).toEqual({ revoked: false });
  });

  test('shows when it last came', async () => {
    const login = await letIn();
    const read = async (): Promise<string | undefined> =>
      (await server.send('person', 'GET', '/v1/machines')).body.items[0].lastUsedAt;
    expect(await read()).toBeUndefined();
    await asMachine(login.token, 'GET', '/v1/me');
    await expect.poll(read).toBeDefined();
  });

  test('hears no answer that it waited for, of this process', async () => {
    const url = await server.listen();
    const login = await letIn();
    const headers = { authorization: `Bearer ${login.token}`, 'content-type': 'application/json' };
    const asked = await fetch(`${url}/v1/interactions`, { method: 'POST', headers, body: JSON.stringify(QUESTION) });
    const { id } = (await asked.json()) as { id: string };
    const waiting = get(`${url}/v1/interactions/${id}?wait=60`, login.token);
    const hook = fetch(`${url}/hooks/claude`, {
      method: 'POST',
      headers,
      body: JSON.stringify({
        hook_event_name: 'PermissionRequest',
        session_id: 's',
        tool_name: 'Bash',
        tool_input: { command: 'ls' },
      }),
    });
    await until('both waits', async () =>
      (await server.send('admin', 'GET', '/metrics')).text.includes('\nbeckon_waits_held 2'),
    );
    await revoke(login.id);
    expect((await within('the end of the wait', waiting)).body).toMatchObject({ code: 'unauthorized' });
    expect((await within('the end of the hook', hook)).status).toBe(401);
  });

  test('has no call of MCP open any more', async () => {
    const url = await server.listen();
    const login = await letIn();
    const client = new Client({ name: 'test', version: '1' });
    const requestInit = { headers: { authorization: `Bearer ${login.token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
    const call = client.callTool({ name: 'ask_question', arguments: { question: 'Deploy?' } });
    call.catch(() => undefined);
    await expect.poll(async () => (await server.beckon.list({ status: 'pending' })).items).toHaveLength(1);
    await revoke(login.id);
    await expect(within('the end of the call', call)).rejects.toThrow(/./);
    await client.close();
  });

  test('by another process hears no answer either', async () => {
    const other = await createTestApp({ folder: server.folder });
    try {
      const url = await other.listen();
      const login = await letIn();
      const headers = { authorization: `Bearer ${login.token}` };
      const { id } = (await server.inject({ method: 'POST', url: '/v1/interactions', headers, payload: QUESTION }))
        .body;
      const waiting = get(`${url}/v1/interactions/${id}?wait=60`, login.token);
      await until('the wait', async () =>
        (await other.send('admin', 'GET', '/metrics')).text.includes('\nbeckon_waits_held 1'),
      );
      await revoke(login.id);
      // A known token is trusted for a second.
      await until('the refusal', async () => (await other.inject({ url: '/v1/me', headers })).status === 401);
      await server.beckon.answer(id, { text: 'yes' }, { who: 'ana', via: 'test' });
      expect((await within('the end of the wait', waiting)).body).toMatchObject({ code: 'unauthorized' });
    } finally {
      await other.stop();
    }
  });
});

test('the stream of a token that is revoked here ends at once', async () => {
  const url = await server.listen();
  const token = await server.issuedTokens.create({ name: 'watcher', role: 'person' });
  const stream = await openStream(url, token);
  await server.issuedTokens.revoke(token.slice(4, 20));
  expect(await within('the end of the stream', stream.ended)).toBeUndefined();
});
