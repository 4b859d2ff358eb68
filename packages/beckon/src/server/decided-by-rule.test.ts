import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connectBeckon } from '../client/connect-beckon.ts';
import { request } from '../core/request.ts';
import type { Rule } from '../protocol/rule.ts';
import { openSocket, openStream } from '../testing/harness/server/clients.ts';
import { createTestApp, type TestApp, type TokenName } from '../testing/harness/server/test-app.ts';
import { createRule } from '../testing/suites/samples.ts';

const AT = '2026-01-01T00:00:00.000Z';
const HOOK = {
  session_id: 'ses-1',
  hook_event_name: 'PermissionRequest',
  tool_name: 'Bash',
  tool_input: { command: 'npm test' },
};
const toReply = (decision: object) => ({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } });
const ALLOW = toReply({ behavior: 'allow' });
const APPROVAL = { kind: 'approval', request: { tool: 'Bash', input: { command: 'npm test' } } } as const;

let server: TestApp;
beforeEach(async () => {
  server = await createTestApp();
});
afterEach(() => server.dispose());

async function add(changes: Partial<Rule> = {}): Promise<Rule> {
  const rule = createRule(changes);
  await server.store.rules.add(rule);
  return rule;
}

describe('a hook of Claude Code', () => {
  const send = (hook: object, query = '', key = '') =>
    server.inject({
      method: 'POST',
      url: `/hooks/claude${query}`,
      headers: { authorization: `Bearer ${server.tokens.agent}`, ...(key !== '' && { 'idempotency-key': key }) },
      payload: hook,
    });

  test('that a rule allows is answered at once', async () => {
    const { id } = await add();
    const { status, body, headers } = await send(HOOK);
    expect({ status, body }).toEqual({ status: 200, body: ALLOW });
    expect(await server.beckon.get(String(headers['beckon-interaction']))).toMatchObject({
      status: 'answered',
      askedBy: 'builder',
      answeredBy: { who: 'ada', via: `rule:${id}`, kind: 'rule' },
    });
  });

  test('that a rule denies hears why', async () => {
    await add({ effect: 'deny', reason: 'Tests run in CI' });
    expect((await send(HOOK)).body).toEqual(toReply({ behavior: 'deny', message: 'Tests run in CI' }));
  });

  test('that is sent again gets the decision of the first time, although the rule is gone', async () => {
    const rule = await add();
    expect((await send(HOOK, '', 'call-1')).body).toEqual(ALLOW);
    await server.store.rules.remove({ id: rule.id, by: 'ada', at: AT });
    expect((await send(HOOK, '', 'call-1')).body).toEqual(ALLOW);
    expect((await server.beckon.list()).items).toHaveLength(1);
  });

  test('of a session that may be resumed later is not put off', async () => {
    await add();
    const hook = { ...HOOK, hook_event_name: 'PreToolUse', tool_use_id: 'toolu_1' };
    expect((await send(hook, '?defer=true')).body).toMatchObject({
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' },
    });
  });

  test('reporting that an allowed call has run settles no other request with the same input', async () => {
    await add({ scope: { sessionId: 'ses-1' } });
    await send(HOOK);
    const other = { ...HOOK, tool_input: { command: 'npm publish' } };
    void send(other);
    await expect.poll(async () => (await server.beckon.list({ status: 'pending' })).items.length).toBe(1);
    await send({ ...HOOK, hook_event_name: 'PostToolUse', tool_use_id: 'toolu_1', tool_response: {} });
    expect((await server.beckon.list({ status: 'pending' })).items).toHaveLength(1);
  });
});

describe('an agent', () => {
  const ask = (as: TokenName, body: object = APPROVAL) => server.send(as, 'POST', '/v1/interactions', body);

  test('that asks over HTTP gets the answer with the reply, and need not wait', async () => {
    await add();
    const { status, body } = await ask('agent');
    expect(status).toBe(201);
    expect(body).toMatchObject({ status: 'answered', answer: { decision: 'allow' } });
    const waited = await server.send('agent', 'GET', `/v1/interactions/${body.id}?wait=30`);
    expect(waited.body).toMatchObject({ status: 'answered' });
    const client = connectBeckon(await server.listen(), { token: server.tokens.agent });
    expect(await request(client, APPROVAL)).toMatchObject({ status: 'answered', answer: { decision: 'allow' } });
    await client.close();
  });

  test('is who its token says: a rule for one agent decides nothing for another', async () => {
    await add({ scope: { askedBy: 'builder' } });
    expect((await ask('agent')).body.status).toBe('answered');
    expect((await ask('otherAgent', { ...APPROVAL, metadata: { agent: 'builder' } })).body.status).toBe('pending');
  });

  test('that asks several at once gets what is decided, and waits for the rest', async () => {
    await add();
    const other = { kind: 'approval', request: { tool: 'Bash', input: { command: 'npm publish' } } };
    const { status, body } = await server.send('agent', 'POST', '/v1/groups', { asks: [APPROVAL, other] });
    expect(status).toBe(201);
    const statuses = body.items.map((item: { status: string }) => item.status);
    expect(statuses).toEqual(['answered', 'pending']);
  });
});

test('what a rule decided counts as an outcome, and not as the time of a person', async () => {
  await add();
  await server.beckon.ask(APPROVAL);
  const { text } = await server.send('admin', 'GET', '/metrics');
  expect(text).toContain('beckon_outcomes_total{kind="approval",outcome="answered"} 1');
  expect(text).not.toContain('beckon_time_to_answer_seconds_count{kind="approval"}');
});

describe('events of rules', () => {
  test.each([
    ['a person', 'person', ['team', undefined]],
    ['a person limited to the chat of one rule', 'teamPerson', ['team']],
  ] as const)('are for %s', async (_, as, chats) => {
    const url = await server.listen();
    await add({ scope: { chatId: 'team' } });
    await add({ scope: { chatId: 'elsewhere' } }).then(({ id }) =>
      server.store.rules.remove({ id, by: 'ada', at: AT }),
    );
    const last = await add();
    await server.store.rules.stop({ ids: [last.id], why: 'wrong', by: 'ada', at: AT });
    await server.beckon.ask({ ...APPROVAL, chatId: 'team' });
    const stream = await openStream(url, server.tokens[as], { query: '?after=0' });
    const socket = await openSocket(url, server.tokens[as], '?after=0');
    const expected =
      chats.length === 1 ? ['rule.added'] : ['rule.added', 'rule.added', 'rule.removed', 'rule.added', 'rule.stopped'];
    const types: string[] = [];
    const heard: string[] = [];
    for (const _type of expected) {
      types.push((await stream.next()).event.type);
      heard.push((await socket.next('event')).event.type);
    }
    expect([types, heard]).toEqual([expected, expected]);
    // Nothing of other chats and of wider rules comes before the request.
    expect((await stream.next()).event.type).toBe('interaction.requested');
    stream.close();
    socket.socket.close();
  });

  test('are not for agents, who follow nothing', async () => {
    expect((await server.send('agent', 'GET', '/v1/events')).status).toBe(403);
  });
});
