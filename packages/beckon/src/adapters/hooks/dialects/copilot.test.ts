import { expect, test } from 'vitest';
import { testDialect } from '../../../testing/harness/hook-dialect.testsuite.ts';
import { copilot } from './copilot.ts';

const COMMON = { sessionId: '02d18ff0-ab0d-4ea8-8974-78b61a3ea7ec', timestamp: 1794818520955, cwd: '/home/dev/work' };
const CALL = { command: 'touch marker.txt && echo hi' };
const ASK = {
  hookName: 'permissionRequest',
  ...COMMON,
  toolName: 'bash',
  toolInput: CALL,
  permissionSuggestions: [],
};
const CAN = { denyText: true, editInput: false, remember: false };
const EDITED = {
  file_path: '/home/dev/work/a.txt',
  diff: '\ndiff --git a/home/dev/work/a.txt b/home/dev/work/a.txt\nindex 0000000..0000000 100644\n--- a/home/dev/work/a.txt\n+++ b/home/dev/work/a.txt\n@@ -1,1 +1,1 @@\n-hello\n+bye\n',
};
const CREATED = {
  file_path: '/home/dev/work/a.txt',
  diff: '\ndiff --git a/home/dev/work/a.txt b/home/dev/work/a.txt\ncreate file mode 100644\nindex 0000000..0000000\n--- a/dev/null\n+++ b/home/dev/work/a.txt\n@@ -1,0 +1,1 @@\n+hello\n',
};

testDialect(copilot, {
  asks: [
    {
      name: 'a command',
      payload: ASK,
      request: { tool: 'Bash', input: CALL, abilities: CAN },
      replies: [
        { answer: { decision: 'allow' }, reply: { behavior: 'allow' } },
        {
          answer: { decision: 'deny', message: 'Not on a Monday' },
          reply: { behavior: 'deny', message: 'Not on a Monday' },
        },
      ],
    },
    {
      name: 'a change of a file',
      payload: { ...ASK, toolName: 'edit', toolInput: EDITED },
      request: {
        tool: 'apply_patch',
        input: {
          patch: '--- /home/dev/work/a.txt\n+++ /home/dev/work/a.txt\n@@ -1,1 +1,1 @@\n-hello\n+bye\n',
        },
      },
      replies: [{ answer: { decision: 'allow' }, reply: { behavior: 'allow' } }],
    },
    {
      name: 'a new file',
      payload: { ...ASK, toolName: 'edit', toolInput: CREATED },
      request: {
        tool: 'apply_patch',
        input: { patch: '--- /dev/null\n+++ /home/dev/work/a.txt\n@@ -1,0 +1,1 @@\n+hello\n' },
      },
      replies: [{ answer: { decision: 'deny' }, reply: { behavior: 'deny', message: 'ana denied apply_patch.' } }],
    },
  ],
  ran: { event: 'postToolUse', payload: { ...COMMON, toolName: 'bash', toolArgs: CALL, toolResult: {} } },
  ends: [
    { event: 'agentStop', payload: { ...COMMON, stopReason: 'end_turn', stop_hook_active: false } },
    { event: 'userPromptSubmitted', payload: { ...COMMON, prompt: 'do it' } },
    { event: 'sessionEnd', payload: { ...COMMON, reason: 'complete' } },
  ],
  reports: [
    { event: 'sessionStart', payload: { ...COMMON, source: 'new', initialPrompt: 'do it' } },
    { event: 'preToolUse', payload: { ...COMMON, toolName: 'bash', toolArgs: CALL } },
  ],
});

test('a diff of more than one file, or without a head, is shown as it came', () => {
  for (const diff of [`${EDITED.diff}${CREATED.diff}`, '@@ -1 +1 @@\n-a\n+b\n', '', '--- a\n+++ b\n']) {
    const { tool_input: input } = copilot.toHook({ ...ASK, toolName: 'edit', toolInput: { ...EDITED, diff } });
    expect(input).toEqual({ ...EDITED, diff });
  }
});

test('a hook in the common form stays as it is', () => {
  const common = copilot.toHook({ ...COMMON, toolName: 'bash', toolArgs: CALL }, 'postToolUse');
  expect(common).toMatchObject({ hook_event_name: 'PostToolUse', session_id: COMMON.sessionId, tool_name: 'Bash' });
  expect(copilot.toHook(common)).toEqual(common);
});
