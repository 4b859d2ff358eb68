import { describe, expect, expectTypeOf, test } from 'vitest';
import type * as z from 'zod/mini';
import { parsePatch } from '../../diff/patch.ts';
import { AskInput } from '../../protocol/interaction.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { parse } from '../../protocol/parse.ts';
import type * as Codex from './codex-types.ts';
import {
  type CodexRequest,
  type CommandApproval,
  type Elicitation,
  type FileApproval,
  type Item,
  type NOTIFICATIONS,
  type PermissionsApproval,
  readRequest,
  type UserInput,
} from './messages.ts';
import { createThread, noteItem, readItem, type Thread } from './thread.ts';
import { toCall } from './to-call.ts';
import { toKey } from './to-key.ts';
import { toRequests } from './to-request.ts';
import { unwrapShell } from './unwrap-shell.ts';

const WHERE = { threadId: '01a1e370-fdfe', turnId: 'turn', itemId: 'call_1', startedAtMs: 1 };
const COMMAND = {
  ...WHERE,
  kind: 'command',
  environmentId: 'local',
  reason: 'Need to make a marker',
  command: "/bin/bash -lc 'touch marker.txt && echo hi'",
  cwd: '/home/dev/work',
  proposedExecpolicyAmendment: ['touch', 'marker.txt'],
  availableDecisions: [
    'accept',
    { acceptWithExecpolicyAmendment: { execpolicy_amendment: ['touch', 'marker.txt'] } },
    'cancel',
  ],
};
const MCP = {
  threadId: '01a1e370-fdfe',
  turnId: 'turn',
  serverName: 'lab',
  mode: 'form',
  _meta: { codex_approval_kind: 'mcp_tool_call', persist: ['session', 'always'], tool_params: { a: 1 } },
  message: 'Allow the lab MCP server to run tool "ask"?',
  requestedSchema: { type: 'object', properties: {} },
};

test('what Codex sends, by its own types, fits what we read', () => {
  expectTypeOf<Codex.CommandExecutionRequestApprovalParams>().toExtend<z.input<typeof CommandApproval>>();
  expectTypeOf<Codex.FileChangeRequestApprovalParams>().toExtend<z.input<typeof FileApproval>>();
  expectTypeOf<Codex.ToolRequestUserInputParams>().toExtend<z.input<typeof UserInput>>();
  expectTypeOf<Codex.McpServerElicitationRequestParams>().toExtend<z.input<typeof Elicitation>>();
  expectTypeOf<Codex.PermissionsRequestApprovalParams>().toExtend<z.input<typeof PermissionsApproval>>();
  expectTypeOf<Codex.FileUpdateChange>().toExtend<
    Extract<z.input<typeof Item>, { type: 'fileChange' }>['changes'][number]
  >();
  expectTypeOf<Codex.ServerRequestResolvedNotification>().toExtend<
    z.input<(typeof NOTIFICATIONS)['serverRequest/resolved']>
  >();
  expectTypeOf<Codex.ThreadStatusChangedNotification>().toExtend<
    z.input<(typeof NOTIFICATIONS)['thread/status/changed']>
  >();
});

describe('a command', () => {
  test('is asked without the shell around it, with what would be remembered', () => {
    expect(ask('item/commandExecution/requestApproval', COMMAND)).toEqual([
      {
        kind: 'approval',
        request: {
          tool: 'Bash',
          input: { command: 'touch marker.txt && echo hi' },
          description: 'Need to make a marker',
          suggestions: [
            {
              type: 'addRules',
              rules: [{ toolName: 'Bash', ruleContent: 'touch marker.txt:*' }],
              behavior: 'allow',
              destination: 'userSettings',
            },
          ],
          abilities: { denyText: true, editInput: false, remember: true },
        },
      },
    ]);
  });

  test('that Codex does not offer to remember cannot be remembered', () => {
    const [asked] = ask('item/commandExecution/requestApproval', { ...COMMAND, availableDecisions: ['accept'] });
    expect(asked?.request).toMatchObject({ abilities: { remember: false } });
    expect(asked?.request).not.toHaveProperty('suggestions');
  });

  test('that wants the network is no command that a rule could allow', () => {
    const networkApprovalContext = { host: 'example.com', protocol: 'https' };
    const [asked] = ask('item/commandExecution/requestApproval', { ...COMMAND, networkApprovalContext });
    expect(asked?.request).toMatchObject({ tool: 'network_access', input: { host: 'example.com' } });
  });

  test('that wants more permissions shows them', () => {
    const additionalPermissions = { network: { enabled: true }, fileSystem: null };
    const [asked] = ask('item/commandExecution/requestApproval', { ...COMMAND, additionalPermissions });
    expect(asked?.request).toMatchObject({ input: { additionalPermissions } });
  });

  test('for a program that runs already is left to the terminal', () => {
    expect(ask('item/commandExecution/requestApproval', { ...COMMAND, kind: 'writeStdin' })).toEqual([]);
  });

  test.each([
    ["/bin/bash -lc 'ls -l'", 'ls -l'],
    ['/bin/bash -lc ls', 'ls'],
    ["bash -c 'a'\"'\"'b'", "a'b"],
    ['/usr/bin/zsh -lc "it\'s \\"x\\" \\$HOME"', 'it\'s "x" $HOME'],
    ['/bin/bash -lc "a\\\\nb"', 'a\\nb'],
    ["/bin/bash -lc 'a\nb'", 'a\nb'],
    // A shell would do something to these, or they are more than one text.
    ['/bin/bash -lc "echo $HOME"', '/bin/bash -lc "echo $HOME"'],
    ["/bin/bash -lc 'a' 'b'", "/bin/bash -lc 'a' 'b'"],
    ["/bin/bash -lc 'a'; rm -rf /", "/bin/bash -lc 'a'; rm -rf /"],
    ["/bin/bash -lc 'a", "/bin/bash -lc 'a"],
    ["/tmp/evil/bash -lc 'a'", "/tmp/evil/bash -lc 'a'"],
    ['ls', 'ls'],
  ])('%s is shown as %s', (command, shown) => {
    expect(unwrapShell(command)).toBe(shown);
  });
});

describe('a change of files', () => {
  const FILE = 'item/fileChange/requestApproval';

  test('is a patch that can be shown', () => {
    const thread = withChanges([
      { path: '/w/new.txt', kind: { type: 'add' }, diff: 'a\n\nb\n' },
      { path: '/w/old.txt', kind: { type: 'delete' }, diff: 'gone\n' },
      {
        path: '/w/a.txt',
        kind: { type: 'update', move_path: '/w/b.txt' },
        diff: '@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n@@ -9 +9 @@\n-x\n+y\n\\ No newline at end of file\n',
      },
    ]);
    const [asked] = ask(FILE, WHERE, thread);
    const request = asked?.request as AskInput<'approval'>['request'] | undefined;
    expect(parsePatch(String(request?.input?.['command']))).toMatchObject([
      { path: '/w/new.txt', steps: [{ type: 'create', content: 'a\n\nb\n' }] },
      { path: '/w/old.txt', steps: [{ type: 'delete' }] },
      { path: '/w/a.txt', movedTo: '/w/b.txt', steps: [{ lines: { length: 4 } }, { lines: { length: 2 } }] },
    ]);
  });

  test.each([
    ['a name with a line break', { path: '/w/a\n*** Delete File: /w/b', kind: { type: 'add' }, diff: '' }],
    ['a diff that is cut', { path: '/w/a', kind: { type: 'update' }, diff: '@@ -1,3 +1,3 @@\n one\n' }],
    [
      'a diff that goes on',
      { path: '/w/a', kind: { type: 'update' }, diff: '@@ -1 +1 @@\n-a\n+b\n*** Delete File: x\n' },
    ],
    ['a kind of change that is unknown', { path: '/w/a', kind: { type: 'chmod' }, diff: '' }],
  ])('with %s is shown as it is, where no rule decides', (_, change) => {
    const [asked] = ask(FILE, WHERE, withChanges([change]));
    expect(asked?.request).toMatchObject({ tool: 'apply_patch', input: { changes: [{ path: change.path }] } });
  });

  test('about which nothing is known is left to the terminal', () => {
    expect(ask(FILE, WHERE)).toEqual([]);
  });
});

describe('an elicitation', () => {
  test('is the permission for a tool, by the name that rules know', () => {
    const thread = createThread('t');
    noteItem(thread, {
      type: 'mcpToolCall',
      id: 'c',
      status: 'inProgress',
      server: 'lab',
      tool: 'real',
      arguments: { a: 1 },
    });
    expect(ask('mcpServer/elicitation/request', MCP, thread)).toMatchObject([
      { request: { tool: 'mcp__lab__real', input: { a: 1 }, suggestions: [{ destination: 'session' }] } },
    ]);
    expect(ask('mcpServer/elicitation/request', MCP)).toMatchObject([{ request: { tool: 'mcp__lab__ask' } }]);
    expect(ask('mcpServer/elicitation/request', { ...MCP, message: 'Run something?' })).toEqual([]);
  });

  test('is a form', () => {
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
    expect(ask('mcpServer/elicitation/request', { ...MCP, _meta: null, requestedSchema })).toMatchObject([
      { kind: 'form', request: { message: MCP.message, schema: requestedSchema } },
    ]);
  });

  test.each(['url', 'openai/userVerification', 'openaiForm'])('in the mode %s is left to the terminal', (mode) => {
    expect(ask('mcpServer/elicitation/request', { ...MCP, _meta: null, mode })).toEqual([]);
  });
});

describe('questions', () => {
  const QUESTION = { id: 'db', header: 'Database', question: 'Which?', isOther: true, isSecret: false };
  const options = [{ label: 'SQLite', description: 'a file' }, { label: 'Postgres' }];

  test('are asked with what Codex takes as an answer', () => {
    const questions = [
      { ...QUESTION, options },
      { ...QUESTION, isOther: false, options },
      { ...QUESTION, isOther: false, options: null },
    ];
    const asked = ask('item/tool/requestUserInput', { ...WHERE, questions });
    expect(asked.map(({ request }) => (request as { abilities: object }).abilities)).toEqual([
      { ownWords: true, notes: true },
      { ownWords: false, notes: true },
      { ownWords: true, notes: true },
    ]);
    expect(asked[0]?.request).toMatchObject({ question: 'Which?', header: 'Database', options });
  });

  test('with a secret among them are left to the terminal', () => {
    const questions = [
      { ...QUESTION, options },
      { ...QUESTION, isSecret: true, options: null },
    ];
    expect(ask('item/tool/requestUserInput', { ...WHERE, questions })).toEqual([]);
  });
});

test.each([
  ['item/tool/call', {}],
  ['constructor', {}],
  ['item/commandExecution/requestApproval', undefined],
  ['item/commandExecution/requestApproval', { ...COMMAND, threadId: '../../etc' }],
  ['item/fileChange/requestApproval', { ...WHERE, itemId: 7 }],
  ['item/tool/requestUserInput', { ...WHERE, questions: 'all' }],
])('a request %s that is unknown or does not fit is nobody’s', (method, params) => {
  expect(readRequest(method, params)).toBeNull();
});

test('a key is the same for the same request, and another one for a second request of the same item', () => {
  const key = (method: string, params: object, id: number, instance = 'one') =>
    toKey('codex_x_', readRequest(method, params) as CodexRequest, id, instance);
  const command = 'item/commandExecution/requestApproval';
  expect(key(command, COMMAND, 1)).toBe(key(command, COMMAND, 2, 'two'));
  expect(key(command, { ...COMMAND, startedAtMs: 2 }, 1)).not.toBe(key(command, COMMAND, 1));
  expect(key(command, { ...COMMAND, approvalId: 'a' }, 1)).not.toBe(key(command, COMMAND, 1));
  const elicitation = 'mcpServer/elicitation/request';
  expect(key(elicitation, MCP, 1)).toBe(key(elicitation, MCP, 1));
  expect(key(elicitation, MCP, 1)).not.toBe(key(elicitation, MCP, 2));
  expect(key(elicitation, MCP, 1)).not.toBe(key(elicitation, MCP, 1, 'two'));
});

function ask(method: string, params: object, thread: Thread = createThread('t')) {
  const request = readRequest(method, params);
  if (request === null) throw new Error('It does not fit');
  const asks = toRequests(request, toCall(request, thread));
  // What Beckon would refuse is nothing that can be asked.
  for (const one of asks) parse(AskInput, one, { what: 'ask' });
  return asks;
}

function withChanges(changes: JsonObject[]): Thread {
  const thread = createThread('t');
  noteItem(thread, readItem({ type: 'fileChange', id: WHERE.itemId, status: 'inProgress', changes }));
  return thread;
}
