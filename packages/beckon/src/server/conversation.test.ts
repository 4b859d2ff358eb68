import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ConversationEntry } from '../protocol/history.ts';
import type { JsonObject } from '../protocol/json.ts';
import { BASH, hook, permission, SESSION } from '../testing/harness/claude-hooks.ts';
import { findPending } from '../testing/harness/find-pending.ts';
import { createTestApp, type TestApp, type TokenName } from '../testing/harness/server/test-app.ts';

const SECRET = `ghp_${'a1B2'.repeat(9)}`;

let server: TestApp;
beforeAll(async () => {
  server = await createTestApp();
  // As Claude Code sends them, through the route for hooks.
  await report(hook('SessionStart', { source: 'startup' }));
  await report(hook('UserPromptSubmit', { prompt: `Say hi with ${SECRET}` }));
  await report(hook('PreToolUse', { tool_name: 'Read', tool_input: { file_path: '/a.ts' }, tool_use_id: 'toolu_1' }));
  await report(
    hook('PostToolUse', {
      tool_name: 'Read',
      tool_input: { file_path: '/a.ts' },
      tool_response: { content: 'x'.repeat(200_000) },
      tool_use_id: 'toolu_1',
      duration_ms: 40,
    }),
  );
  const asking = report(permission('Bash', BASH));
  const { id } = await findPending(server.beckon);
  await server.beckon.answer(id, { decision: 'deny', message: 'no' }, { who: 'ana', via: 'inbox' });
  await asking;
  await report(hook('Notification', { message: 'Claude is waiting' }));
  await report(hook('Stop', { last_assistant_message: 'I did not run it.' }));
  await server.beckon.ask({ kind: 'question', request: { question: 'And now?' }, sessionId: SESSION, chatId: 'team' });
});
afterAll(() => server.dispose());

async function report(payload: JsonObject): Promise<void> {
  const { status } = await server.send('agent', 'POST', '/hooks/claude', payload);
  expect(status).toBe(200);
}

async function read(as: TokenName, query = ''): Promise<{ entries: ConversationEntry[]; next?: number }> {
  return (await server.send(as, 'GET', `/v1/sessions/${SESSION}/conversation${query}`)).body;
}

const toLine = ({ type, text, outcome }: ConversationEntry): string => `${type}: ${text} ${outcome ?? ''}`.trim();

test('a conversation has what the person said, what the agent did and said, and what was asked', async () => {
  const { entries, next } = await read('person');
  expect(entries.map(toLine)).toEqual([
    'note: The session started (startup)',
    expect.stringMatching(/^person: Say hi with ghp_/),
    'call: /a.ts ok',
    expect.stringMatching(/^request: Say hi.* denied$/),
    'agent: I did not run it.',
    'request: And now? pending',
  ]);
  expect(entries[2]).toMatchObject({ tool: 'Read', ms: 40 });
  expect(entries[3]?.interactionId).toMatch(/^int_/);
  expect(next).toBeUndefined();
  expect(JSON.stringify(entries)).not.toContain(SECRET);
});

test('it opens at its end and goes back page by page, with each call whole', async () => {
  const last = await read('person', '?limit=3');
  expect(last.entries.map(({ type }) => type)).toEqual(['request', 'agent', 'request']);
  const middle = await read('person', `?limit=1&before=${last.next}`);
  // The hook after the call is there, but the call is shown where it began.
  expect(middle.entries).toEqual([]);
  const before = await read('person', `?limit=2&before=${middle.next}`);
  expect(before.entries.map(toLine)).toEqual([expect.stringMatching(/^person/), 'call: /a.ts ok']);
  const first = await read('person', `?before=${before.next}`);
  expect(first.entries).toHaveLength(1);
  expect(first.next).toBeUndefined();
});

test('who is limited to a chat sees the requests there alone; agents see nothing', async () => {
  expect((await read('teamPerson')).entries.map(toLine)).toEqual(['request: And now? pending']);
  expect(await read('agent')).toMatchObject({ code: 'forbidden' });
});

test.each(['?limit=0', '?limit=501', '?before=x', '?after=1'])('%s is refused', async (query) => {
  expect(await read('person', query)).toMatchObject({ code: 'invalid_input' });
});

test('an unknown session has no conversation', async () => {
  const { body } = await server.send('person', 'GET', '/v1/sessions/none/conversation');
  expect(body).toEqual({ entries: [] });
});
