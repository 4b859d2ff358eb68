import { expect, test } from 'vitest';
import { findPending } from '../../../testing/harness/find-pending.ts';
import { testDialect } from '../../../testing/harness/hook-dialect.testsuite.ts';
import { createTestApp } from '../../../testing/harness/server/test-app.ts';
import { codex } from './codex.ts';

const COMMON = {
  session_id: '01a1e371-d612-7c21-b155-83c1af1f3e88',
  turn_id: '01a1e371-d641-7131-8f62-ffd3c9ed60e5',
  transcript_path: '/home/dev/.codex/sessions/2026/11/16/rollout-2026-11-16T08-20-50.jsonl',
  cwd: '/home/dev/work',
  model: 'gpt-5.1-codex',
  permission_mode: 'default',
};
const COMMAND = 'touch marker.txt && echo hi';
const PATCH = '*** Begin Patch\n*** Add File: hello.txt\n+hello\n*** End Patch';
const BASH = { ...COMMON, tool_name: 'Bash', tool_input: { command: COMMAND } };
const ASK = {
  ...BASH,
  hook_event_name: 'PermissionRequest',
  tool_input: { command: COMMAND, description: 'Need to make a marker' },
};
const ASK_PATCH = { ...ASK, tool_name: 'apply_patch', tool_input: { command: PATCH } };
const CAN = { denyText: true, editInput: false, remember: false };

testDialect(codex, {
  asks: [
    {
      name: 'a command',
      payload: ASK,
      request: { tool: 'Bash', input: { command: COMMAND }, description: 'Need to make a marker', abilities: CAN },
      replies: [
        { answer: { decision: 'allow' }, reply: toReply({ behavior: 'allow' }) },
        {
          answer: { decision: 'deny', message: 'Not on a Monday' },
          reply: toReply({ behavior: 'deny', message: 'Not on a Monday' }),
        },
        { answer: { decision: 'deny' }, reply: toReply({ behavior: 'deny', message: 'ana denied Bash.' }) },
      ],
    },
    {
      name: 'a patch',
      payload: ASK_PATCH,
      request: { tool: 'apply_patch', input: { command: PATCH }, abilities: CAN },
      replies: [{ answer: { decision: 'allow' }, reply: toReply({ behavior: 'allow' }) }],
    },
  ],
  ran: { payload: { ...BASH, hook_event_name: 'PostToolUse', tool_response: 'hi\n', tool_use_id: 'call_1_0' } },
  ends: [
    { payload: { ...COMMON, hook_event_name: 'Interrupt' } },
    { payload: { ...COMMON, hook_event_name: 'SessionEnd' } },
  ],
  reports: [
    { payload: { ...COMMON, hook_event_name: 'SessionStart', source: 'startup' } },
    { payload: { ...COMMON, hook_event_name: 'PreToolUse', ...BASH, tool_use_id: 'call_1_0' } },
  ],
});

test.each([
  ['a command', ASK, { ...BASH, tool_use_id: 'call_1_0' }],
  [
    'a patch',
    ASK_PATCH,
    { ...BASH, tool_name: 'apply_patch', tool_input: { command: `${PATCH}\n` }, tool_use_id: 'call_1_0' },
  ],
])('%s is found again although its hooks differ', async (_, ask, call) => {
  const server = await createTestApp();
  await server.send('agent', 'POST', '/hooks/codex', { ...call, hook_event_name: 'PreToolUse' });
  void server.send('agent', 'POST', '/hooks/codex', ask);
  expect((await findPending(server.beckon)).metadata).toMatchObject({ toolUseId: 'call_1_0' });
  await server.send('agent', 'POST', '/hooks/codex', { ...call, hook_event_name: 'PostToolUse' });
  expect((await server.beckon.list({ status: 'pending' })).items).toEqual([]);
  await server.dispose();
});

test('an allow for another input than its own is no allow', () => {
  const call = { tool: 'Bash', input: { command: COMMAND } };
  expect(codex.toReply({ behavior: 'allow', updatedInput: { command: 'ls' } }, call)).toEqual({});
  expect(codex.toReply({ behavior: 'allow', updatedInput: call.input, updatedPermissions: [{}] }, call)).toEqual(
    toReply({ behavior: 'allow' }),
  );
});

function toReply(decision: { behavior: string; message?: string }) {
  return { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } };
}
