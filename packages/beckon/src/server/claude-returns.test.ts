import { request as httpRequest } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { NOT_BACK } from '../core/agent-hooks.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { createTestApp, type TestApp, type TestReply } from '../testing/harness/server/test-app.ts';
import { until } from '../testing/suites/until.ts';

const HOOK = {
  session_id: 'ses-1',
  hook_event_name: 'PermissionRequest',
  tool_name: 'Bash',
  tool_input: { command: 'ls' },
};
const ALLOW = { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } } };
const ANA = { who: 'ana', via: 'test' };
let server: TestApp;

beforeEach(async () => {
  server = await createTestApp();
});
afterEach(() => server.dispose());

test('a hook that comes back hears that its request is pending, and gets the answer when it is there', async () => {
  expect(await send({ query: 'hold=1' })).toMatchObject({ status: 202, body: { status: 'pending' } });
  const reply = send({ query: 'hold=60' });
  const { id } = await onlyPending();
  await server.beckon.answer(id, { decision: 'allow' }, ANA);
  expect(await reply).toMatchObject({ status: 200, body: ALLOW, headers: { 'beckon-interaction': id } });
});

test('a connection that breaks ends nothing; whoever comes back gets the answer, as often as it takes', async () => {
  const url = await server.listen();
  const cut = open(url);
  const { id } = await onlyPending();
  cut.destroy();
  await until(() => expectHeld(0, server));
  expect((await server.beckon.get(id))?.status).toBe('pending');
  await server.beckon.answer(id, { decision: 'allow' }, ANA);
  for (const _ of [1, 2]) expect((await send({ query: 'hold=60' })).body).toEqual(ALLOW);
  expect((await server.beckon.list()).items).toHaveLength(1);
});

test('a stop keeps it as well, and the time to come back begins again after it', async () => {
  await send({ query: 'hold=1' });
  const { id } = await onlyPending();
  await server.stop();
  server = await createTestApp({ folder: server.folder, awayMs: 3_600_000 });
  await server.attendance.look();
  expect((await server.beckon.get(id))?.status).toBe('pending');
});

describe('a hook that does not come back', () => {
  beforeEach(async () => {
    await server.dispose();
    server = await createTestApp({ awayMs: 0 });
  });

  test('has its request ended', async () => {
    await send({ query: 'hold=1' });
    const { id } = await onlyPending();
    await abandon(id);
    expect(await server.beckon.get(id)).toMatchObject({ status: 'superseded', reason: NOT_BACK });
  });

  test('is asked for once more if it comes back after all; an answer to what ended does not count', async () => {
    await send({ query: 'hold=1' });
    const first = await onlyPending();
    await abandon(first.id);
    const reply = send({ query: 'hold=60' });
    const second = await onlyPending();
    expect(second.id).not.toBe(first.id);
    expect(await server.beckon.answer(first.id, { decision: 'allow' }, ANA)).toMatchObject({ result: 'late' });
    await server.beckon.answer(second.id, { decision: 'deny', message: 'No' }, ANA);
    expect((await reply).body).toMatchObject({ hookSpecificOutput: { decision: { behavior: 'deny', message: 'No' } } });
    // Its reply may have been lost.
    expect((await send({ query: 'hold=60' })).body).toEqual((await reply).body);
    expect((await server.beckon.list()).items).toHaveLength(2);
  });

  test('is not asked for once more if it was answered in part', async () => {
    const questions = ['One?', 'Two?'].map((question) => ({
      question,
      header: 'H',
      options: [{ label: 'Yes' }, { label: 'No' }],
      multiSelect: false,
    }));
    const hook = { ...HOOK, tool_name: 'AskUserQuestion', tool_input: { questions } };
    await send({ query: 'hold=1', hook });
    const [two, one] = (await server.beckon.list({ status: 'pending' })).items;
    await server.beckon.answer(one?.id ?? '', { selected: ['Yes'] }, ANA);
    await abandon(two?.id ?? '');
    const reply = await send({ query: 'hold=60', hook });
    expect(reply.status).toBe(200);
    expect((await server.beckon.list()).items).toHaveLength(2);
  });
});

describe('two nodes on one store', () => {
  let other: TestApp;
  beforeEach(async () => {
    await server.dispose();
    server = await createTestApp({ awayMs: 0 });
    other = await createTestApp({ folder: server.folder, awayMs: 0 });
  });
  afterEach(() => other.stop());

  test('the first does not end what came back to the second, and its answer is there', async () => {
    await send({ query: 'hold=1' });
    const { id } = await onlyPending();
    const reply = send({ query: 'hold=60', to: other });
    await until(() => expectHeld(1, other));
    // Its time is over later than the first time of the other.
    await send({ query: 'hold=1', hook: { ...HOOK, session_id: 'ses-2' }, key: 'hook_2' });
    await until(async () => {
      await server.attendance.look();
      expect(await server.beckon.list({ sessionId: 'ses-2', status: 'superseded' })).toMatchObject({ items: [{}] });
    });
    expect((await server.beckon.get(id))?.status).toBe('pending');
    await server.beckon.answer(id, { decision: 'allow' }, ANA);
    expect((await reply).body).toEqual(ALLOW);
  });

  test('either ends what nobody comes back for', async () => {
    await send({ query: 'hold=1' });
    const { id } = await onlyPending();
    await until(async () => {
      await other.attendance.look();
      expect((await server.beckon.get(id))?.status).toBe('superseded');
    });
  });
});

describe('a hook that nobody waits for', () => {
  test('ends what it asked, also while an attempt waits, and another attempt asks nothing', async () => {
    const waiting = send({ query: 'hold=60' });
    const { id } = await onlyPending();
    expect(await send({ query: 'late=true' })).toMatchObject({ status: 200, body: {} });
    expect(await server.beckon.get(id)).toMatchObject({ status: 'superseded' });
    expect(await waiting).toMatchObject({ status: 200, body: {} });
    expect(await send({ query: 'hold=60' })).toMatchObject({ status: 200, body: {} });
    expect((await server.beckon.list()).items).toHaveLength(1);
  });

  test('asks nothing if it was never asked, and is kept once, with its own time', async () => {
    for (const _ of [1, 2]) expect((await send({ query: 'late=true&ageMs=3600000' })).body).toEqual({});
    expect((await server.beckon.list()).items).toEqual([]);
    const [received, ...more] = await server.store.readLog({ after: 0, limit: 10 });
    expect(more).toEqual([]);
    expect(received).toMatchObject({ type: 'hook.received', eventType: 'PermissionRequest' });
    expect(Date.now() - Date.parse(received?.at ?? '')).toBeGreaterThan(3_500_000);
  });

  test('settles what was answered in the terminal, at once', async () => {
    await send({ query: 'hold=1' });
    const { id } = await onlyPending();
    const ran = { ...HOOK, hook_event_name: 'PostToolUse', tool_use_id: 'toolu_1' };
    await send({ query: 'late=true', hook: ran, key: 'hook_2' });
    expect(await server.beckon.get(id)).toMatchObject({ status: 'answered', answeredBy: { via: 'terminal' } });
  });

  test('of another agent ends nothing', async () => {
    await send({ query: 'hold=1' });
    const { id } = await onlyPending();
    await send({ query: 'late=true', as: 'otherAgent', hook: { ...HOOK, x: 1 }, key: 'hook_3' });
    expect((await server.beckon.get(id))?.status).toBe('pending');
  });
});

test('a report that took seconds to arrive does not end what was asked after it happened', async () => {
  await send({ query: 'hold=1&happenedAt=2000' });
  const { id } = await onlyPending();
  const prompt = { session_id: 'ses-1', hook_event_name: 'UserPromptSubmit', prompt: 'go' };
  await send({ query: 'late=true&happenedAt=1000', hook: prompt, key: 'hook_2' });
  expect((await server.beckon.get(id))?.status).toBe('pending');
  await send({ query: 'late=true&happenedAt=3000', hook: { ...prompt, prompt: 'stop' }, key: 'hook_3' });
  expect((await server.beckon.get(id))?.status).toBe('superseded');
});

test.each(['hold=0', 'hold=61', 'hold=x', 'late=maybe'])('%s is refused', async (query) => {
  expect(await send({ query })).toMatchObject({ status: 400, body: { code: 'invalid_input' } });
});

test('without a key nobody can come back', async () => {
  const reply = await server.send('agent', 'POST', '/hooks/claude?hold=5', HOOK);
  expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_input' } });
  expect(reply.body.detail).toContain('Idempotency-Key');
});

interface Sent {
  query: string;
  hook?: object;
  key?: string;
  as?: 'agent' | 'otherAgent';
  to?: TestApp;
}

function send({ query, hook = HOOK, key = 'hook_1', as = 'agent', to = server }: Sent): Promise<TestReply> {
  const headers = { authorization: `Bearer ${to.tokens[as]}`, 'idempotency-key': key };
  return to.inject({ method: 'POST', url: `/hooks/claude?${query}`, headers, payload: hook });
}

function open(url: string) {
  const headers = {
    authorization: `Bearer ${server.tokens.agent}`,
    'content-type': 'application/json',
    'idempotency-key': 'hook_1',
  };
  const client = httpRequest(`${url}/hooks/claude?hold=60`, { method: 'POST', headers });
  client.on('error', () => undefined);
  client.end(JSON.stringify(HOOK));
  return client;
}

async function expectHeld(count: number, at: TestApp): Promise<void> {
  expect((await at.send('admin', 'GET', '/metrics')).text).toContain(`beckon_waits_held ${count}\n`);
}

/** Waits until the agent of a request has been away for too long. */
function abandon(id: string): Promise<void> {
  return until(async () => {
    await server.attendance.look();
    expect((await server.beckon.get(id))?.status).toBe('superseded');
  });
}

function onlyPending(): Promise<Interaction> {
  return until(async () => {
    const { items } = await server.beckon.list({ status: 'pending' });
    expect(items).toHaveLength(1);
    return items[0] as Interaction;
  });
}
