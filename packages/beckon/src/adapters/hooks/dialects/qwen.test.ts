import { expect, test } from 'vitest';
import type { JsonObject } from '../../../protocol/json.ts';
import { testDialect } from '../../../testing/harness/hook-dialect.testsuite.ts';
import { createTestApp } from '../../../testing/harness/server/test-app.ts';
import { qwen } from './qwen.ts';

const COMMON = {
  session_id: '892b174a-828b-419f-bba8-46c48d918966',
  transcript_path: '/home/dev/.qwen/project/chats/892b174a-828b-419f-bba8-46c48d918966.jsonl',
  cwd: '/home/dev/work',
  timestamp: '2026-11-16T08:37:51.443Z',
  permission_mode: 'default',
  prompt_id: '892b174a-828b-419f-bba8-46c48d918966########0',
};
const INPUT = { command: 'touch marker.txt && echo hi', description: 'Make a marker' };
const CALL = { ...COMMON, tool_name: 'run_shell_command', tool_input: INPUT };
const IDS = { tool_use_id: 'toolu_1794818276598_mv7u2dg1h', tool_call_id: 'call_1_0' };
const ASK = { ...CALL, hook_event_name: 'PermissionRequest' };
const QUESTION = {
  question: 'Which database?',
  header: 'Database',
  multiSelect: false,
  options: [
    { label: 'SQLite', description: 'a file' },
    { label: 'Postgres', description: 'a server' },
  ],
};

testDialect(qwen, {
  asks: [
    {
      name: 'a command',
      payload: ASK,
      request: {
        tool: 'Bash',
        input: INPUT,
        description: 'Make a marker',
        abilities: { denyText: true, editInput: true, remember: false },
      },
      replies: [
        { answer: { decision: 'allow' }, reply: toReply({ behavior: 'allow' }) },
        {
          answer: { decision: 'allow', updatedInput: { command: 'ls' } },
          reply: toReply({ behavior: 'allow', updatedInput: { command: 'ls' } }),
        },
        {
          answer: { decision: 'deny', message: 'Not on a Monday' },
          reply: toReply({ behavior: 'deny', message: 'Not on a Monday' }),
        },
      ],
    },
    {
      name: 'a question',
      payload: { ...ASK, tool_name: 'ask_user_question', tool_input: { questions: [QUESTION] } },
      request: { question: 'Which database?', options: QUESTION.options },
      replies: [
        { answer: { selected: ['Postgres'] }, reply: toAnswer('"Which database?" = Postgres') },
        { answer: { text: 'MariaDB' }, reply: toAnswer('"Which database?" = MariaDB') },
        {
          answer: { selected: ['SQLite'], notes: 'for now' },
          reply: toAnswer('"Which database?" = SQLite (for now)'),
        },
      ],
    },
    {
      name: 'a new file',
      payload: { ...ASK, tool_name: 'write_file', tool_input: { file_path: '/home/dev/work/a', content: 'a' } },
      request: { tool: 'Write', input: { file_path: '/home/dev/work/a', content: 'a' } },
      replies: [{ answer: { decision: 'allow' }, reply: toReply({ behavior: 'allow' }) }],
    },
  ],
  ran: { payload: { ...CALL, ...IDS, hook_event_name: 'PostToolUse', tool_response: {}, duration_ms: 1 } },
  ends: [
    { payload: { ...COMMON, hook_event_name: 'Stop', stop_hook_active: false } },
    { payload: { ...COMMON, hook_event_name: 'UserPromptSubmit', prompt: 'do it' } },
    { payload: { ...COMMON, hook_event_name: 'SessionEnd' } },
  ],
  reports: [
    { payload: { ...COMMON, hook_event_name: 'SessionStart', source: 'startup', model: 'fake' } },
    { payload: { ...CALL, ...IDS, hook_event_name: 'PreToolUse' } },
    { payload: { ...COMMON, hook_event_name: 'Notification', message: 'Waiting', notification_type: 'idle_prompt' } },
  ],
});

test('a plan is left to its terminal, which would ask all the same', async () => {
  const server = await createTestApp();
  const payload = { ...ASK, tool_name: 'exit_plan_mode', tool_input: { plan: '# Plan' } };
  expect(await server.send('agent', 'POST', '/hooks/qwen', payload)).toMatchObject({ status: 200, body: {} });
  expect((await server.beckon.list()).items).toEqual([]);
  await server.dispose();
});

function toReply(decision: JsonObject) {
  return { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } };
}

function toAnswer(answers: string) {
  const message = `The person answered: ${answers}. Continue with this; do not ask again.`;
  return toReply({ behavior: 'deny', message });
}
