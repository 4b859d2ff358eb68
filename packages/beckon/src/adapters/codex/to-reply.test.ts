import { describe, expect, test } from 'vitest';
import type { Interaction } from '../../protocol/interaction.ts';
import { type CodexRequest, readRequest } from './messages.ts';
import { createThread } from './thread.ts';
import { toCall } from './to-call.ts';
import { toReply } from './to-reply.ts';
import { toSteer } from './to-steer.ts';

const WHERE = { threadId: 't', turnId: 'turn', itemId: 'call_1', startedAtMs: 1 };
const AMENDMENT = ['touch', 'x'];
const COMMAND = read('item/commandExecution/requestApproval', { ...WHERE, command: "/bin/bash -lc 'touch x'" });
const AMENDED = read('item/commandExecution/requestApproval', {
  ...WHERE,
  command: "/bin/bash -lc 'touch x'",
  proposedExecpolicyAmendment: AMENDMENT,
});
const MCP = read('mcpServer/elicitation/request', {
  threadId: 't',
  turnId: 'turn',
  serverName: 'lab',
  mode: 'form',
  _meta: { codex_approval_kind: 'mcp_tool_call', persist: ['always'] },
  message: 'Allow the lab MCP server to run tool "ask"?',
});
const PERMISSIONS = read('item/permissions/requestApproval', {
  ...WHERE,
  cwd: '/w',
  permissions: { network: { enabled: true }, fileSystem: null },
});
const QUESTIONS = read('item/tool/requestUserInput', {
  ...WHERE,
  questions: ['db', '__proto__'].map((id) => ({
    id,
    header: '',
    question: id,
    isOther: true,
    isSecret: false,
    options: null,
  })),
});
const ALLOW = { decision: 'allow' };

describe('a decision', () => {
  test.each([
    ['a command that is allowed', COMMAND, ALLOW, { decision: 'accept' }],
    ['one for the session', COMMAND, { ...ALLOW, remember: true }, { decision: 'acceptForSession' }],
    [
      'one for all that begin so',
      AMENDED,
      { ...ALLOW, remember: true },
      { decision: { acceptWithExecpolicyAmendment: { execpolicy_amendment: AMENDMENT } } },
    ],
    ['one that is denied', COMMAND, { decision: 'deny' }, { decision: 'decline' }],
    ['a tool', MCP, ALLOW, { action: 'accept', content: {}, _meta: null }],
    [
      'a tool for good',
      MCP,
      { ...ALLOW, remember: true },
      { action: 'accept', content: {}, _meta: { persist: 'always' } },
    ],
    ['a tool that is denied', MCP, { decision: 'deny' }, { action: 'decline', content: null, _meta: null }],
    ['permissions', PERMISSIONS, ALLOW, { permissions: { network: { enabled: true } }, scope: 'turn' }],
    ['no permissions', PERMISSIONS, { decision: 'deny' }, { permissions: {}, scope: 'turn' }],
  ])('about %s is told', (_, request, answer, result) => {
    expect(reply(request, [settle('approval', answer)])).toMatchObject({ result });
  });

  test('with a reason is told with a message to the turn', () => {
    const said = reply(COMMAND, [settle('approval', { decision: 'deny', message: 'Not on a Monday' })]);
    expect(said).toEqual({ result: { decision: 'decline' }, steer: 'Not on a Monday' });
    expect(toSteer(COMMAND, 'Not on a Monday')).toEqual({
      threadId: 't',
      expectedTurnId: 'turn',
      input: [{ type: 'text', text: 'Not on a Monday', text_elements: [] }],
    });
    expect(reply(COMMAND, [settle('approval', { decision: 'deny', message: ' ' })])).not.toHaveProperty('steer');
  });
});

test('answers are told by the ids of their questions, with remarks as Codex’s terminal sends them', () => {
  const settled = [
    settle('question', { text: 'Postgres', selected: ['Postgres'], notes: 'because' }),
    settle('question', { text: 'my own words' }),
  ];
  const said = reply(QUESTIONS, settled);
  expect(JSON.stringify(said?.result)).toBe(
    '{"answers":{"db":{"answers":["Postgres","user_note: because"]},"__proto__":{"answers":["my own words"]}}}',
  );
  expect(reply(QUESTIONS, settled.slice(0, 1))).toBeNull();
});

test('a form is told with its values', () => {
  const form = read('mcpServer/elicitation/request', { ...MCP.params, _meta: null, requestedSchema: {} });
  expect(reply(form, [settle('form', { values: { name: 'Ana' } })])?.result).toEqual({
    action: 'accept',
    content: { name: 'Ana' },
    _meta: null,
  });
});

test.each(['expired', 'superseded', 'pending'] as const)('what is %s is never consent, nor a refusal', (status) => {
  for (const request of [COMMAND, MCP, PERMISSIONS]) {
    expect(reply(request, [{ ...settle('approval', ALLOW), status } as Interaction])).toBeNull();
  }
  expect(
    reply(QUESTIONS, [settle('question', { text: 'a' }), { ...settle('question', {}), status } as Interaction]),
  ).toBeNull();
});

test('what was cancelled ends the turn, where Codex can do that', () => {
  const cancelled = [{ ...settle('approval', ALLOW), status: 'cancelled' } as Interaction];
  expect(reply(COMMAND, cancelled)?.result).toEqual({ decision: 'cancel' });
  expect(reply(MCP, cancelled)?.result).toEqual({ action: 'cancel', content: null, _meta: null });
  expect(reply(PERMISSIONS, cancelled)).toBeNull();
  expect(reply(QUESTIONS, cancelled)).toBeNull();
});

function reply(request: CodexRequest, settled: Interaction[]) {
  return toReply(request, toCall(request, createThread('t')), settled);
}

function read(method: string, params: object): CodexRequest {
  const request = readRequest(method, params);
  if (request === null) throw new Error('It does not fit');
  return request;
}

function settle(kind: Interaction['kind'], answer: object): Interaction {
  return { kind, status: 'answered', answer } as Interaction;
}
