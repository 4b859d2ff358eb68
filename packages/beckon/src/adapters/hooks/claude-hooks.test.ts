import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { HookContext } from '../../core/agent-hooks.ts';
import type { Beckon } from '../../core/beckon.ts';
import type { HookInput } from '../../core/hooks.ts';
import { openBeckon } from '../../open-beckon.ts';
import type { AnswerInput } from '../../protocol/answers.ts';
import { BeckonError } from '../../protocol/errors.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import type { JsonObject } from '../../protocol/json.ts';
import {
  BASH,
  elicitation,
  FOR_SESSION,
  hook,
  PLAN,
  permission,
  QUESTIONS,
  SESSION,
} from '../../testing/harness/claude-hooks.ts';
import { findPending, findSteps } from '../../testing/harness/find-pending.ts';
import { until } from '../../testing/suites/until.ts';
import { claudeCode } from './dialects/claude-code.ts';
import { HookEngine } from './hook-engine.ts';

const ANA = { who: 'ana', via: 'inbox' };
const NAME = 'claude-code';
let folder: string;
let beckon: Beckon;
let hooks: HookEngine;
let received: HookInput[];
let errors: unknown[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'beckon-claude-'));
  beckon = await openBeckon({ store: `sqlite:${join(folder, 'beckon.db')}` });
  received = [];
  errors = [];
  const sink = { receive: async (input: HookInput) => void received.push(input) };
  hooks = new HookEngine({ dialect: claudeCode, beckon, sink, onError: (error) => errors.push(error), graceMs: 0 });
});
afterEach(async () => {
  await beckon.close();
  rmSync(folder, { recursive: true });
});

describe('what a person decides becomes the reply', () => {
  test('questions are asked together, and the answers are added to the input', async () => {
    const reply = send(permission('AskUserQuestion', { questions: QUESTIONS }));
    const [first, second] = await findSteps(beckon);
    expect(first).toMatchObject({
      kind: 'question',
      sessionId: SESSION,
      askedBy: NAME,
      request: QUESTIONS[0],
      metadata: { agent: 'claude-code', cwd: '/home/dev/work', step: 1, steps: 2 },
    });
    expect(second).toMatchObject({ groupId: first.groupId, request: QUESTIONS[1], metadata: { step: 2, steps: 2 } });
    const answers = [
      { id: first.id, answer: { selected: ['SQLite'], notes: 'for now' } },
      { id: second!.id, answer: { selected: ['Auth', 'Search'] } },
    ];
    expect(await beckon.answerGroup(first.groupId!, answers, ANA)).toMatchObject({ result: 'accepted' });
    expect(await reply).toEqual(
      allowed({
        updatedInput: {
          questions: QUESTIONS,
          answers: {
            'Which database should we use?': 'SQLite',
            'Which features do you want to enable?': 'Auth, Search',
          },
          annotations: { 'Which database should we use?': { preview: '# One file', notes: 'for now' } },
        },
      }),
    );
  });

  test.each([
    ['edit', 'acceptEdits'],
    ['clean_edit', 'acceptEdits'],
    ['default', 'default'],
  ])('a plan accepted as %s sets the mode %s', async (decision, mode) => {
    const reply = send(permission('ExitPlanMode', PLAN));
    const asked = await findPending(beckon);
    expect(asked).toMatchObject({ kind: 'plan_review', request: { plan: PLAN.plan, toolInput: PLAN } });
    await answer(asked, { decision });
    const updatedPermissions = [{ type: 'setMode', mode, destination: 'session' }];
    expect(await reply).toEqual(allowed({ updatedInput: PLAN, updatedPermissions }));
  });

  test('an edited plan replaces the plan, and nothing else of the input', async () => {
    const reply = send(permission('ExitPlanMode', PLAN));
    await answer(await findPending(beckon), { decision: 'edit', editedPlan: '# Mine' });
    expect(await reply).toMatchObject(allowed({ updatedInput: { ...PLAN, plan: '# Mine' } }));
  });

  test('feedback on a plan keeps Claude planning', async () => {
    const reply = send(permission('ExitPlanMode', PLAN));
    await answer(await findPending(beckon), { decision: 'adjust', feedback: 'Please add tests to the plan' });
    expect(await reply).toEqual(denied('Please add tests to the plan'));
  });

  test('a tool is allowed, with nothing added', async () => {
    const reply = send(permission('Bash', BASH, { permission_suggestions: FOR_SESSION }));
    const asked = await findPending(beckon);
    expect(asked).toMatchObject({ kind: 'approval', request: { tool: 'Bash', input: BASH, description: 'Say hi' } });
    await answer(asked, { decision: 'allow' });
    expect(await reply).toEqual(allowed({}));
  });

  test('a tool is allowed with another input', async () => {
    const reply = send(permission('Bash', BASH));
    await answer(await findPending(beckon), { decision: 'allow', updatedInput: { command: 'echo CHANGED' } });
    expect(await reply).toEqual(allowed({ updatedInput: { command: 'echo CHANGED' } }));
  });

  test('a tool is denied, in the words of the person or with their name', async () => {
    const first = send(permission('Bash', BASH));
    await answer(await findPending(beckon), { decision: 'deny', message: 'Not on a Friday' });
    expect(await first).toEqual(denied('Not on a Friday'));
    const second = send(permission('Bash', BASH));
    await answer(await findPending(beckon), { decision: 'deny' });
    expect(await second).toEqual(denied('ana denied Bash.'));
  });

  test('what is remembered is what the person saw', async () => {
    const command = 'npm run build';
    const reply = send(permission('Bash', { command }, { permission_suggestions: FOR_SESSION }));
    const asked = await findPending(beckon);
    await answer(asked, { decision: 'allow', remember: true });
    const updatedPermissions = [
      {
        type: 'addRules',
        rules: [{ toolName: 'Bash', ruleContent: command }],
        behavior: 'allow',
        destination: 'localSettings',
      },
    ];
    expect(asked.kind === 'approval' && asked.request.suggestions).toEqual(updatedPermissions);
    expect(await reply).toEqual(allowed({ updatedPermissions }));
  });

  test('an elicitation is a form', async () => {
    const reply = send(elicitation());
    const asked = await findPending(beckon);
    expect(asked).toMatchObject({ kind: 'form', request: { message: 'Need your name' } });
    await answer(asked, { values: { name: 'Ada' } });
    expect(await reply).toEqual({
      hookSpecificOutput: { hookEventName: 'Elicitation', action: 'accept', content: { name: 'Ada' } },
    });
  });
});

describe('without an answer Claude Code goes on by itself', () => {
  test.each([
    ['a question', permission('AskUserQuestion', { questions: QUESTIONS })],
    ['a plan', permission('ExitPlanMode', PLAN)],
    ['a permission', permission('Bash', BASH)],
    ['a form', elicitation()],
  ])('%s that nobody answers, or that is cancelled, gives no opinion', async (_, payload) => {
    expect(await send(payload, { timeout: 0.01 })).toEqual({});
    const reply = send(payload);
    await beckon.cancel({ id: (await findPending(beckon)).id });
    expect(await reply).toEqual({});
  });

  test('an answer to one question of two is no answer, and Claude is told which one it was', async () => {
    const reply = send(permission('AskUserQuestion', { questions: QUESTIONS }), { timeout: 0.5 });
    await answer((await findSteps(beckon))[0], { text: 'SQLite' });
    expect(await reply).toEqual(
      denied(
        'Nobody answered 1 of 2 questions in time: Features. Answered: Database = SQLite. Ask again only what is open.',
      ),
    );
  });

  test('what was answered before a restart is kept and named', async () => {
    const payload = permission('AskUserQuestion', { questions: QUESTIONS });
    const stopping = new AbortController();
    const cut = send(payload, { key: 'hook-1', timeout: 2, signal: stopping.signal });
    const [first] = await findSteps(beckon);
    await answer(first, { text: 'SQLite' });
    stopping.abort(new BeckonError('closed', 'Beckon stops'));
    await expect(cut).rejects.toMatchObject({ code: 'closed' });
    const again = new HookEngine({ dialect: claudeCode, beckon }).handle(payload, {
      caller: { name: NAME, role: 'agent' },
      signal: new AbortController().signal,
      key: 'hook-1',
    });
    expect(await again).toMatchObject(denied(expect.stringMatching(/ Features\. Answered: Database = SQLite\. /)));
    expect((await beckon.list()).items).toHaveLength(2);
  });

  test('a question that is cancelled ends the others of its call', async () => {
    const reply = send(permission('AskUserQuestion', { questions: QUESTIONS }));
    const [first, second] = await findSteps(beckon);
    await beckon.cancel({ id: second!.id });
    expect(await reply).toEqual({});
    expect(await beckon.get(first.id)).toMatchObject({ status: 'superseded' });
  });

  test.each([
    ['a page to visit', { ...elicitation(), mode: 'url', requested_schema: {} }, 0],
    ['a form that Beckon does not understand', { ...elicitation(), requested_schema: { type: 'nonsense' } }, 1],
    ['a question without text', permission('AskUserQuestion', { questions: [{ question: '' }] }), 1],
    ['no question', permission('AskUserQuestion', { questions: [] }), 0],
  ])('%s is not asked', async (_, payload, faults) => {
    expect(await send(payload)).toEqual({});
    expect(errors).toHaveLength(faults);
    expect((await beckon.list()).items).toEqual([]);
  });

  test('what is no hook is refused', async () => {
    await expect(send({ hello: 'world' })).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(send(hook('PermissionRequest'))).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

describe('a hook that comes again', () => {
  test('finds its interaction and its answer by its name, also in another process', async () => {
    const ended = new AbortController();
    const lost = send(permission('Bash', BASH), { key: 'call-1', signal: ended.signal });
    const asked = await findPending(beckon);
    ended.abort(new BeckonError('closed', 'stopping'));
    await expect(lost).rejects.toMatchObject({ code: 'closed' });
    await answer(asked, { decision: 'allow' });
    const other = new HookEngine({ dialect: claudeCode, beckon });
    expect(await other.handle(permission('Bash', BASH), context({ key: 'call-1' }))).toEqual(allowed({}));
  });

  test('of another caller is another call', async () => {
    const mine = send(permission('Bash', BASH), { key: 'call-1' });
    const asked = await findPending(beckon);
    const theirs = send(permission('Bash', BASH), {
      key: 'call-1',
      caller: { name: 'other', role: 'agent' },
      timeout: 0.01,
    });
    expect(await theirs).toEqual({});
    expect((await beckon.get(asked.id))?.status).toBe('pending');
    await beckon.answer(asked.id, { decision: 'allow' }, ANA);
    await mine;
  });

  test('has the id of its tool call, known from the hook before', async () => {
    const call = { tool_name: 'Bash', tool_input: BASH };
    expect(await send(hook('PreToolUse', { ...call, tool_use_id: 'toolu_1' }))).toEqual({});
    const reply = send(permission('Bash', BASH));
    const asked = await findPending(beckon);
    expect(asked.metadata).toMatchObject({ toolUseId: 'toolu_1' });
    // Another call with the same input.
    await send(hook('PostToolUse', { ...call, tool_use_id: 'toolu_2' }));
    expect((await beckon.get(asked.id))?.status).toBe('pending');
    await send(hook('PostToolUse', { ...call, tool_use_id: 'toolu_1' }));
    expect(await reply).toEqual({});
  });
});

describe('what is settled in the terminal is closed', () => {
  test.each([
    ['a permission', permission('Bash', BASH)],
    ['all questions', permission('AskUserQuestion', { questions: QUESTIONS })],
  ])('a connection that Claude Code closes supersedes %s', async (_, payload) => {
    const ended = new AbortController();
    const reply = send(payload, { signal: ended.signal });
    const asked = await findSteps(beckon);
    ended.abort();
    await expect(reply).rejects.toMatchObject({ name: 'AbortError' });
    for (const { id } of asked) expect(await beckon.get(id)).toMatchObject({ status: 'superseded' });
  });

  test.each(['PostToolUse', 'PostToolUseFailure'])('a tool that ran was allowed (%s)', async (event) => {
    const reply = send(permission('Bash', BASH));
    const asked = await findPending(beckon);
    await send(hook(event, { tool_name: 'Bash', tool_input: BASH, tool_use_id: 'toolu_1' }), { user: 'dev@laptop' });
    expect(await beckon.get(asked.id)).toMatchObject({
      status: 'answered',
      answer: { decision: 'allow' },
      answeredBy: { who: NAME, via: 'terminal', claim: { who: 'dev@laptop' } },
    });
    await reply;
  });

  test('all questions have the answers of the terminal, and what was answered before stays', async () => {
    const questions = [
      { question: 'Which cache?', options: [], multiSelect: false },
      ...QUESTIONS,
      { question: 'And?', options: [], multiSelect: false },
    ];
    const reply = send(permission('AskUserQuestion', { questions }));
    const asked = await findSteps(beckon);
    await answer(asked[0], { text: 'earlier' });
    const answers = {
      'Which cache?': 'later',
      'Which database should we use?': 'my own',
      'Which features do you want to enable?': 'Auth, Search',
    };
    const annotations = { 'Which database should we use?': { notes: 'hm' } };
    const tool_input = { questions, answers, annotations };
    await send(hook('PostToolUse', { tool_name: 'AskUserQuestion', tool_input, tool_use_id: 'toolu_1' }));
    expect(await reply).toEqual({});
    const settled = await Promise.all(asked.map(({ id }) => beckon.get(id)));
    expect(settled).toMatchObject([
      { answer: { text: 'earlier' }, answeredBy: ANA },
      { answer: { text: 'my own', notes: 'hm' }, answeredBy: { via: 'terminal' } },
      { answer: { text: 'Auth, Search', selected: ['Auth', 'Search'] }, answeredBy: { via: 'terminal' } },
      { status: 'superseded', reason: 'Settled in the terminal' },
    ]);
  });

  test.each([
    ['acceptEdits', PLAN.plan, { decision: 'edit' }],
    ['default', '# Changed there', { decision: 'default', editedPlan: '# Changed there' }],
  ])('a plan accepted with the mode %s', async (mode, plan, kept) => {
    const reply = send(permission('ExitPlanMode', PLAN));
    const asked = await findPending(beckon);
    const fields = { tool_name: 'ExitPlanMode', tool_input: {}, tool_response: { plan }, permission_mode: mode };
    await send(hook('PostToolUse', { ...fields, tool_use_id: 'toolu_1' }));
    expect(await beckon.get(asked.id)).toMatchObject({ status: 'answered', answer: kept });
    await reply;
  });

  test('the end of a turn ends what its agent asked, the end of the session everything', async () => {
    const main = send(permission('Bash', BASH));
    const asked = await findPending(beckon);
    const sub = send(permission('Bash', { command: 'ls' }, { agent_id: 'agent-1' }));
    await until(async () => expect((await beckon.list({ status: 'pending' })).items).toHaveLength(2));
    await send(hook('Notification', { message: 'Claude needs your permission' }));
    await send(hook('Stop', { session_id: 'another' }));
    expect((await beckon.list({ status: 'pending' })).items).toHaveLength(2);
    await send(hook('Stop'));
    expect(await main).toEqual({});
    expect(await beckon.get(asked.id)).toMatchObject({ status: 'superseded', reason: 'The session went on (Stop)' });
    await send(hook('SessionEnd', { reason: 'other' }));
    expect(await sub).toEqual({});
  });

  test('the end of a turn leaves time for an answer from the terminal that it has overtaken', async () => {
    hooks = new HookEngine({ dialect: claudeCode, beckon, graceMs: 300 });
    const replies = [send(permission('Bash', BASH)), send(permission('Bash', { command: 'ls' }))];
    await until(async () => expect((await beckon.list({ status: 'pending' })).items).toHaveLength(2));
    await send(hook('Stop'));
    await send(hook('PostToolUse', { tool_name: 'Bash', tool_input: BASH, tool_use_id: 'toolu_1' }));
    await Promise.all(replies);
    const { items } = await beckon.list();
    expect(items.map(({ status }) => status).toSorted()).toEqual(['answered', 'superseded']);
  });

  test('the end of a turn ends what is pending at once where Beckon itself ends', async () => {
    hooks = new HookEngine({ dialect: claudeCode, beckon, graceMs: 60_000 });
    const reply = send(permission('Bash', BASH));
    const asked = await findPending(beckon);
    await send(hook('SessionEnd'));
    expect((await beckon.get(asked.id))?.status).toBe('pending');
    await hooks.close();
    expect(await beckon.get(asked.id)).toMatchObject({ status: 'superseded', reason: 'The session ended' });
    expect(await reply).toEqual({});
  });

  test('a hook that was overtaken ends nothing that was asked after it', async () => {
    const reply = send(permission('Bash', BASH), { timeout: 0.5 });
    const asked = await findPending(beckon);
    const ran = { tool_name: 'Bash', tool_input: BASH, tool_use_id: 'toolu_1' };
    for (const late of [hook('UserPromptSubmit'), hook('Stop'), hook('SessionEnd'), hook('PostToolUse', ran)]) {
      await send(late, { ageMs: 60_000 });
    }
    await send(hook('PostToolUse', { ...ran, duration_ms: 60_000 }));
    expect((await beckon.get(asked.id))?.status).toBe('pending');
    expect(await reply).toEqual({});
  });

  test('an agent ends only what it asked itself', async () => {
    const reply = send(permission('Bash', BASH), { timeout: 0.3 });
    const asked = await findPending(beckon);
    await send(hook('SessionEnd'), { caller: { name: 'other', role: 'agent' } });
    expect((await beckon.get(asked.id))?.status).toBe('pending');
    expect(await reply).toEqual({});
  });
});

test('every hook is kept as it came', async () => {
  const payload = hook('Notification', { message: 'hi' });
  expect(await send(payload, { text: '{ "as": "it came" }', key: 'k' })).toEqual({});
  expect(received).toEqual([
    {
      sessionId: SESSION,
      hook: payload,
      text: '{ "as": "it came" }',
      id: 'k',
    },
  ]);
});

function context(more: Partial<HookContext> = {}): HookContext {
  return { caller: { name: NAME, role: 'agent' }, signal: new AbortController().signal, ...more };
}

function send(payload: JsonObject, more: Partial<HookContext> = {}): Promise<JsonObject> {
  return hooks.handle(payload, context(more));
}

async function answer({ id }: Interaction, given: AnswerInput): Promise<void> {
  expect(await beckon.answer(id, given, ANA)).toMatchObject({ result: 'accepted' });
}

function allowed(decision: JsonObject): JsonObject {
  return {
    hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow', ...decision } },
  };
}

function denied(message: string): JsonObject {
  return { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'deny', message } } };
}
